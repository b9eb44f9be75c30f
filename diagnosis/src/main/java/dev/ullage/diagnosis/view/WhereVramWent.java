// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.diagnosis.view.MemoryPart.Kind;
import dev.ullage.host.Evidence;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.gpu.Vram;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The memory of a GPU cut into parts that do not overlap and together are all of it: what servers hold, by what it is
/// for where that is known, other processes, what the driver keeps, what has no process behind it, what is free.
///
/// What processes are said to hold may be more than is in use (they are asked one after the other): each part is at
/// most
/// what the parts before it left over.
///
/// @param parts in the order of [Kind]; none is empty
public record WhereVramWent(Gpu gpu, Bytes total, Bytes used, List<MemoryPart> parts) {
    private static final int MOST_NAMED = 8;

    /// Each GPU with memory of its own that told how much is in use.
    public static List<WhereVramWent> in(Evidence evidence) {
        List<WhereVramWent> all = new ArrayList<>();
        for (GpuHolders on : GpuHolders.in(evidence))
            if (!on.gpu().unifiedMemory() && on.gpu().memory() instanceof Present<Vram>(Vram vram))
                all.add(of(evidence, on, vram));
        return all;
    }

    private static WhereVramWent of(Evidence evidence, GpuHolders on, Vram vram) {
        List<MemoryPart> parts = new ArrayList<>();
        Bytes left = least(vram.used(), vram.total());
        for (Map.Entry<String, Bytes> holder : holders(evidence, on).entrySet()) {
            Bytes taken = least(holder.getValue(), left);
            if (taken.bytes() > 0) parts.add(new MemoryPart(Kind.ANONYMOUS, holder.getKey(), "", taken));
            left = left.minus(taken);
        }
        Bytes beside = vram.total().minus(least(vram.used(), vram.total()));
        Bytes reserved = least(vram.reserved(), beside);
        add(parts, Kind.SLAB, "reserved by driver and firmware", reserved);
        add(parts, Kind.OTHER, rest(on), left);
        add(parts, Kind.FREE, "free", beside.minus(reserved));
        return new WhereVramWent(on.gpu(), vram.total(), vram.used(), List.copyOf(parts));
    }

    /// By name, servers by what the memory is for; the largest, and the rest in one.
    private static Map<String, Bytes> holders(Evidence evidence, GpuHolders on) {
        Map<String, Bytes> all = new LinkedHashMap<>();
        Set<Workload> done = new LinkedHashSet<>();
        for (GpuHolder holder : on.holders()) {
            if (holder.workload().isPresent() && holder.workload().get().isServer()) {
                Workload server = holder.workload().get();
                if (!done.add(server)) continue;
                List<ServerMemory.Part> split =
                        ServerMemory.of(evidence, server).in(on.gpu().word());
                // What of it is what is not always known.
                for (ServerMemory.Part part : split)
                    all.merge(
                            server.shown() + (split.size() == 1 ? "" : ": " + words(part.what())),
                            part.bytes(),
                            Bytes::plus);
            } else if (holder.memory() instanceof Present<Bytes>(Bytes bytes)) {
                boolean isNamed = all.size() < MOST_NAMED;
                all.merge(isNamed ? holder.shown() : "other processes", bytes, Bytes::plus);
            }
        }
        return all;
    }

    private static String words(String what) {
        return switch (what) {
            case ServerMemory.KV_CACHE -> "KV cache";
            case ServerMemory.WEIGHTS -> "weights";
            case ServerMemory.OTHER -> "context, activations, the rest";
            default -> what;
        };
    }

    /// What no process is told to hold.
    private static String rest(GpuHolders on) {
        if (!on.holdersKnown()) return "in use, the driver does not say by whom";
        List<String> silent = on.holders().stream()
                .filter(h -> !h.memory().isPresent())
                .map(GpuHolder::shown)
                .toList();
        if (!silent.isEmpty())
            return "in use by " + silent.getFirst() + (silent.size() > 1 ? " and " + (silent.size() - 1) + " more" : "")
                    + ", the driver does not say how much";
        return on.unaccounted().map(bytes -> bytes.bytes() > 0).orElse(false)
                ? "no living process is told to hold it"
                : "driver, and what it tells of no process";
    }

    private static Bytes least(Bytes a, Bytes b) {
        return (a.isMoreThan(b) ? b : a).orNoneIfNegative();
    }

    private static void add(List<MemoryPart> parts, Kind kind, String name, Bytes bytes) {
        if (bytes.bytes() > 0) parts.add(new MemoryPart(kind, name, "", bytes));
    }
}
