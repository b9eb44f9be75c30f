// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import dev.ullage.host.Call;
import dev.ullage.host.gpu.NvidiaSmiXml;
import dev.ullage.host.storage.ModelConfig;
import dev.ullage.host.storage.ModelFormat;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/// What of an answer is worth keeping, decided when it comes: a capture is taken in little memory, and what is not in
/// it need not be redacted.
///
/// Nothing is dropped that a fact could tell from its absence: the *number* of mappings and of open descriptors stays,
/// their names go.
final class Kept {
    /// In place of what was not kept.
    static final String NOTHING = "-";

    private static final String FD = "/proc/\\d+/(task/\\d+/)?fd/\\d+";
    private static final String MAPS = "/proc/\\d+/(task/\\d+/)?maps";

    private static final String STAT = "/proc/\\d+/(task/\\d+/)?stat";

    private static final String STATUS = "/proc/\\d+/(task/\\d+/)?status";

    /// Lines of `status` that no fact reads: counters that make every instant's copy differ, and masks of 600 bytes
    /// that
    /// the `_list` lines say in six.
    private static final Pattern UNREAD = Pattern.compile(
            "(?m)^(?:(?:non)?voluntary_ctxt_switches|Mems_allowed|Cpus_allowed|Sig[A-Z][a-z]{2}|ShdPnd|Cap[A-Z][a-z]{2}"
                    + "|Speculation\\w*):.*\\n");

    private static final String FDINFO = "/proc/\\d+/fdinfo/\\d+";

    /// What [dev.ullage.host.gpu.DrmClients] reads of a descriptor; a client's name is its user's.
    private static final Pattern NOT_OF_DRM = Pattern.compile("(?m)^(?!drm-)[^\\n]*\\n?|^drm-client-name:[^\\n]*\\n?");

    private Kept() {}

    static String text(String path, String text) {
        if (path.endsWith("/maps") && path.matches(MAPS)) return maps(text);
        if (path.endsWith("/status") && path.matches(STATUS))
            return UNREAD.matcher(text).replaceAll("");
        if (path.endsWith("/config.json")) return ModelConfig.kept(text);
        if (path.contains("/fdinfo/") && path.matches(FDINFO))
            return NOT_OF_DRM.matcher(text).replaceAll("");
        return path.endsWith("/stat") && path.matches(STAT) ? withoutAddresses(text) : text;
    }

    /// Fields 26 to 30 and 45 to 51 of `/proc/<pid>/stat` say where code, stack and heap lie: what root may read there
    /// is of use to who attacks the process, and to nobody else.
    private static String withoutAddresses(String stat) {
        int close = stat.lastIndexOf(')');
        if (close < 0) return stat;
        String[] fields = stat.substring(close + 1).strip().split(" ");
        for (int i = 0; i < fields.length; i++) {
            int number = i + 3;
            if (number >= 26 && number <= 30 || number >= 45 && number <= 51) fields[i] = "0";
        }
        return stat.substring(0, close + 1) + " " + String.join(" ", fields) + "\n";
    }

    /// Lines of mappings that may be a model's, or memory of a kind that matters, stay whole; of every other one a
    /// dash stays, so that their number is right.
    ///
    /// ```
    /// 7f0000000000-7f0038400000 r--s 00000000 fe:00 1234    /models/a.gguf
    /// -
    /// ```
    private static String maps(String text) {
        StringBuilder kept = new StringBuilder();
        text.lines().forEach(line -> kept.append(mattersInMaps(line) ? line : NOTHING)
                .append('\n'));
        return kept.toString();
    }

    static boolean mattersInMaps(String line) {
        if (line.endsWith("[heap]")) return true;
        String path = pathInMaps(line);
        return !path.isEmpty() && (isMemory(path) || mayBeModel(path));
    }

    /// Mappings that are memory although they have a path: System V and POSIX shared memory, memfd, huge pages.
    static boolean isMemory(String path) {
        return path.startsWith("/SYSV")
                || path.startsWith("/dev/shm/")
                || path.startsWith("/dev/zero")
                || path.startsWith("/memfd:")
                || path.startsWith("/anon_hugepage")
                || path.contains("hugepages");
    }

    /// The path a line of `maps` ends with, as the kernel writes it; empty when it maps no file.
    static String pathInMaps(String line) {
        int slash = line.indexOf('/');
        return slash < 0 ? "" : line.substring(slash);
    }

    /// Of folders that people fill, only the names that models have: what else lies there is nobody's business.
    static List<String> names(String directory, List<String> names) {
        boolean isOfTheKernel = directory.equals("/proc")
                || directory.equals("/sys")
                || directory.startsWith("/sys/")
                || directory.startsWith("/dev")
                || directory.startsWith("/proc/") && !directory.matches("/proc/\\d+/(root|cwd)(/.*)?");
        return isOfTheKernel
                ? names
                : names.stream().filter(ModelFormat::hasModelName).toList();
    }

    /// Of a descriptor that cannot be a model nothing: sockets, pipes, logs, libraries.
    static String link(String path, String target) {
        if (!path.matches(FD)) return target;
        return target.startsWith("/dev/") || target.startsWith("/") && mayBeModel(target) ? target : NOTHING;
    }

    /// @param about what the call was about
    static String answer(Call call, String about, String answer) {
        return call == Call.HTTP ? KeptAnswers.of(about, answer) : answer(call, answer);
    }

    /// Of the first bytes of a file that is no model nothing: they are somebody's data. Nor command lines that a driver
    /// quotes.
    static String answer(Call call, String answer) {
        if (call == Call.NVIDIA_SMI) return NvidiaSmiXml.kept(answer);
        return call == Call.FILE_HEAD && !isModelHead(answer) ? "" : answer;
    }

    static boolean isModelHead(String hex) {
        try {
            // Named as a checkpoint: how the file is really called is not known here.
            return ModelFormat.ofHead(HexFormat.of().parseHex(hex.strip()), "x.ckpt")
                    .isPresent();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// Every path that [dev.ullage.host.storage.ModelFiles] looks at, and more.
    private static boolean mayBeModel(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (ModelFormat.hasModelName(name.replace(" (deleted)", ""))) return true;
        return !path.startsWith("/dev/")
                && !path.startsWith("/proc/")
                && !path.startsWith("/sys/")
                && !name.endsWith(".so")
                && !name.contains(".so.")
                && !name.endsWith(".jar")
                && !name.endsWith(".log");
    }
}
