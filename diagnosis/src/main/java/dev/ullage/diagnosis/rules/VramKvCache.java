// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.EngineFlags;
import dev.ullage.diagnosis.view.GpuServer;
import dev.ullage.diagnosis.view.ServerStates;
import dev.ullage.diagnosis.view.Suffering;
import dev.ullage.diagnosis.view.VramPool;
import dev.ullage.host.Evidence;
import dev.ullage.host.server.Engine;
import dev.ullage.host.server.ServerState;
import dev.ullage.host.server.ServerState.KvCachePool;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The KV cache holds fewer tokens than the requests need: it is full *and* requests wait or are thrown out of it.
///
/// A full cache alone is a server at work; a queue alone may be one that takes few requests at a time.
public final class VramKvCache implements JudgesGpus {
    private static final double FULL = 0.9;

    /// Of a card's memory: less of it left free gives no tokens worth a restart.
    private static final double WORTH_TAKING = 0.03;

    /// Nobody should be told to take more of a card than this: activations of other sizes come on top.
    private static final double MOST_SHARE = 0.95;

    @Override
    public String name() {
        return "vram-kv-cache";
    }

    @Override
    public Cause cause() {
        return Cause.VRAM_KV_CACHE;
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("idle-server", "cpu-bound");
    }

    /// Two signs, one of them of the cache itself.
    static boolean isShort(Suffering suffering) {
        boolean full = suffering.kvCacheUse().map(u -> u.isAtLeast(FULL)).orElse(false);
        int signs = (full ? 1 : 0) + (suffering.waits() ? 1 : 0) + (suffering.preempts() ? 1 : 0);
        return signs >= 2 && (full || suffering.preempts());
    }

    @Override
    public Verdict judge(Evidence evidence, List<GpuServer> servers) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no server lacks KV cache";
        for (GpuServer server : servers) {
            Suffering suffering = Suffering.of(evidence, server);
            Optional<KvCachePool> pool = poolOf(server);
            Optional<Long> context = contextOf(server);
            boolean cannotHoldOne = pool.isPresent()
                    && pool.get().tokens() > 0
                    && context.isPresent()
                    && context.get() > pool.get().tokens();
            if (isShort(suffering)) {
                findings.add(tooSmall(server, suffering, pool));
            } else if (cannotHoldOne) {
                findings.add(cannotHoldOne(server, suffering, pool.get().tokens(), context.get()));
            } else if (suffering.kvCacheUse().isPresent()) {
                clear = server.workload().shown() + " uses "
                        + suffering.kvCacheUse().get().shown() + " of its KV cache"
                        + (suffering.waits()
                                ? ", and " + new Count(suffering.waiting().orElse(0L)).shown()
                                        + " requests wait for something else"
                                : ", and nobody waits for it");
            }
        }
        return Verdict.of(findings, clear);
    }

    private static Optional<KvCachePool> poolOf(GpuServer server) {
        Reading<KvCachePool> pool = server.states().map(ServerStates::now).flatMap(ServerState::kvCachePool);
        return pool instanceof Present<KvCachePool>(KvCachePool told) ? Optional.of(told) : Optional.empty();
    }

    private static Optional<Long> contextOf(GpuServer server) {
        return server.settings().contextLength().isPresent()
                ? Optional.of(server.settings().contextLength().getAsLong())
                : Optional.empty();
    }

    private Finding tooSmall(GpuServer server, Suffering suffering, Optional<KvCachePool> pool) {
        VramPool place = tightest(server);
        boolean full = suffering.kvCacheUse().map(u -> u.isAtLeast(FULL)).orElse(false);
        List<Saw> saw = new ArrayList<>(suffering.saw());
        pool.ifPresent(p -> saw.add(Saw.of("tokens the KV cache holds", new Count(p.tokens()), suffering.source())));
        saw.add(Saw.of(
                "memory of " + place.shown() + " that is free", place.memory().free(), "nvmlDeviceGetMemoryInfo free"));
        List<String> signs = new ArrayList<>();
        suffering.kvCacheUse().ifPresent(u -> signs.add("has " + u.shown() + " of its KV cache in use"));
        if (!suffering.shown().isEmpty()) signs.add(suffering.shown());
        return new Finding(
                this,
                suffering.severity(),
                new Signs()
                        .sign(full)
                        .sign(suffering.waits())
                        .sign(suffering.preempts())
                        .confidence(),
                server.workload().shown() + " " + String.join(", ", signs),
                saw,
                suffering.preempts()
                        ? "a request that is thrown out is computed again from its first token: work done twice, while others wait"
                        : "a request that comes now waits until another one ends and frees its part of the cache",
                JudgesGpus.subject(server, place),
                remedies(server, place));
    }

    private Finding cannotHoldOne(GpuServer server, Suffering suffering, long tokens, long context) {
        VramPool place = tightest(server);
        List<Saw> saw = new ArrayList<>();
        saw.add(Saw.of("tokens the KV cache holds", new Count(tokens), suffering.source()));
        saw.add(Saw.of("longest request it takes", new Count(context), "its settings"));
        saw.addAll(suffering.saw());
        List<Remedy> remedies = new ArrayList<>();
        EngineFlags.context(server.engine(), Long.toString(tokens))
                .ifPresent(flag -> remedies.add(Remedy.medium(
                        "let it take requests of " + new Count(tokens).shown()
                                + " tokens at most: longer ones are refused at once then",
                        EngineFlags.command(server.engine(), flag),
                        Remedy.Cost.RESTART,
                        Remedy.Risk.RESULTS_CHANGE,
                        "ullage diagnose",
                        "start it with the old length")));
        remedies.addAll(remedies(server, place));
        return new Finding(
                this,
                // One that nobody asks for harms nobody.
                suffering.waits() ? Severity.WARNING : Severity.ADVICE,
                new Signs().sign(true).sign(suffering.waits()).confidence(),
                server.workload().shown() + " takes requests of " + new Count(context).shown()
                        + " tokens, and its KV cache holds " + new Count(tokens).shown(),
                saw,
                "a request of that length can never be computed to its end, and while it tries nobody else is served",
                JudgesGpus.subject(server, place),
                remedies);
    }

    private static VramPool tightest(GpuServer server) {
        return server.places().stream()
                .min(Comparator.comparing(p -> p.memory().free()))
                .orElseThrow();
    }

    private static List<Remedy> remedies(GpuServer server, VramPool place) {
        List<Remedy> remedies = new ArrayList<>();
        Engine engine = server.engine();
        String verify = "ullage diagnose";
        Ratio share = server.share().orElse(Ratio.NONE);
        Bytes free = place.memory().free();
        // What is free beside it can be taken, but for a little that everything on a card needs.
        double more =
                Math.floor((share.ratio() + free.shareOf(place.memory().total()).ratio() - 0.02) * 100) / 100;
        double wanted = Math.min(MOST_SHARE, more);
        if (share.ratio() > 0 && wanted - share.ratio() >= WORTH_TAKING)
            EngineFlags.memoryShare(engine, wanted)
                    .ifPresent(flag -> remedies.add(Remedy.medium(
                            "let it take "
                                    + place.memory()
                                            .total()
                                            .times(wanted - share.ratio())
                                            .shown() + " more of "
                                    + place.shown() + ", which are free: all of it becomes KV cache",
                            EngineFlags.command(engine, flag),
                            Remedy.Cost.RESTART,
                            Remedy.Risk.NONE,
                            verify,
                            "start it with the old share")));
        EngineFlags.smallerKvCache(engine)
                .ifPresent(flag -> remedies.add(Remedy.medium(
                        "keep the KV cache in 8 bits: twice the tokens in the same memory",
                        EngineFlags.command(engine, flag),
                        Remedy.Cost.RESTART,
                        Remedy.Risk.RESULTS_CHANGE,
                        verify,
                        "start it without the option")));
        EngineFlags.parallelRequests(engine, "<half of now>")
                .ifPresent(flag -> remedies.add(Remedy.medium(
                        "take fewer requests at a time: those that run are not thrown out, the others wait in the queue",
                        EngineFlags.command(
                                engine,
                                fewer(server)
                                        .map(n -> EngineFlags.parallelRequests(engine, n)
                                                .orElse(flag))
                                        .orElse(flag)),
                        Remedy.Cost.RESTART,
                        Remedy.Risk.SLOWER,
                        verify,
                        "start it with the old number")));
        remedies.add(Remedy.byDesign(
                "give the model more GPUs, or weights of fewer bits: what they no longer take becomes KV cache",
                "",
                Remedy.Cost.RESTART,
                Remedy.Risk.NONE,
                verify,
                "-"));
        return remedies;
    }

    private static Optional<String> fewer(GpuServer server) {
        return server.settings().parallelSequences().isPresent()
                ? Optional.of(Integer.toString(
                        Math.max(1, server.settings().parallelSequences().getAsInt() / 2)))
                : Optional.empty();
    }
}
