// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.GpuServer;
import dev.ullage.diagnosis.view.Holders;
import dev.ullage.diagnosis.view.MemoryLimits;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.server.Engine;
import dev.ullage.host.server.ServerSettings;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// llama-server keeps the KV caches of earlier prompts in host memory, 8 GiB of them unless it is told otherwise, be
/// its
/// model wholly on GPUs or not. What it will take does not fit into what is left for it.
public final class PromptCacheFillsRam implements Rule {
    /// `--cache-ram` where it is not given, in llama-server since October 2025.
    private static final Bytes BY_DEFAULT = Bytes.ofMiB(8192);

    /// What a server holds of its own beside that cache: less of it is not the cache.
    private static final Bytes BESIDE = Bytes.ofMiB(1024);

    /// Of its weights, on GPUs.
    private static final double OFFLOADED = 0.8;

    /// A limit is used up so far by what cannot be reclaimed.
    private static final double NEARLY_ALL = 0.95;

    @Override
    public String name() {
        return "prompt-cache-fills-ram";
    }

    @Override
    public Cause cause() {
        return Cause.HOST_RAM;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(MemInfo.FACT);
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("cgroup-memory-exhausted", "host-memory-exhausted", "memory-leak");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no llama-server with its model on a GPU keeps prompts in host memory";
        for (GpuServer onGpu : GpuServer.in(evidence)) {
            Workload server = onGpu.workload();
            // Of one that computes on the CPU, weights and KV cache are in its own memory as well: nobody can tell.
            if (!isLlamaServer(evidence, server) || !isOffloaded(onGpu)) continue;
            ServerSettings settings = onGpu.settings();
            Bytes cache = settings.promptCache().orElse(BY_DEFAULT);
            if (cache.bytes() == 0) continue;
            Bytes own = Holders.own(evidence, server);
            // What it holds already may be the cache, but for what it needs anyway.
            Bytes stillToCome =
                    cache.minus(own.minus(BESIDE).orNoneIfNegative()).orNoneIfNegative();
            Room room = room(evidence, server);
            boolean isFull = room.used >= NEARLY_ALL && own.isMoreThan(BESIDE.times(2));
            clear = server.shown() + " may keep " + cache.shown() + " of prompts, and " + room.of + " has room for "
                    + room.left.shown() + " more";
            if (stillToCome.isMoreThan(room.left) || isFull)
                findings.add(finding(server, settings, cache, own, room, isFull));
        }
        return Verdict.of(findings, clear);
    }

    private static boolean isLlamaServer(Evidence evidence, Workload server) {
        return server.engine().filter(e -> e == Engine.LLAMA_CPP).isPresent()
                && evidence.latest(CommandLine.FACT, server.main())
                        .map(c -> c.program().equals("llama-server"))
                        .orElse(false);
    }

    private static boolean isOffloaded(GpuServer server) {
        Bytes weights = server.weights();
        return weights.bytes() > 0 && server.held().compareTo(weights.times(OFFLOADED)) >= 0;
    }

    /// @param used share of the limit or the host that cannot be reclaimed
    private record Room(String of, Bytes left, double used, String source) {}

    private static Room room(Evidence evidence, Workload server) {
        MemInfo mem = evidence.latest(MemInfo.FACT).orThrow();
        Room host =
                new Room("the host", mem.available(), 1 - mem.availableShare().ratio(), "/proc/meminfo MemAvailable");
        Optional<MemoryCgroup> tightest =
                MemoryLimits.above(evidence, server).limited().stream().min(Comparator.comparing(MemoryCgroup::room));
        return tightest.filter(c -> host.left.isMoreThan(c.room()))
                .map(c -> new Room(
                        c.id().path(),
                        c.room().orNoneIfNegative(),
                        c.unreclaimableShare().ratio(),
                        c.id().file(c.id().isV2() ? "memory.max" : "memory.limit_in_bytes")))
                .orElse(host);
    }

    private Finding finding(
            Workload server, ServerSettings settings, Bytes cache, Bytes own, Room room, boolean isFull) {
        boolean told = settings.promptCache().isPresent();
        Bytes fits = own.plus(room.left).minus(BESIDE.times(2)).orNoneIfNegative();
        // Half of what would fit: the server's own needs grow with its requests.
        long mib = Math.min(cache.bytes(), fits.bytes() / 2) >> 20;
        return new Finding(
                this,
                isFull ? Severity.WARNING : Severity.ADVICE,
                new Signs().sign(true).sign(isFull).doubt(!told, 0.3).confidence(),
                server.shown() + " may keep " + cache.shown() + " of earlier prompts in host memory; it holds "
                        + own.shown() + ", and " + room.of + " has room for " + room.left.shown() + " more",
                List.of(
                        Saw.of(
                                told ? "its --cache-ram" : "--cache-ram by default, since October 2025",
                                cache,
                                "/proc/" + server.main().pid() + "/cmdline"),
                        Saw.of(
                                "it holds of its own",
                                own,
                                "/proc/" + server.main().pid() + "/status RssAnon"),
                        Saw.of("room in " + room.of, room.left, room.source)),
                "the cache grows with each new prompt until it is full or the memory is, even when the model lies on a GPU",
                Subject.of(server),
                List.of(Remedy.medium(
                        "give it a cache that fits, or none",
                        "llama-server … --cache-ram " + mib,
                        Remedy.Cost.RESTART,
                        Remedy.Risk.SLOWER,
                        "grep RssAnon /proc/<new pid>/status",
                        "start it without --cache-ram")));
    }
}
