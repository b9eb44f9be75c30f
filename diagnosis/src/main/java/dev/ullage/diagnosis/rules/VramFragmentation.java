// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.GpuServer;
import dev.ullage.diagnosis.view.VramPool;
import dev.ullage.host.Evidence;
import dev.ullage.host.server.Engine;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A server of torch holds most of a card for a small model: cached pieces that may be too small for what is asked
/// next.
///
/// From outside nobody can tell pieces that are cached from pieces that are used; only torch counts them. So this is
/// advice, never an alarm, and says what would tell.
public final class VramFragmentation implements JudgesGpus {
    /// Of the card's memory, by the one server.
    private static final double NEARLY_ALL = 0.9;

    /// Times its weights: a KV cache and a batch seldom take as much again twice.
    private static final double FAR_MORE = 3;

    /// Pieces come with requests of many lengths; a server that has just started has none.
    private static final Seconds OLD = Seconds.ofMinutes(30);

    @Override
    public String name() {
        return "vram-fragmentation";
    }

    @Override
    public Cause cause() {
        return Cause.VRAM_FRAGMENTATION;
    }

    @Override
    public Verdict judge(Evidence evidence, List<GpuServer> servers) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no server of torch holds far more of a GPU than its model";
        for (GpuServer server : servers) {
            if (!allocatesByTorch(server)
                    || server.weights().bytes() == 0
                    || server.pools().isEmpty()) continue;
            Bytes held = server.held();
            double times = (double) held.bytes() / server.weights().bytes();
            clear = server.workload().shown() + " holds " + held.shown() + " of its GPUs for weights of "
                    + server.weights().shown();
            if (times < FAR_MORE || server.age(evidence).compareTo(OLD) < 0) continue;
            for (VramPool pool : server.pools())
                if (pool.heldBy(server.workload()).shareOf(pool.usable()).isAtLeast(NEARLY_ALL)) {
                    findings.add(finding(server, pool, held, times));
                    break;
                }
        }
        return Verdict.of(findings, clear);
    }

    /// Servers that reserve at start cut their memory up themselves; llama.cpp and its like allocate once.
    private static boolean allocatesByTorch(GpuServer server) {
        Engine engine = server.engine();
        boolean python = server.workload().name().endsWith(".py")
                || server.workload().name().startsWith("python");
        return engine == Engine.TRANSFORMERS || engine == Engine.DEEPSPEED || engine == Engine.UNKNOWN && python;
    }

    private Finding finding(GpuServer server, VramPool pool, Bytes held, double times) {
        return new Finding(
                this,
                Severity.ADVICE,
                // One sign of three: what torch has reserved and not allocated, and an allocation that failed, are not
                // seen.
                new Signs().sign(true).sign(false).sign(false).confidence(),
                server.workload().shown() + " holds " + held.shown() + " of " + pool.shown() + ", "
                        + String.format(Locale.ROOT, "%.1f", times)
                        + " times its weights; whether in pieces too small to use, torch alone can say",
                List.of(
                        Saw.of("held", held, "nvmlDeviceGetComputeRunningProcesses usedGpuMemory"),
                        Saw.of(
                                "weights",
                                server.weights(),
                                server.workload().models().getFirst().path()),
                        Saw.of("free on " + pool.shown(), pool.memory().free(), "nvmlDeviceGetMemoryInfo free")),
                "torch keeps what it has freed for the next request of that size; one of another size then finds no room",
                JudgesGpus.subject(server, pool),
                List.of(
                        Remedy.now(
                                "restart the server to free what is in pieces: requests in flight are lost, the model is loaded again",
                                "",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.DATA_LOSS,
                                "nvidia-smi --query-compute-apps=pid,used_memory --format=csv",
                                "-"),
                        Remedy.medium(
                                "let torch say how much it has reserved and not allocated",
                                "python3 -c 'import torch; print(torch.cuda.memory_summary())' # in the server's own code",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.NONE,
                                "reserved memory far above allocated memory",
                                "take it out again"),
                        Remedy.medium(
                                "let torch grow its segments in place; it has been suspected in other failures (CUDA graphs, memory shared between processes), so watch the first day",
                                "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True <the server's command>",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.RESULTS_CHANGE,
                                "ullage diagnose",
                                "start it without PYTORCH_CUDA_ALLOC_CONF")));
    }
}
