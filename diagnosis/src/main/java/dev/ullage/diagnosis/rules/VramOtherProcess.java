// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.CpuUse;
import dev.ullage.diagnosis.view.EngineFlags;
import dev.ullage.diagnosis.view.GpuHolder;
import dev.ullage.diagnosis.view.GpuServer;
import dev.ullage.diagnosis.view.Spill;
import dev.ullage.diagnosis.view.Suffering;
import dev.ullage.diagnosis.view.VramPool;
import dev.ullage.host.Evidence;
import dev.ullage.host.server.ServerState.Health;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading.Absent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Another process holds memory of the GPU that a server lacks: it cannot start beside it, spills to the host, or has
/// too small a KV cache.
///
/// Two processes on one GPU that both fit are no trouble.
public final class VramOtherProcess implements JudgesGpus {
    /// Less than this is a CUDA context, a desktop, a monitor: it takes no server's place.
    private static final Bytes LITTLE = Bytes.ofMiB(512);

    /// Of what was spilled: others that hold less than this did not cause it.
    private static final double ENOUGH = 0.5;

    /// Of the card: held by others, it would be a much larger KV cache.
    private static final double MUCH = 0.1;

    @Override
    public String name() {
        return "vram-other-process";
    }

    @Override
    public Cause cause() {
        return Cause.VRAM_OTHER_PROCESS;
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("vram-spill", "vram-kv-cache", "cpu-bound", "idle-server");
    }

    /// What a server lacks because of others.
    ///
    /// @param lacks how much it lacks, as far as it can be told
    private record Harm(Severity severity, String what, String so, Bytes lacks, boolean isCertain) {}

    @Override
    public Verdict judge(Evidence evidence, List<GpuServer> servers) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no other process holds memory on a server's GPU";
        List<Absent<?>> hidden = new ArrayList<>();
        for (GpuServer server : servers) {
            for (VramPool pool : server.places()) {
                if (pool.hidesOthers()) {
                    clear = "who else is on " + pool.shown() + " cannot be told from inside this container";
                    if (suffers(evidence, server))
                        hidden.add(new Absent<>(
                                "processes on " + pool.shown(),
                                AbsentCause.NO_PERMISSION,
                                "the driver's process numbers are those of the host, not of this container"));
                    continue;
                }
                Bytes others = pool.heldByOthers(server.workload());
                if (LITTLE.isMoreThan(others)) continue;
                Optional<Harm> harm = harm(evidence, server, pool, others);
                if (harm.isEmpty()) {
                    clear = pool.others(server.workload()).getFirst().shown() + " holds " + others.shown() + " of "
                            + pool.shown() + " beside " + server.workload().shown() + ", and both have what they need";
                    continue;
                }
                findings.add(finding(evidence, server, pool, others, harm.get()));
                break;
            }
        }
        // Its own memory has a number of the host there as well: a stranger's may be its own.
        return findings.isEmpty() && !hidden.isEmpty()
                ? new Verdict.CannotTell(hidden.subList(0, 1))
                : Verdict.of(findings, clear);
    }

    private static boolean suffers(Evidence evidence, GpuServer server) {
        Suffering suffering = Suffering.of(evidence, server);
        return suffering.fails()
                || VramKvCache.isShort(suffering)
                || Spill.of(evidence, server).filter(s -> !s.isAskedFor()).isPresent();
    }

    private static Optional<Harm> harm(Evidence evidence, GpuServer server, VramPool pool, Bytes others) {
        Suffering suffering = Suffering.of(evidence, server);
        Bytes left = pool.usable().minus(others);
        Bytes wants = wants(evidence, server, pool);
        Bytes has = pool.heldBy(server.workload());
        boolean noRoom = wants.isMoreThan(left) && pool.usable().compareTo(wants) >= 0;
        boolean refused = noRoom && suffering.health() != Health.SERVING && has.compareTo(wants.times(ENOUGH)) < 0;
        if (refused && (suffering.fails() || suffering.isStarting()))
            return Optional.of(new Harm(
                    suffering.fails() ? Severity.CRITICAL : Severity.WARNING,
                    server.workload().shown() + " needs " + wants.shown() + " and " + left.shown() + " are left; it "
                            + suffering.shown(),
                    "it looks for room when it starts, finds too little and gives up",
                    wants.minus(left),
                    suffering.fails()));
        Optional<Spill> spill = Spill.of(evidence, server)
                .filter(s -> !s.isAskedFor() && s.onHost().bytes() > 0)
                .filter(s -> others.compareTo(s.onHost().times(ENOUGH)) >= 0);
        if (spill.isPresent()) {
            boolean computes = CpuUse.of(evidence, server.workload()).cores() >= Spill.COMPUTES;
            return Optional.of(new Harm(
                    computes ? Severity.WARNING : Severity.ADVICE,
                    server.workload().shown() + " has " + spill.get().onHost().shown() + " of its model, "
                            + spill.get().share().shown() + ", on the CPU",
                    "what did not fit beside it is computed by the CPU, several times slower",
                    spill.get().onHost(),
                    computes));
        }
        if (VramKvCache.isShort(suffering)
                && others.shareOf(pool.memory().total()).isAtLeast(MUCH))
            return Optional.of(new Harm(
                    suffering.severity(),
                    server.workload().shown() + " "
                            + suffering
                                    .kvCacheUse()
                                    .map(u -> "has " + u.shown() + " of its KV cache in use and ")
                                    .orElse("")
                            + suffering.shown(),
                    "that memory could be KV cache of the server, which lacks it",
                    others,
                    false));
        if (noRoom && server.reservesAtStart() && suffering.health() == Health.SERVING)
            return Optional.of(new Harm(
                    Severity.ADVICE,
                    server.workload().shown() + " serves, and would not start again beside it: it asks for "
                            + wants.shown() + " and " + left.shown() + " would be left",
                    "nothing is wrong until it is restarted",
                    wants.minus(left),
                    false));
        return Optional.empty();
    }

    /// What it needs of a pool to start: the share it reserves, or its weights.
    private static Bytes wants(Evidence evidence, GpuServer server, VramPool pool) {
        if (server.reservesAtStart() && server.share().isPresent()) return server.budgetOf(pool);
        boolean known = server.loadsAsItIs(evidence) && (!server.splitsByLayers() || server.putsAllLayersOnGpus());
        return known ? server.weights().times(1.0 / server.parallel()) : Bytes.NONE;
    }

    private Finding finding(Evidence evidence, GpuServer server, VramPool pool, Bytes others, Harm harm) {
        List<GpuHolder> holders = pool.others(server.workload());
        GpuHolder largest = holders.getFirst();
        Bytes bytes = largest.memory().orElse(Bytes.NONE);
        List<Saw> saw = new ArrayList<>();
        for (GpuHolder holder : holders.stream()
                .filter(h -> h.memory().orElse(Bytes.NONE).bytes() > 0)
                .limit(3)
                .toList())
            saw.add(Saw.of(
                    "held by " + VramPool.shown(evidence, holder),
                    holder.memory().orElse(Bytes.NONE),
                    "nvmlDeviceGetComputeRunningProcesses usedGpuMemory"));
        saw.add(Saw.of(
                "held by the server",
                pool.heldBy(server.workload()),
                "nvmlDeviceGetComputeRunningProcesses usedGpuMemory"));
        saw.add(Saw.of("memory of " + pool.shown(), pool.memory().total(), "nvmlDeviceGetMemoryInfo total"));
        saw.add(Saw.of("free", pool.memory().free(), "nvmlDeviceGetMemoryInfo free"));
        return new Finding(
                this,
                harm.severity(),
                new Signs()
                        .sign(true)
                        .sign(others.compareTo(harm.lacks()) >= 0)
                        .sign(harm.isCertain())
                        .doubt(
                                holders.stream()
                                        .anyMatch(h -> h.ended() || h.name().startsWith("pid ")),
                                0.2)
                        .confidence(),
                VramPool.shown(evidence, largest) + " holds " + bytes.shown() + " of " + pool.shown()
                        + (holders.size() > 1 && others.isMoreThan(bytes)
                                ? " (" + others.shown() + " with others)"
                                : "")
                        + ": " + harm.what(),
                saw,
                harm.so(),
                JudgesGpus.subject(server, pool),
                remedies(server, pool, largest, others));
    }

    private static List<Remedy> remedies(GpuServer server, VramPool pool, GpuHolder largest, Bytes others) {
        List<Remedy> remedies = new ArrayList<>();
        String verify = "nvidia-smi --query-compute-apps=pid,used_memory --format=csv";
        remedies.add(Remedy.now(
                "end " + largest.shown() + " if nobody needs it: what it has not saved is lost",
                !largest.ended() && !largest.name().startsWith("pid ")
                        ? "kill " + largest.pid()
                        : "nvidia-smi --query-compute-apps=pid,name --format=csv",
                Remedy.Cost.NONE,
                Remedy.Risk.DATA_LOSS,
                verify,
                "start it again"));
        Ratio fits = pool.usable().minus(others).shareOf(pool.memory().total());
        double share = Math.floor((fits.ratio() - 0.02) * 100) / 100;
        if (share > 0.1 && server.reservesAtStart())
            EngineFlags.memoryShare(server.engine(), share)
                    .ifPresent(flag -> remedies.add(Remedy.medium(
                            "let the server take what is left beside it: "
                                    + pool.memory().total().times(share).shown(),
                            EngineFlags.command(server.engine(), flag),
                            Remedy.Cost.RESTART,
                            Remedy.Risk.SLOWER,
                            verify,
                            "start it with the old share")));
        server.all().stream()
                .filter(p ->
                        p != pool && p.instance().isEmpty() && p.memory().free().isMoreThan(server.budgetOf(pool)))
                .findFirst()
                .ifPresent(free -> remedies.add(Remedy.medium(
                        "start the server on " + free.shown() + ", which has "
                                + free.memory().free().shown() + " free",
                        "CUDA_VISIBLE_DEVICES=" + free.gpu().index() + " <the server's command>",
                        Remedy.Cost.RESTART,
                        Remedy.Risk.NONE,
                        verify,
                        "start it without CUDA_VISIBLE_DEVICES")));
        remedies.add(Remedy.byDesign(
                "give each its own GPU, or its own part of one: MIG, or a scheduler that knows who has which card",
                "",
                Remedy.Cost.RESTART,
                Remedy.Risk.NONE,
                verify,
                "-"));
        return remedies;
    }
}
