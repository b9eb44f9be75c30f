// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.diagnosis.rules.CalmHost;
import dev.ullage.host.Evidence;
import dev.ullage.host.gpu.PcieLink;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GpuServerTest {
    private static final String FOLDER = "proc/812/root/models/qwen3-8b/";

    private static CalmHost vllm(String... arguments) {
        return CalmHost.named("vllm")
                .with(
                        "proc/812/cmdline",
                        "python3\0/opt/venv/bin/vllm\0serve\0/models/qwen3-8b\0" + String.join("\0", arguments) + "\0");
    }

    private static GpuServer of(Evidence evidence) {
        return GpuServer.in(evidence).getFirst();
    }

    @Test
    void a_folder_with_the_same_weights_twice_is_weighed_once() {
        GpuServer server = of(CalmHost.named("vllm")
                .with(FOLDER + "consolidated.safetensors", "")
                .with("recorded/stat", """
                        /models/qwen3-8b/model-00001-of-00002.safetensors	dev=259:1 ino=1 size=8000000000 uid=0 kind=file
                        /models/qwen3-8b/model-00002-of-00002.safetensors	dev=259:1 ino=2 size=7000000000 uid=0 kind=file
                        /models/qwen3-8b/consolidated.safetensors	dev=259:1 ino=3 size=15000000000 uid=0 kind=file
                        """)
                .with("recorded/head", """
                        /models/qwen3-8b/model-00001-of-00002.safetensors	00010000000000007b226d6f64656c
                        /models/qwen3-8b/model-00002-of-00002.safetensors	00010000000000007b226d6f64656c
                        /models/qwen3-8b/consolidated.safetensors	00010000000000007b226d6f64656c
                        """)
                .evidence());
        assertEquals(3, server.workload().models().size());
        assertEquals(new Bytes(15_000_000_000L), server.weights());
    }

    @Test
    void what_it_may_have_of_a_card_is_the_share_it_was_told_and_never_more_than_there_is() {
        GpuServer told = of(CalmHost.named("vllm").evidence());
        VramPool pool = told.places().getFirst();
        assertEquals(Optional.of(new Ratio(0.92)), told.share());
        assertEquals(pool.memory().total().times(0.92), told.budgetOf(pool));
        GpuServer greedy = of(vllm("--gpu-memory-utilization", "1.0")
                .withoutAtAnyInstant("recorded/http/8000/metrics")
                .evidence());
        assertEquals(pool.usable(), greedy.budgetOf(pool));
    }

    @Test
    void weights_that_are_made_smaller_or_stay_on_the_host_are_not_what_the_files_weigh() {
        assertTrue(of(vllm("--port", "8000").evidence())
                .loadsAsItIs(vllm("--port", "8000").evidence()));
        for (String[] arguments : new String[][] {{"--quantization", "fp8"}, {"--cpu-offload-gb=8"}, {"-q", "awq"}}) {
            Evidence evidence = vllm(arguments).evidence();
            assertFalse(of(evidence).loadsAsItIs(evidence), arguments[0]);
        }
    }

    @Test
    void a_server_that_holds_nothing_would_go_where_there_is_most_room() {
        GpuServer server = of(CalmHost.named("vllm").with("recorded/nvml", """
                gpu 0 NVIDIA L4
                memory total=24000000000 used=20000000000 free=4000000000
                process pid=4444 kind=compute memory=19000000000
                processes
                gpu 1 NVIDIA L4
                memory total=24000000000 used=1000000 free=23999000000
                processes
                """).evidence());
        assertEquals(1, server.places().size());
        assertEquals(1, server.places().getFirst().gpu().index());
    }

    @Test
    void a_link_carries_what_its_generation_and_its_lanes_allow() {
        assertEquals(15.76e9, capacity(3, 16), 0.05e9);
        assertEquals(31.5e9, capacity(4, 16), 0.1e9);
        assertEquals(0.25e9, capacity(1, 1), 0.01e9);
        assertEquals(0, capacity(0, 0));
        assertEquals(0, capacity(-3, -1));
        assertTrue(Double.isFinite(capacity(Integer.MAX_VALUE, Integer.MAX_VALUE)));
    }

    private static double capacity(int generation, int width) {
        Reading<BytesPerSecond> none = Reading.absent("nvml", AbsentCause.NOT_CONFIGURED, "not told");
        return Spill.capacity(new PcieLink(generation, width, generation, width, none, none))
                .bytesPerSecond();
    }
}
