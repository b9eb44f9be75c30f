// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import dev.ullage.host.TextTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// An unpacked sosreport as a recorded root, as far as it goes: its copies of /proc and /sys, and what the programs it
/// ran printed.
///
/// | wanted | from |
/// |---|---|
/// | `recorded/kmsg` | `sos_commands/kernel/dmesg*`, `var/log/dmesg` |
/// | `recorded/statfs` | `df -al`, `df -ali` |
/// | `recorded/clock` | `date`, `proc/uptime` |
/// | `proc/self/mountinfo` | `proc/self/mounts`, `proc/mounts` |
/// | `proc/<pid>/stat`, `cmdline` | `ps aux`: there are no copies of those |
///
/// It is one instant, so it has no rates; and of a process it knows the sizes that ps prints, not what they consist of.
public final class Sosreport implements TextTree {
    private static final List<String> HOSTNAMES =
            List.of("proc/sys/kernel/hostname", "hostname", "sos_commands/host/hostname", "etc/hostname");

    private final TextTree folder;
    /// What is made from the output of programs, once it is asked for.
    private final Map<String, Supplier<String>> made = new LinkedHashMap<>();

    private final Map<String, String> ready = new LinkedHashMap<>();
    private Optional<Map<String, String>> processes = Optional.empty();

    private Sosreport(TextTree folder) {
        this.folder = folder;
        made.put("recorded/kmsg", this::kernelLog);
        made.put(
                "recorded/statfs",
                () -> SosCommands.statfs(
                        output("sos_commands/filesys", "df_-al"), output("sos_commands/filesys", "df_-ali")));
        made.put(
                "recorded/clock",
                () -> SosCommands.clock(
                        output("sos_commands/date", "date"),
                        folder.text("date").orElse(""),
                        folder.text("proc/uptime").orElse("")));
        made.put(
                "proc/self/mountinfo",
                () -> SosCommands.mountinfo(
                        firstOf(List.of("proc/self/mounts", "proc/mounts", "sos_commands/filesys/findmnt")),
                        folder.text("proc/diskstats").orElse("")));
        made.put("proc/sys/kernel/hostname", () -> firstOf(HOSTNAMES));
    }

    /// Whether a folder is one: `sos_commands/` is in all of them, `version.txt` beside it in most.
    public static boolean isOne(TextTree folder) {
        return !folder.names("sos_commands").isEmpty();
    }

    public static TextTree of(TextTree folder) {
        return new Sosreport(folder);
    }

    @Override
    public synchronized Optional<String> text(String path) {
        Optional<String> copied = folder.text(path);
        if (copied.isPresent() && !copied.get().isBlank()) return copied;
        if (made.containsKey(path)) {
            String text = ready.computeIfAbsent(path, p -> made.get(p).get());
            return text.isBlank() ? Optional.empty() : Optional.of(text);
        }
        return path.startsWith("proc/") ? Optional.ofNullable(processes().get(path)) : Optional.empty();
    }

    @Override
    public synchronized List<String> names(String directory) {
        List<String> copied = folder.names(directory);
        if (!directory.equals("proc")) return copied;
        return Stream.concat(copied.stream(), processes().keySet().stream().map(path -> path.split("/")[1]))
                .sorted()
                .distinct()
                .toList();
    }

    private Map<String, String> processes() {
        if (processes.isEmpty()) {
            boolean hasCopies = folder.names("proc").stream()
                    .anyMatch(name -> name.matches("\\d+")
                            && folder.text("proc/" + name + "/stat").isPresent());
            String ps = output("sos_commands/process", "ps_aux");
            processes = Optional.of(hasCopies ? Map.of() : SosCommands.processes(ps));
        }
        return processes.get();
    }

    private String kernelLog() {
        String dmesg = output("sos_commands/kernel", "dmesg");
        return dmesg.isBlank() ? firstOf(List.of("var/log/dmesg")) : dmesg;
    }

    /// The shortest name counts: `df_-al_-x_autofs` before `df_-al_-x_autofs_--human`, `dmesg` before `dmesg_-T`.
    private String output(String plugin, String command) {
        return folder.names(plugin).stream()
                .filter(name -> name.equals(command) || name.startsWith(command + "_") || isPs(command, name))
                .min((a, b) -> a.length() != b.length() ? Integer.compare(a.length(), b.length()) : a.compareTo(b))
                .flatMap(name -> folder.text(plugin + "/" + name))
                .orElse("");
    }

    /// `ps_auxwwwm`, `ps_auxfwww`, `ps_auxwww`.
    private static boolean isPs(String command, String name) {
        return command.equals("ps_aux") && name.matches("ps_aux[a-z]*");
    }

    private String firstOf(List<String> paths) {
        for (String path : paths) {
            String text = folder.text(path).orElse("");
            if (!text.isBlank()) return text;
        }
        return "";
    }
}
