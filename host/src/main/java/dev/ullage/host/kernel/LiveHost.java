// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import dev.ullage.host.Call;
import dev.ullage.host.FolderTree;
import dev.ullage.host.HostRoot;
import dev.ullage.host.kernel.nvml.Nvml;
import dev.ullage.host.server.EnvironmentNames;
import dev.ullage.host.server.MappedLibraries.Library;
import dev.ullage.host.storage.ModelFiles;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The running machine.
public final class LiveHost implements HostRoot {
    /// The end of the kernel log that is kept, 128 KiB: some 1,200 lines, a dozen OOM reports. The whole ring buffer of
    /// a host that
    /// kills all day takes most of a second to take apart, and what is old is no news.
    private static final int LONGEST_LOG = 1 << 17;

    /// PyTorch with everything makes some 2,000; vm.max_map_count is 65,530.
    private static final int MOST_MAPPINGS = 65_536;

    /// An environment may be 2 MiB, most of which nobody set for a server.
    private static final int LONGEST_ENVIRONMENT = 1 << 18;

    /// How far back ends of services are looked for; whoever wants more asks the journal.
    private static final Duration ENDS = Duration.ofHours(24);

    /// FUSE_SUPER_MAGIC of include/uapi/linux/magic.h, as statfs is written down.
    private static final String FUSE = "type=0x65735546 ";

    private final ThreadStatePoller poller;
    private final Nvml nvml = Nvml.ofThisHost();
    private final ContainerRuntimes containers = new ContainerRuntimes(this);
    private final SocketTables sockets = new SocketTables("/proc");
    private final LoopbackHttp http;

    public LiveHost() {
        this(HttpAccess.WITHOUT_KEY);
    }

    /// @param access whether and how servers may be asked
    public LiveHost(HttpAccess access) {
        http = new LoopbackHttp(access);
        poller = new ThreadStatePoller(this);
    }

    @Override
    public Reading<String> text(String path) {
        try (FileInputStream in = new FileInputStream(path)) {
            return Reading.of(new String(in.readNBytes(FolderTree.LONGEST), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return absent(path, e);
        }
    }

    @Override
    public Reading<List<String>> names(String directory) {
        // java.io takes the empty path for the current folder.
        if (!directory.startsWith("/"))
            return Reading.absent(directory, AbsentCause.NOT_PRESENT, "it is no whole path");
        File folder = new File(directory);
        String[] names = folder.list();
        if (names == null) {
            AbsentCause cause = folder.isDirectory() ? AbsentCause.NO_PERMISSION : missing(directory);
            return Reading.absent(directory, cause, "listing it failed");
        }
        Arrays.sort(names);
        return Reading.of(List.of(names));
    }

    @Override
    public Reading<String> link(String path) {
        try {
            return Reading.of(Files.readSymbolicLink(Path.of(path)).toString());
        } catch (IOException | InvalidPathException e) {
            return absent(path, e);
        }
    }

    @Override
    public Reading<String> ask(Call call, String about) {
        return switch (call) {
            case CLOCK -> clock();
            case KERNEL_LOG -> KernelCalls.kernelLog(LONGEST_LOG);
            case STATFS -> KernelCalls.statfs(about);
            case STAT -> stat(about);
            case FILE_HEAD -> unlessFuse(about, KernelCalls::head);
            case PAGE_CACHE -> unlessFuse(about, LiveHost::pageCache);
            case EXTENT -> unlessFuse(about, LiveHost::extent);
            case NUMA_POLICY -> numaPolicy("/proc/" + about + "/numa_maps");
            case CONTAINER -> containers.tell(about);
            case SERVICE_ENDS -> serviceEnds();
            case THREAD_STATES -> poller.tell(about);
            case NVML -> nvml.ask();
            case NVML_MEMORY -> nvml.askMemory();
            case NVIDIA_SMI -> NvidiaSmi.tell();
            case LIBRARIES -> libraries("/proc/" + about + "/maps");
            case ENVIRONMENT -> environmentNames("/proc/" + about + "/environ");
            case LISTENING -> sockets.tell(about);
            case HTTP -> http.get(about);
        };
    }

    /// An instant begins when its clock is asked for.
    private Reading<String> clock() {
        http.startInstant();
        sockets.startInstant();
        return Reading.of(Instant.now() + " " + System.nanoTime() / 1e9);
    }

    @Override
    public void watch(List<Integer> pids) {
        poller.watch(pids);
    }

    /// Looking must not harm: when a file on FUSE is opened, its pages in memory are dropped unless its file server
    /// says
    /// FOPEN_KEEP_CACHE (fs/fuse/file.c, fuse_finish_open). Of a warm server 200 MiB were gone after one look
    /// (measured).
    private static Reading<String> unlessFuse(String path, Function<String, Reading<String>> look) {
        String type = KernelCalls.statfs(path).orElse("");
        return type.startsWith(FUSE)
                ? Reading.absent(path, AbsentCause.NOT_CONFIGURED, ModelFiles.NOT_OPENED_ON_FUSE)
                : look.apply(path);
    }

    private static Reading<String> libraries(String path) {
        EnumSet<Library> found = EnumSet.noneOf(Library.class);
        try (BufferedReader lines = new BufferedReader(new FileReader(path, StandardCharsets.ISO_8859_1))) {
            int left = MOST_MAPPINGS;
            for (String line = lines.readLine(); line != null && left-- > 0; line = lines.readLine())
                if (line.contains(".so"))
                    for (Library library : Library.values()) if (library.isIn(line)) found.add(library);
        } catch (IOException e) {
            return absent(path, e);
        }
        return Reading.of(found.stream().map(Library::name).collect(Collectors.joining(" ")));
    }

    /// Each variable is `NAME=value` and a NUL. The values are read over: they never become a text.
    private static Reading<String> environmentNames(String path) {
        try (FileInputStream in = new FileInputStream(path)) {
            byte[] all = in.readNBytes(LONGEST_ENVIRONMENT);
            StringBuilder names = new StringBuilder();
            int start = 0;
            for (int i = 0; i < all.length; i++) {
                if (all[i] == '=' && start >= 0) {
                    String name = new String(all, start, Math.min(i - start, 100), StandardCharsets.ISO_8859_1);
                    if (EnvironmentNames.BEGINNINGS.stream().anyMatch(name::startsWith))
                        names.append(names.isEmpty() ? "" : " ").append(name);
                    start = -1;
                } else if (all[i] == 0) start = i + 1;
            }
            return Reading.of(names.toString());
        } catch (IOException e) {
            return absent(path, e);
        }
    }

    /// The second word of the first line: `00400000 bind:1 file=/usr/bin/python3.11 mapped=1 N1=1`.
    private static Reading<String> numaPolicy(String path) {
        try (FileInputStream in = new FileInputStream(path)) {
            String[] words = new String(in.readNBytes(128), StandardCharsets.UTF_8).split("\\s", 3);
            return words.length > 1
                    ? Reading.of(words[1])
                    : Reading.malformed(path, String.join(" ", words), "\"<address> <policy> …\"");
        } catch (IOException e) {
            return absent(path, e);
        }
    }

    /// What happens only on hosts with a GPU, for the start-up cache.
    public static void rehearse() {
        Nvml.rehearse();
    }

    /// What was watched before is another window's. What takes long to begin begins now, before the window's first
    /// instant.
    public void startWindow() {
        poller.forget();
        nvml.open();
    }

    private Reading<String> serviceEnds() {
        Instant since = Instant.now().minus(ENDS);
        List<String> lines = new ArrayList<>(containers.ends(since));
        // Without systemd as the first process the journal tells of another machine, or of another time.
        if (new File("/run/systemd/system").isDirectory())
            JournalEnds.read(since).ifPresent(lines::addAll);
        return Reading.of(String.join("\n", lines) + (lines.isEmpty() ? "" : "\n"));
    }

    private static Reading<String> stat(String path) {
        try {
            Map<String, Object> a = Files.readAttributes(Path.of(path), "unix:dev,ino,size,uid,isRegularFile");
            long dev = (Long) a.get("dev");
            // makedev of glibc: 12 bits of major at bit 8, 8 + 12 bits of minor around it.
            long major = dev >>> 8 & 0xfff;
            long minor = dev & 0xff | dev >>> 12 & 0xfff00;
            String kind = (Boolean) a.get("isRegularFile") ? "file" : "other";
            return Reading.of("dev=" + major + ":" + minor + " ino=" + a.get("ino") + " size=" + a.get("size") + " uid="
                    + a.get("uid") + " kind=" + kind);
        } catch (IOException | RuntimeException e) {
            return absent(path, e);
        }
    }

    private static Reading<String> pageCache(String path) {
        try {
            Map<String, Object> a = Files.readAttributes(Path.of(path), "unix:size,uid");
            return KernelCalls.pageCache(path, (Long) a.get("size"), mayTrustMincore(a));
        } catch (IOException | RuntimeException e) {
            return absent(path, e);
        }
    }

    private static Reading<String> extent(String path) {
        try {
            Map<String, Object> a = Files.readAttributes(Path.of(path), "unix:size,uid,isRegularFile");
            if (!(Boolean) a.get("isRegularFile"))
                return Reading.absent(path, AbsentCause.NOT_PRESENT, "it is no regular file");
            return KernelCalls.extent(path, (Long) a.get("size"), mayTrustMincore(a));
        } catch (IOException | RuntimeException e) {
            return absent(path, e);
        }
    }

    /// @param attributes of a file, its `uid` among them
    private static boolean mayTrustMincore(Map<String, Object> attributes) throws IOException {
        int me = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        return me == 0 || me == (Integer) attributes.get("uid");
    }

    /// What an exception of java.io means. The words are strerror's of the C locale, which the launcher sets.
    private static <T> Reading<T> absent(String path, Exception e) {
        String said = String.valueOf(e.getMessage());
        AbsentCause cause;
        if (e instanceof AccessDeniedException
                || said.contains("Permission denied")
                || said.contains("Operation not permitted")) cause = AbsentCause.NO_PERMISSION;
        else if (e instanceof NoSuchFileException || said.contains("No such file")) cause = missing(path);
        else if (said.contains("No such process")) cause = AbsentCause.VANISHED;
        else if (said.contains("not supported")) cause = AbsentCause.NOT_CONFIGURED;
        else cause = AbsentCause.NOT_PRESENT;
        String detail = said.startsWith(path) ? said.substring(path.length()).strip() : said;
        return Reading.absent(path, cause, "opening it said " + (detail.isBlank() ? "no such file" : detail));
    }

    /// A file of a process is gone with the process; a file of the kernel was never there.
    private static AbsentCause missing(String path) {
        if (path.startsWith("/proc/") && path.length() > 6 && Character.isDigit(path.charAt(6)))
            return AbsentCause.VANISHED;
        if (path.startsWith("/proc/") || path.startsWith("/sys/kernel/")) return AbsentCause.NOT_ON_THIS_KERNEL;
        return AbsentCause.NOT_PRESENT;
    }
}
