// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.ullage.host.Call;
import dev.ullage.host.Evidence;
import dev.ullage.host.Focus;
import dev.ullage.host.MemoryTree;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.Sampler;
import dev.ullage.host.capture.RecordingHost;
import dev.ullage.host.capture.Redaction;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.gpu.Gpus;
import dev.ullage.host.kernel.LiveHost;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/// The whole of the way: a live host, a window, a capture of it, its replay.
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class LiveNvmlTest {
    @TempDir
    Path folder;

    @AfterEach
    void no_fake_any_more() {
        System.clearProperty(Nvml.LIBRARY_PROPERTY);
    }

    @Test
    void a_window_of_a_live_host_sees_memory_grow_and_its_capture_shows_the_same() throws IOException {
        System.setProperty(Nvml.LIBRARY_PROPERTY, FakeNvml.library(folder, """
                                driver 570.86.15
                                gpu NVIDIA H100 80GB HBM3
                                uuid GPU-0b1e2c3d-1111-4222-8333-444455556666
                                @1 memory 85520809984 642777088 84000000000 878032896
                                @2 memory 85520809984 642777088 74000000000 10878032896
                                process 812 compute 10000000000
                                """).toString());
        LiveHost live = new LiveHost();
        live.startWindow();
        RecordingHost recorder = new RecordingHost(live);
        Sampler sampler = new Sampler(Focus.EVERYTHING);

        sampler.take(recorder, true, false);
        sampler.take(recorder, false, true);
        Evidence evidence = sampler.evidence();
        Evidence replayed =
                Sampler.replay(new RecordedHost(new MemoryTree(Redaction.of(recorder.finish()))), Focus.EVERYTHING);

        for (Evidence seen : List.of(evidence, replayed)) {
            Gpu gpu = seen.latest(Gpus.FACT).orThrow().gpus().getFirst();
            assertEquals(new Bytes(10878032896L), gpu.memory().orThrow().used());
            assertEquals(812, gpu.processes().orThrow().getFirst().pid());
        }
        assertEquals(
                "GPU-id0001",
                replayed.latest(Gpus.FACT).orThrow().gpus().getFirst().uuid());
    }

    @Test
    void nvidia_smi_is_run_only_where_there_is_a_device() {
        LiveHost live = new LiveHost();
        live.startWindow();

        Reading<String> answer = live.ask(Call.NVIDIA_SMI, "-");
        // Where there is one, whatever it says is not that there is none: lab/gpu/run looks at the rest.
        String none = "this host has no NVIDIA device";
        if (Nvml.hasDevice()) assertFalse(answer.toString().contains(none));
        else NvmlTest.assertAbsent(AbsentCause.NOT_PRESENT, none, answer);
    }
}
