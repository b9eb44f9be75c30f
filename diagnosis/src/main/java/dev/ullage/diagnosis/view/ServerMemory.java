// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a server holds of the host's memory and of each GPU's, by what it is for.
///
/// What a driver tells of a process is one number. What of it is weights and what KV cache follows from the model's
/// files, the server's settings and what it says of itself ([GpuShare]); where those do not tell, it stays in `other`,
/// with the CUDA context, activations and graphs.
///
/// @param gpus those on which it has memory or a context, by their index
/// @param parts of the host first, then of each GPU whose driver tells how much
public record ServerMemory(List<Gpu> gpus, List<Part> parts) {
    public static final String HOST = "host";
    public static final String WEIGHTS = "weights";
    public static final String KV_CACHE = "kv-cache";
    public static final String OTHER = "other";

    /// @param where `host`, `gpu0`
    /// @param what `weights`, `kv-cache`, `other`; on the host `weights-page-cache`, `anonymous`, `swapped`
    public record Part(String where, String what, Bytes bytes) {}

    public static ServerMemory of(Evidence evidence, Workload server) {
        return of(evidence, server, ServerTold.of(evidence, server));
    }

    static ServerMemory of(Evidence evidence, Workload server, ServerTold told) {
        List<Part> parts = new ArrayList<>();
        for (Memory.Part part : Memory.of(evidence, server)) parts.add(new Part(HOST, part.what(), part.bytes()));
        Map<Gpu, Reading<Bytes>> held = new LinkedHashMap<>();
        for (GpuHolders of : GpuHolders.in(evidence)) if (of.isOn(server)) held.put(of.gpu(), heldBy(server, of));
        GpuShare share = GpuShare.of(evidence, server, told, held.size());
        held.forEach((gpu, bytes) -> {
            if (bytes instanceof Reading.Present<Bytes>(Bytes present)) addOf(gpu, present, share, parts);
        });
        return new ServerMemory(List.copyOf(held.keySet()), List.copyOf(parts));
    }

    private static void addOf(Gpu gpu, Bytes held, GpuShare share, List<Part> parts) {
        // More than it holds it cannot be: files on disk may be larger than what was loaded of them.
        Bytes weights = least(share.weights().orElse(Bytes.NONE), held);
        Bytes cache = least(share.cache().orElse(Bytes.NONE), held.minus(weights));
        if (weights.bytes() > 0) parts.add(new Part(gpu.word(), WEIGHTS, weights));
        if (cache.bytes() > 0) parts.add(new Part(gpu.word(), KV_CACHE, cache));
        parts.add(new Part(gpu.word(), OTHER, held.minus(weights).minus(cache)));
    }

    /// Absent when the driver does not say it of one of its processes: a part of a sum is no sum.
    private static Reading<Bytes> heldBy(Workload server, GpuHolders of) {
        Reading<Bytes> sum = Reading.of(Bytes.NONE);
        for (GpuHolder holder : of.holders())
            if (holder.workload().map(server::equals).orElse(false))
                sum = sum.flatMap(so -> holder.memory().map(so::plus));
        return sum;
    }

    private static Bytes least(Bytes a, Bytes b) {
        return a.isMoreThan(b) ? b : a;
    }

    /// The parts of one place, in order.
    public List<Part> in(String where) {
        return parts.stream().filter(part -> part.where().equals(where)).toList();
    }
}
