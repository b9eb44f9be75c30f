// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.GpuServer;
import dev.ullage.diagnosis.view.Spill;
import dev.ullage.diagnosis.view.Suffering;
import dev.ullage.diagnosis.view.VramGrowth;
import dev.ullage.diagnosis.view.VramPool;
import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.gpu.Gpus;
import dev.ullage.host.gpu.Vendor;
import dev.ullage.host.gpu.Vram;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.server.ServerState.Health;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Memory of a GPU that nobody gets back: it outlived its process, it belongs to workers whose server has gone, or it
/// grows until it is all taken.
public final class VramLeak implements JudgesGpus {
    /// Used, and no process behind it: less is a driver's own.
    private static final Bytes ORPHANED = Bytes.ofGiB(1);

    /// Of a card's memory.
    private static final double ORPHANED_SHARE = 0.05;

    /// Less growth than this a second is an allocator's.
    private static final BytesPerSecond NOISE = new BytesPerSecond(1 << 20);

    private static final Seconds SOON = Seconds.ofMinutes(10);

    @Override
    public String name() {
        return "vram-leak";
    }

    @Override
    public Cause cause() {
        return Cause.VRAM_LEAK;
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of(
                "vram-weights", "vram-kv-cache", "vram-spill", "vram-other-process", "vram-activation", "cpu-bound");
    }

    @Override
    public Verdict judge(Evidence evidence, List<GpuServer> servers) {
        List<Finding> findings = new ArrayList<>();
        String clear = "all memory of the GPUs belongs to processes that live, and does not grow";
        for (VramPool pool : VramPool.in(evidence)) {
            if (pool.unaccounted() instanceof Absent<Bytes> absent)
                clear = "whether " + pool.shown() + " has memory in use that no process holds cannot be told: "
                        + absent.detail();
            Bytes orphaned = orphaned(evidence, pool);
            if (!ORPHANED.isMoreThan(orphaned)
                    && orphaned.shareOf(pool.memory().total()).isAtLeast(ORPHANED_SHARE))
                findings.add(orphaned(evidence, servers, pool, orphaned));
        }
        for (GpuServer server : servers) {
            if (isLeftBehind(evidence, server)) findings.add(leftBehind(evidence, servers, server));
            for (VramPool pool : server.pools()) {
                VramGrowth growth =
                        VramGrowth.of(evidence, server.workload(), pool.gpu().index());
                Suffering suffering = Suffering.of(evidence, server);
                if (!growth.isSteady() || growth.rate().compareTo(NOISE) < 0) continue;
                Seconds left = growth.rate().timeFor(pool.memory().free());
                if (suffering.isStarting() || server.isLoadingStill(evidence)) {
                    clear = server.workload().shown() + " takes "
                            + growth.rate().shown() + " more of " + pool.shown() + ": it is loading";
                } else if (left.compareTo(SOON) > 0) {
                    clear = server.workload().shown() + " takes "
                            + growth.rate().shown() + " more of " + pool.shown() + ", which lasts for " + left.shown();
                } else {
                    findings.add(growing(server, pool, growth, left));
                }
            }
        }
        return Verdict.of(findings, clear);
    }

    /// At both ends of the window: between the end of a process and that of its context lie a few seconds.
    private static Bytes orphaned(Evidence evidence, VramPool pool) {
        // Other drivers do not list who only draws, and without root nobody does.
        if (pool.gpu().vendor() != Vendor.NVIDIA) return Bytes.NONE;
        Bytes now = pool.unaccounted().orElse(Bytes.NONE);
        if (!(evidence.change(Gpus.FACT) instanceof Present<Change<Gpus>>(Change<Gpus> window))) return now;
        Bytes used = window.before()
                .byIndex(pool.gpu().index())
                .map(Gpu::memory)
                .flatMap(m -> m instanceof Present<Vram>(Vram vram) ? Optional.of(vram.used()) : Optional.empty())
                .orElse(Bytes.NONE);
        // It cannot have been unaccounted for if it was not even used.
        return now.isMoreThan(used) ? used : now;
    }

    /// Workers call themselves `VLLM::…` and `sglang::…`; alone and without a parent they serve nobody.
    private static boolean isLeftBehind(Evidence evidence, GpuServer server) {
        boolean onlyWorkers = server.workload().processes().stream()
                .allMatch(id -> evidence.latest(CommandLine.FACT, id)
                        .map(c -> c.joined().startsWith("VLLM::") || c.joined().startsWith("sglang::"))
                        .orElse(false));
        return onlyWorkers && server.isOrphan(evidence) && server.held().bytes() > 0;
    }

    private Finding orphaned(Evidence evidence, List<GpuServer> servers, VramPool pool, Bytes orphaned) {
        Hurt hurt = hurtOn(evidence, servers, pool, null, orphaned);
        List<Saw> saw = new ArrayList<>();
        saw.add(Saw.of(
                "used with no process behind it",
                orphaned,
                "nvmlDeviceGetMemoryInfo used, less all of nvmlDeviceGetComputeRunningProcesses"));
        saw.add(Saw.of("used of " + pool.shown(), pool.memory().used(), pool.source("used")));
        saw.add(Saw.of("free", pool.memory().free(), pool.source("free")));
        saw.addAll(hurt.saw);
        return new Finding(
                this,
                hurt.severity,
                new Signs()
                        .sign(true)
                        .sign(evidence.hasWindow())
                        .sign(hurt.isHurt())
                        .confidence(),
                orphaned.shown() + " of " + pool.shown() + " are used and belong to no process that lives" + hurt.shown,
                saw,
                "a process that was killed left its memory with the driver; no server can use it until that is torn down",
                hurt.subject.onDevice(pool.gpu().word()),
                List.of(
                        Remedy.now(
                                "see who holds the device open without being listed, and end it: a child that was left, a container that hangs",
                                "fuser -v /dev/nvidia*",
                                Remedy.Cost.NONE,
                                Remedy.Risk.DATA_LOSS,
                                "nvidia-smi --query-gpu=memory.used --format=csv",
                                "-"),
                        Remedy.medium(
                                "stop all that uses the card and reset it",
                                "nvidia-smi --gpu-reset -i " + pool.gpu().index(),
                                Remedy.Cost.RESTART,
                                Remedy.Risk.DATA_LOSS,
                                "nvidia-smi --query-gpu=memory.used --format=csv",
                                "start what was stopped"),
                        Remedy.medium(
                                "restart the host, where the card cannot be reset (it drives a display, NVLink joins it to others)",
                                "systemctl reboot",
                                Remedy.Cost.REBOOT,
                                Remedy.Risk.NONE,
                                "nvidia-smi --query-gpu=memory.used --format=csv",
                                "-")));
    }

    private Finding leftBehind(Evidence evidence, List<GpuServer> servers, GpuServer worker) {
        VramPool pool = worker.pools().getFirst();
        Hurt hurt = hurtOn(evidence, servers, pool, worker, worker.held());
        int pid = worker.workload().main().pid();
        List<Saw> saw = new ArrayList<>();
        saw.add(Saw.of("held by " + worker.workload().shown(), worker.held(), pool.sourceOfHolders()));
        saw.add(Saw.text("its parent", "1: the one it had has ended", "/proc/" + pid + "/stat ppid"));
        saw.addAll(hurt.saw);
        return new Finding(
                this,
                hurt.severity,
                new Signs().sign(true).sign(true).sign(hurt.isHurt()).confidence(),
                worker.workload().shown() + " holds " + worker.held().shown() + " of " + pool.shown()
                        + ", and the server whose worker it was has gone" + hurt.shown,
                saw,
                "it serves nobody, and its memory is taken until it ends",
                hurt.subject.onDevice(pool.gpu().word()),
                List.of(Remedy.now(
                        "end the worker that was left behind",
                        "kill " + pid,
                        Remedy.Cost.NONE,
                        Remedy.Risk.NONE,
                        pool.commandForHolders(),
                        "-")));
    }

    private Finding growing(GpuServer server, VramPool pool, VramGrowth growth, Seconds left) {
        return new Finding(
                this,
                Severity.WARNING,
                new Signs()
                        .sign(true)
                        .sign(true)
                        .doubt(server.reservesAtStart(), 0.1)
                        .doubt(true, 0.2)
                        .confidence(),
                server.workload().shown() + " takes " + growth.rate().shown() + " more of " + pool.shown()
                        + ", which is all taken in " + left.shown(),
                List.of(
                        Saw.of("growth in the window", growth.grown(), pool.sourceOfHolders()),
                        Saw.of("it holds", growth.course().getLast(), pool.sourceOfHolders()),
                        Saw.of("free on " + pool.shown(), pool.memory().free(), pool.source("free"))),
                "when nothing is left an allocation fails, and mostly the server with it",
                JudgesGpus.subject(server, pool),
                List.of(
                        Remedy.now(
                                "restart the server before it fails by itself: its memory is free then",
                                "",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.NONE,
                                "ullage diagnose --for 60s",
                                "-"),
                        Remedy.medium(
                                "find what keeps it: torch's own record of allocations shows each with its stack",
                                "python3 -c 'import torch; torch.cuda.memory._record_memory_history()' # in the server's own code",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.SLOWER,
                                "torch.cuda.memory._dump_snapshot()",
                                "take it out again")));
    }

    /// A server that suffers from what is taken.
    private record Hurt(Severity severity, String shown, List<Saw> saw, Subject subject) {
        boolean isHurt() {
            return severity.isAlarm();
        }
    }

    private static Hurt hurtOn(
            Evidence evidence, List<GpuServer> servers, VramPool pool, GpuServer except, Bytes taken) {
        Hurt worst = new Hurt(Severity.ADVICE, "", List.of(), Subject.THE_HOST);
        for (GpuServer server : servers) {
            if (server == except || server.places().stream().noneMatch(p -> isSame(p, pool))) continue;
            Suffering suffering = Suffering.of(evidence, server);
            Bytes wants = server.budgetOf(pool);
            boolean refused = suffering.health() != Health.SERVING
                    && (suffering.fails() || suffering.isStarting())
                    && wants.isMoreThan(pool.memory().free().plus(pool.heldBy(server.workload())));
            boolean spilled = Spill.of(evidence, server)
                    .map(s -> !s.isAskedFor() && taken.compareTo(s.onHost().times(0.5)) >= 0)
                    .orElse(false);
            boolean isShort = VramKvCache.isShort(suffering);
            if (!refused && !spilled && !isShort) continue;
            Severity severity = refused && suffering.fails() ? Severity.CRITICAL : Severity.WARNING;
            if (worst.severity.compareTo(severity) <= 0) continue;
            String what =
                    refused ? suffering.shown() : spilled ? "has a part of its model on the CPU" : suffering.shown();
            worst = new Hurt(
                    severity,
                    "; " + server.workload().shown() + " " + what,
                    suffering.saw(),
                    Subject.of(server.workload()));
        }
        return worst;
    }

    private static boolean isSame(VramPool a, VramPool b) {
        return a.gpu().index() == b.gpu().index() && a.instance().equals(b.instance());
    }
}
