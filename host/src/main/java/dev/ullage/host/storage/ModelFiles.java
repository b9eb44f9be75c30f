// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
import dev.ullage.host.Fact;
import dev.ullage.host.HostRoot;
import dev.ullage.host.KernelEscapes;
import dev.ullage.host.KeyValues;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The model files of one process: those it maps, those it holds open, those its command line names.
///
/// ```
/// /proc/812/maps      7f0000000000-7f0020000000 r--p 00000000 fe:00 1234    /models/a.gguf
/// /proc/812/fd/5      /models/b.safetensors
/// /proc/812/cmdline   llama-server -m /models/a.gguf
/// ```
///
/// @param uses one for each file, the strongest use of it
/// @param unreadable paths that look like models but could not be looked at (hung mount, no permission)
/// @param mappings how many mappings it has in all; the limit is vm.max_map_count
public record ModelFiles(List<Use> uses, List<Absent<ModelFile>> unreadable, int mappings) {
    /// A file, and how a process uses it.
    ///
    /// @param mapped address space that maps it; less than the file when only a part is mapped
    /// @param mappedTo the highest file offset that is mapped
    public record Use(ModelFile file, How how, Bytes mapped, Bytes mappedTo) {}

    /// How a process uses a file, the strongest first.
    public enum How {
        MAPPED,
        OPEN,
        NAMED
    }

    /// Why the first bytes of a file were not read: its name has to do.
    public static final String NOT_OPENED_ON_FUSE =
            "it lies on FUSE, where opening a file may drop its pages from memory";

    /// Smaller files are configuration, tokenizers, adapters: nothing that fills memory.
    static final Bytes SMALLEST = Bytes.ofMiB(1);

    /// Open descriptors that are looked at; a proxy may hold a million.
    private static final int MOST_DESCRIPTORS = 1024;

    public static final Fact<ProcessId, ModelFiles> FACT = new Fact<>(
            "model files in use", "/proc/<pid>/maps, fd, cmdline", Cadence.ENDS, "run as root", ModelFiles::read);

    private static Reading<ModelFiles> read(HostRoot root, ProcessId id) {
        Reading<String> maps = root.text(id.file("maps"));
        Reading<List<String>> descriptors = root.names(id.file("fd"));
        if (maps instanceof Absent<String> absent && !descriptors.isPresent()) return absent.as();
        Search search = new Search(root, id);
        search.mapped(maps.orElse(""));
        search.open(descriptors.orElse(List.of()));
        search.named(root.text(id.file("cmdline")).map(CommandLine::parse).orElse(new CommandLine(List.of())));
        return Reading.of(new ModelFiles(List.copyOf(search.found.values()), List.copyOf(search.unreadable), (int)
                maps.orElse("").lines().count()));
    }

    /// One walk over one process.
    private static final class Search {
        private final HostRoot root;
        private final ProcessId id;
        private final Map<ModelFile, Use> found = new LinkedHashMap<>();
        private final List<Absent<ModelFile>> unreadable = new ArrayList<>();

        Search(HostRoot root, ProcessId id) {
            this.root = root;
            this.id = id;
        }

        /// All mappings of one path count as one use.
        void mapped(String maps) {
            Map<String, Region> regions = new LinkedHashMap<>();
            maps.lines().forEach(line -> Region.parse(line).ifPresent(r -> regions.merge(r.path, r, Region::with)));
            for (Region region : regions.values()) {
                if (SMALLEST.isMoreThan(region.length)) continue;
                String byMapping = id.file("map_files/" + region.range);
                look(region.path, byMapping).ifPresent(f -> add(new Use(f, How.MAPPED, region.length, region.end)));
            }
        }

        void open(List<String> descriptors) {
            for (String fd : descriptors.subList(0, Math.min(descriptors.size(), MOST_DESCRIPTORS))) {
                String link = id.file("fd/" + fd);
                String path = root.link(link).orElse("");
                if (!isCandidate(path)) continue;
                look(path, link).ifPresent(f -> add(new Use(f, How.OPEN, Bytes.NONE, Bytes.NONE)));
            }
        }

        /// Arguments that are a model file, or a folder with model files in it.
        void named(CommandLine command) {
            for (String argument : command.arguments()) {
                // "--model=/m/a.gguf", but also "/ckpt/epoch=3-step=1000.ckpt".
                String value = argument.startsWith("-") ? argument.substring(argument.indexOf('=') + 1) : argument;
                if (value.isEmpty() || value.startsWith("-")) continue;
                if (ModelFormat.hasModelName(value)) {
                    name(absolute(value));
                } else if (value.startsWith("/") || value.startsWith("./")) {
                    String folder = absolute(value);
                    if (folder.isEmpty()) continue;
                    for (String entry : root.names(id.file("root") + folder).orElse(List.of()))
                        if (ModelFormat.hasModelName(entry)) name(folder + "/" + entry);
                }
            }
        }

        private static String normal(String path) {
            List<String> parts = new ArrayList<>();
            for (String part : path.split("/")) {
                if (part.isEmpty() || part.equals(".")) continue;
                if (!part.equals("..")) parts.add(part);
                else if (!parts.isEmpty()) parts.removeLast();
            }
            return "/" + String.join("/", parts);
        }

        private void name(String path) {
            if (path.isEmpty()) return;
            look(path, id.file("root") + path).ifPresent(f -> add(new Use(f, How.NAMED, Bytes.NONE, Bytes.NONE)));
        }

        private String absolute(String path) {
            if (path.startsWith("/")) return normal(path);
            // Without its folder a relative name would be looked up in ours.
            String cwd = root.link(id.file("cwd")).orElse("");
            return cwd.startsWith("/") ? normal(cwd + "/" + path) : "";
        }

        private void add(Use use) {
            found.merge(use.file, use, (a, b) -> a.how.compareTo(b.how) <= 0 ? a : b);
        }

        private Optional<ModelFile> look(String shown, String via) {
            boolean deleted = shown.endsWith(" (deleted)");
            String path = deleted ? shown.substring(0, shown.length() - 10) : shown;
            // The path first: it works without rights over the process, and a hung mount shows here and not in an open.
            Reading<String> direct = deleted ? Reading.absent(path, AbsentCause.NOT_PRESENT, "deleted") : stat(path);
            if (direct instanceof Absent<String> absent && absent.cause() == AbsentCause.TIMED_OUT) {
                unreadable.add(new Absent<>(path, absent.cause(), absent.detail()));
                return Optional.empty();
            }
            Reading<String> own = stat(via);
            // In another mount namespace the same path may be another file: then only the process's own view counts.
            boolean same = direct.isPresent() && (!own.isPresent() || sameFile(own, direct));
            String chosen = same ? path : via;
            return switch (same ? direct : own) {
                case Present<String>(String answer) ->
                    identify(path, chosen, KeyValues.parsePairs(answer), answer, deleted);
                case Absent<String> absent -> {
                    boolean worthSaying = absent.cause() == AbsentCause.NO_PERMISSION && ModelFormat.hasModelName(path);
                    if (worthSaying) unreadable.add(new Absent<>(path, absent.cause(), absent.detail()));
                    yield Optional.empty();
                }
            };
        }

        private Reading<String> stat(String path) {
            return root.ask(Call.STAT, path);
        }

        private static boolean sameFile(Reading<String> a, Reading<String> b) {
            return identity(a.orElse("")).equals(identity(b.orElse("")));
        }

        /// `dev=254:0 ino=1234`, the first two words of the answer.
        private static String identity(String stat) {
            int size = stat.indexOf(" size=");
            return size < 0 ? stat : stat.substring(0, size);
        }

        private Optional<ModelFile> identify(String path, String via, KeyValues stat, String answer, boolean deleted) {
            Bytes size = new Bytes(stat.orZero("size"));
            if (!answer.contains("kind=file") || SMALLEST.isMoreThan(size)) return Optional.empty();
            return switch (root.ask(Call.FILE_HEAD, via)) {
                case Present<String>(String hex) -> {
                    yield ModelFormat.headOf(hex)
                            .flatMap(head -> ModelFormat.ofHead(head, path))
                            .map(format -> new ModelFile(
                                    path, via, deviceOf(answer), stat.orZero("ino"), size, format, deleted));
                }
                case Absent<String> absent -> {
                    Optional<ModelFormat> byName = ModelFormat.ofName(path);
                    if (absent.detail().equals(NOT_OPENED_ON_FUSE) && byName.isPresent())
                        yield byName.map(format ->
                                new ModelFile(path, via, deviceOf(answer), stat.orZero("ino"), size, format, deleted));
                    if (ModelFormat.hasModelName(path))
                        unreadable.add(new Absent<>(path, absent.cause(), absent.detail()));
                    yield Optional.empty();
                }
            };
        }

        private static String deviceOf(String stat) {
            int start = stat.indexOf("dev=") + 4;
            return stat.substring(start, stat.indexOf(' ', start));
        }
    }

    /// Libraries, logs and devices are held open by the hundred and are never models.
    private static boolean isCandidate(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        // Models are put into /dev/shm on purpose: they are RAM twice then, which is worth knowing.
        boolean inSharedMemory =
                path.startsWith("/dev/shm/") && ModelFormat.hasModelName(name.replace(" (deleted)", ""));
        return path.startsWith("/")
                && (inSharedMemory || !path.startsWith("/dev/"))
                && !path.startsWith("/proc/")
                && !path.startsWith("/sys/")
                && !name.endsWith(".so")
                && !name.contains(".so.")
                && !path.endsWith(".log");
    }

    /// One line of `/proc/<pid>/maps` that maps a file which may be a model.
    private record Region(String range, String path, Bytes length, Bytes end) {
        static Optional<Region> parse(String line) {
            int slash = line.indexOf('/');
            if (slash < 0) return Optional.empty();
            String path = KernelEscapes.undo(line.substring(slash));
            if (!isCandidate(path) || path.endsWith(".jar")) return Optional.empty();
            int dash = line.indexOf('-');
            int space = line.indexOf(' ');
            if (dash < 0 || space < dash) return Optional.empty();
            try {
                long from = Long.parseUnsignedLong(line.substring(0, dash), 16);
                long to = Long.parseUnsignedLong(line.substring(dash + 1, space), 16);
                long offset = Long.parseUnsignedLong(line.substring(space + 1).split(" ")[1], 16);
                return Optional.of(new Region(
                        line.substring(0, space), path, new Bytes(to - from), new Bytes(offset + to - from)));
            } catch (RuntimeException e) {
                return Optional.empty();
            }
        }

        Region with(Region other) {
            return new Region(range, path, length.plus(other.length), end.isMoreThan(other.end) ? end : other.end);
        }
    }
}
