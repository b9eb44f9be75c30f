// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/// A host written down as text: a capture, a recording, an example on a rule's page.
///
/// ```
/// proc/sys/vm/swappiness          true at every instant
/// at-0.000/proc/vmstat            from the first instant on
/// at-3.000/proc/vmstat            from the second on
/// at-3.000/recorded/absent        /proc/812<TAB>vanished<TAB>it ended
/// ```
///
/// A file that a later instant lacks is unchanged. A thing that could not be read is a line of `recorded/absent`: its
/// path, the cause, a detail; the line holds for everything below that path too. Links are lines of `recorded/links`
/// (path, tab, target) or files whose text is the target, so a recorded root never contains a link that could lead out
/// of it. A folder's names are those of the files in it, unless a line of `recorded/names` lists them:
///
/// ```
/// /proc/812/fd<TAB>0/1/2          a name cannot hold a slash
/// /sys/block/vda/slaves<TAB>      an empty folder
/// ```
public final class RecordedHost {
    private static final String ABSENT = "recorded/absent";
    private static final String NAMES = "recorded/names";
    private static final String LINKS = "recorded/links";

    /// `at-3.000`: seconds since the first instant.
    public static final Pattern INSTANT = Pattern.compile("at-\\d{1,9}(\\.\\d{1,9})?");

    private final TextTree tree;
    /// The files of lines, taken apart once: an absence is looked up for every path that is asked for.
    private final Map<String, Map<String, String>> lines = new ConcurrentHashMap<>();

    private final Map<String, Set<String>> processes = new ConcurrentHashMap<>();

    private final List<Instant> instants = new ArrayList<>();

    /// @param folder `at-3.000/`, or empty for a root without instants
    private record Instant(String folder, double seconds) {}

    public RecordedHost(TextTree tree) {
        this.tree = tree;
        for (String name : tree.names("")) {
            // Else no instant: a file of the host that happens to be called at-….
            if (INSTANT.matcher(name).matches()) instants.add(new Instant(name + "/", secondsOf(name + "/")));
        }
        instants.sort((a, b) -> Double.compare(a.seconds, b.seconds));
        if (instants.isEmpty()) instants.add(new Instant("", 0));
    }

    /// `at-3.000/` → 3.
    private static double secondsOf(String folder) {
        return Double.parseDouble(folder.substring(3, folder.length() - 1));
    }

    public int instants() {
        return instants.size();
    }

    /// The host as it was at the `index`-th instant, counted from 0.
    public HostRoot at(int index) {
        List<String> layers = new ArrayList<>();
        for (int i = index; i >= 0; i--) layers.add(instants.get(i).folder);
        if (!layers.getLast().isEmpty()) layers.add("");
        return new Layered(layers, instants.get(index).seconds);
    }

    /// What a layer has of processes: most layers lack most of them, and a look into this set is all it costs to know.
    private Set<String> processes(String layer) {
        return processes.computeIfAbsent(layer, l -> Set.copyOf(tree.names(l + "proc")));
    }

    private Optional<String> text(String layer, String relative) {
        boolean isOfProcess = relative.startsWith("proc/") && relative.length() > 5 && isDigit(relative.charAt(5));
        int end = isOfProcess ? relative.indexOf('/', 5) : -1;
        return end < 0 || processes(layer).contains(relative.substring(5, end))
                ? tree.text(layer + relative)
                : Optional.empty();
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private Map<String, String> lines(String file) {
        return lines.computeIfAbsent(file, f -> RecordedLines.parse(tree.text(f).orElse("")));
    }

    /// The host at one instant.
    private final class Layered implements HostRoot {
        /// The newest first; the last one is what holds at every instant.
        private final List<String> layers;

        private final double seconds;

        Layered(List<String> layers, double seconds) {
            this.layers = layers;
            this.seconds = seconds;
        }

        @Override
        public Reading<String> text(String path) {
            String relative = relative(path);
            for (String layer : layers) {
                Optional<String> text = RecordedHost.this.text(layer, relative);
                if (text.isPresent()) return Reading.of(text.get());
                Optional<Absent<String>> absent = absentIn(layer, path);
                if (absent.isPresent()) return absent.get();
            }
            return Reading.absent(path, AbsentCause.NOT_RECORDED, "this recorded host does not hold it");
        }

        @Override
        public Reading<List<String>> names(String directory) {
            TreeSet<String> names = new TreeSet<>();
            Reading<List<String>> gone =
                    Reading.absent(directory, AbsentCause.NOT_RECORDED, "this recorded host does not hold it");
            boolean listed = false;
            // From the oldest on, so that what a later instant says is gone is gone until it is there again.
            for (String layer : layers.reversed()) {
                String list = lines(layer + NAMES).get(directory);
                List<String> here = tree.names(layer + relative(directory));
                Optional<Absent<String>> absent = absentIn(layer, directory);
                if (list != null) {
                    // All of them: files below it are not asked.
                    names.clear();
                    for (String name : list.split("/")) if (!name.isEmpty()) names.add(KernelEscapes.undo(name));
                    listed = true;
                    continue;
                }
                if (here.isEmpty() && absent.isPresent()) {
                    names.clear();
                    listed = false;
                    gone = absent.get().as();
                }
                if (listed) continue;
                if (!lines(layer + ABSENT).isEmpty())
                    names.removeIf(
                            name -> absentIn(layer, directory + "/" + name).isPresent());
                names.addAll(here);
            }
            return names.isEmpty() && !listed ? gone : Reading.of(List.copyOf(names));
        }

        @Override
        public Reading<String> link(String path) {
            String relative = relative(path);
            for (String layer : layers) {
                String target = lines(layer + LINKS).get(path);
                if (target != null) return Reading.of(KernelEscapes.undo(target));
                Optional<String> text = RecordedHost.this.text(layer, relative);
                if (text.isPresent()) return Reading.of(text.get().strip());
                Optional<Absent<String>> absent = absentIn(layer, path);
                if (absent.isPresent()) return absent.get();
            }
            return Reading.absent(path, AbsentCause.NOT_RECORDED, "this recorded host does not hold it");
        }

        @Override
        public Reading<String> ask(Call call, String about) {
            String file = "/recorded/" + call.word();
            return switch (call.shape()) {
                case WHOLE -> {
                    if (call == Call.CLOCK) yield Reading.of(clock());
                    yield text(file) instanceof Absent<String> absent
                            ? new Absent<>(call.source(), absent.cause(), absent.detail())
                            : text(file);
                }
                case FILES -> {
                    yield text(file + "/" + about) instanceof Absent<String> absent
                            ? new Absent<>(call.source() + ":" + about, absent.cause(), absent.detail())
                            : text(file + "/" + about);
                }
                case LINES -> line(call, file, about);
            };
        }

        private Reading<String> line(Call call, String file, String about) {
            for (String layer : layers) {
                String answer = lines(layer + relative(file)).get(about);
                if (answer != null) return Reading.of(answer);
                String key = file + ":" + about;
                Optional<Absent<String>> absent = absentIn(layer, key);
                if (absent.isPresent())
                    return absent.get().source().equals(key)
                            ? Reading.absent(
                                    call.source() + " " + about,
                                    absent.get().cause(),
                                    absent.get().detail())
                            : absent.get();
            }
            return Reading.absent(
                    call.source() + " " + about, AbsentCause.NOT_RECORDED, "this recorded host does not hold it");
        }

        /// The clock of this very instant; one of an earlier instant has gone on since by the seconds between the two.
        private String clock() {
            for (String layer : layers) {
                Optional<String> text = tree.text(layer + "recorded/clock");
                if (text.isEmpty()) continue;
                if (layer.equals(layers.getFirst())) return text.get();
                Clock then = Clock.parse(text.get());
                double since = seconds - (layer.isEmpty() ? 0 : secondsOf(layer));
                String wall = then.wall()
                        .map(w -> w.plusMillis(Math.round(since * 1000)).toString())
                        .orElse("-");
                return wall + " " + (then.monotonic().seconds() + since);
            }
            return "- " + seconds;
        }

        private Optional<Absent<String>> absentIn(String layer, String path) {
            Map<String, String> absences = lines(layer + ABSENT);
            if (absences.isEmpty()) return Optional.empty();
            for (String p = path; !p.isEmpty(); p = p.substring(0, Math.max(p.lastIndexOf('/'), 0))) {
                String why = absences.get(p);
                if (why == null) continue;
                String[] parts = why.split("\t", 3);
                // A fourth column says where it was looked for when that is not the path itself.
                String source = parts.length > 2 && p.equals(path) ? KernelEscapes.undo(parts[2]) : path;
                return Optional.of(
                        new Absent<>(source, AbsentCause.of(parts[0]), parts.length > 1 ? parts[1] : "recorded so"));
            }
            return Optional.empty();
        }

        private static String relative(String path) {
            int start = 0;
            while (start < path.length() && path.charAt(start) == '/') start++;
            return path.substring(start);
        }
    }
}
