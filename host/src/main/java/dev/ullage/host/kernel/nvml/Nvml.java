// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.ullage.host.gpu.NvmlText;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// NVIDIA's GPUs, asked through the driver's own library: the live answer to [dev.ullage.host.Call#NVML].
///
/// **It costs nothing where there is no GPU.** Without a sign of an NVIDIA driver the library is not even looked for.
///
/// **It may hang.** A driver that is stuck keeps whoever asks it, for ever and unkillably. So the library is loaded and
/// called on one daemon thread, and whoever waits for it has a deadline. What was told before it stuck is the answer;
/// the
/// rest is `timed-out`. It is not tried again: each further try would cost one more stuck thread and one more deadline.
///
/// **It stays open** from the first question to the end of the process. Opening takes 10 ms where the driver is awake,
/// but
/// one to two seconds a GPU where no other program keeps it awake and persistence mode is off; closing would put it to
/// sleep again between the two looks of one window. The kernel closes it when the process ends; `nvmlShutdown` is one
/// more
/// call that may hang, and does nothing that ending does not.
public final class Nvml {
    private static final String SOURCE = "libnvidia-ml.so.1";

    /// The path of a library to load instead of the host's, for tests: a system property, because whoever may set one
    /// can
    /// run any code in this process anyway, which is not so of an environment variable.
    public static final String LIBRARY_PROPERTY = "ullage.nvml.library";

    /// A sleeping GPU takes one to two seconds to wake up, and a host has up to eight of them; those that serve are
    /// awake.
    private static final Duration OPENING = Duration.ofSeconds(10);

    /// Eight awake GPUs answer in half a second, 40 ms of each being the measurement of the PCIe link.
    private static final Duration ASKING = Duration.ofSeconds(5);

    private final Optional<Path> instead;
    private final Duration opening;
    private final Duration asking;
    private final NvmlTranscript loading = new NvmlTranscript();

    private ExecutorService thread;
    private CompletableFuture<Reading<NvmlLibrary>> library;
    /// What is answered from now on, once it has hung.
    private Reading<String> hung;

    private Nvml(Optional<Path> instead, Duration opening, Duration asking) {
        this.instead = instead;
        this.opening = opening;
        this.asking = asking;
    }

    public static Nvml ofThisHost() {
        return new Nvml(
                Optional.ofNullable(System.getProperty(LIBRARY_PROPERTY)).map(Path::of), OPENING, ASKING);
    }

    /// Does what asking a GPU does, without one, so that the classes for it are in the start-up cache: it is made where
    /// Ullage is built, and that may have no GPU.
    public static void rehearse() {
        Nvml nvml = new Nvml(Optional.of(Path.of("/")), OPENING, ASKING);
        nvml.thread = Executors.newSingleThreadExecutor(Nvml::daemon);
        nvml.library = CompletableFuture.supplyAsync(() -> Reading.of(NvmlLibrary.ofZeros()), nvml.thread);
        nvml.ask();
        try (Arena arena = Arena.ofConfined()) {
            NvmlTranscript transcript = new NvmlTranscript();
            NvmlLibrary library = NvmlLibrary.ofZeros();
            library.tell(transcript);
            new NvmlGpu(new NvmlHandle(library, arena, 0), transcript).tell();
            NvmlText.parse(transcript.whole());
        }
        nvml.thread.shutdown();
    }

    /// Whether there is any sign of an NVIDIA driver here.
    public static boolean hasDevice() {
        return NvmlFiles.hasDevice();
    }

    static Nvml of(Path library, Duration opening, Duration asking) {
        return new Nvml(Optional.of(library), opening, asking);
    }

    /// Loads and initialises the library, and waits for it. To be called before a window's first instant: an instant
    /// has
    /// one time, and seconds in the middle of it would make every rate wrong.
    public synchronized void open() {
        if (hung != null || instead.isEmpty() && !NvmlFiles.hasDevice()) return;
        // A driver that was not ready at the last window may be now.
        boolean hasFailed = library != null && !library.join().isPresent();
        if (library == null || hasFailed) {
            if (thread == null) thread = Executors.newSingleThreadExecutor(Nvml::daemon);
            library = CompletableFuture.supplyAsync(this::load, thread);
        }
        if (within(library, opening).isEmpty())
            hung = Reading.absent(SOURCE, AbsentCause.TIMED_OUT, tooLong(loading.asking(), opening));
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "nvml");
        thread.setDaemon(true);
        return thread;
    }

    /// What the library says of all its GPUs, as [dev.ullage.host.gpu.NvmlText] has it.
    public synchronized Reading<String> ask() {
        return ask(true);
    }

    /// Memory and who has it, and nothing that takes time to measure.
    public synchronized Reading<String> askMemory() {
        return ask(false);
    }

    private Reading<String> ask(boolean everything) {
        if (hung != null) return hung;
        if (instead.isEmpty() && !NvmlFiles.hasDevice())
            return Reading.absent(SOURCE, AbsentCause.NOT_PRESENT, "this host has no NVIDIA device");
        if (library == null) open();
        if (hung != null) return hung;
        if (!(library.join() instanceof Reading.Present<NvmlLibrary>(NvmlLibrary loaded)))
            return library.join().map(_ -> "");
        NvmlTranscript transcript = new NvmlTranscript();
        Optional<Reading<String>> told =
                within(CompletableFuture.supplyAsync(() -> converse(loaded, transcript, everything), thread), asking);
        if (told.isPresent()) return told.get();
        String why = tooLong(transcript.asking(), asking);
        String partly = transcript.cutShort(why);
        hung = transcript.hasGpus() ? Reading.of(partly) : Reading.absent(SOURCE, AbsentCause.TIMED_OUT, why);
        return hung;
    }

    private static String tooLong(String call, Duration limit) {
        return call + " did not return within " + limit.toMillis() / 1000.0 + " s: the driver is stuck";
    }

    private static <T> Optional<T> within(CompletableFuture<T> future, Duration limit) {
        try {
            return Optional.of(future.get(limit.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) throw error;
            throw new IllegalStateException("asking " + SOURCE, e.getCause());
        }
    }

    private Reading<NvmlLibrary> load() {
        List<Path> files = instead.map(List::of).orElseGet(NvmlFiles::found);
        String why = "not in " + NvmlFiles.folders();
        AbsentCause cause = AbsentCause.NOT_PRESENT;
        for (Path file : files) {
            Optional<String> refusal = instead.isPresent() ? Optional.empty() : NvmlFiles.refusal(file);
            if (refusal.isPresent()) {
                why = refusal.get();
                cause = AbsentCause.NO_PERMISSION;
                continue;
            }
            loading.asking("loading " + file);
            try {
                return initialised(NvmlLibrary.load(file));
            } catch (IllegalArgumentException e) {
                why = "the linker refused " + file + ": another processor's, broken, or a library it needs is missing";
                cause = AbsentCause.NOT_PRESENT;
            }
        }
        return Reading.absent(SOURCE, cause, why);
    }

    private Reading<NvmlLibrary> initialised(NvmlLibrary loaded) {
        loaded.tell(loading);
        int returned = loaded.call(NvmlFunction.INIT);
        return returned == NvmlReturn.SUCCESS ? Reading.of(loaded) : refused(loaded, NvmlFunction.INIT, returned);
    }

    private static <T> Reading<T> refused(NvmlLibrary library, NvmlFunction function, int returned) {
        return Reading.absent(
                SOURCE, NvmlReturn.cause(returned), library.name(function) + " said " + NvmlReturn.shown(returned));
    }

    private static Reading<String> converse(NvmlLibrary library, NvmlTranscript transcript, boolean everything) {
        library.tell(transcript);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(128, 8);
            if (library.call(NvmlFunction.DRIVER_VERSION, out.address(), 96) == NvmlReturn.SUCCESS)
                transcript.line("driver " + NvmlHandle.text(out, 96));
            if (library.call(NvmlFunction.CUDA_VERSION, out.address()) == NvmlReturn.SUCCESS) {
                int version = out.get(JAVA_INT, 0);
                transcript.line("cuda " + version / 1000 + "." + version % 1000 / 10);
            }
            int returned = library.call(NvmlFunction.COUNT, out.address());
            if (returned != NvmlReturn.SUCCESS) return refused(library, NvmlFunction.COUNT, returned);
            int count = out.get(JAVA_INT, 0);
            transcript.expect(count);
            for (int i = 0; i < count; i++) {
                returned = library.call(NvmlFunction.HANDLE, i, out.address());
                if (returned == NvmlReturn.SUCCESS) {
                    NvmlGpu gpu = new NvmlGpu(new NvmlHandle(library, arena, out.get(JAVA_LONG, 0)), transcript);
                    if (everything) gpu.tell();
                    else gpu.tellMemoryAlone();
                    continue;
                }
                transcript.gpu("");
                transcript.absent(
                        "everything",
                        NvmlReturn.cause(returned),
                        library.name(NvmlFunction.HANDLE) + " said " + NvmlReturn.shown(returned));
                transcript.gpuDone();
            }
            return Reading.of(transcript.whole());
        }
    }
}
