// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/// AMD's compute driver: which node of it is which card, and what each process has there. Source:
/// drivers/gpu/drm/amd/amdkfd/kfd_topology.c, kfd_process.c.
///
/// ```
/// /sys/class/kfd/kfd/topology/nodes/1/gpu_id        34832            0 is a processor
/// /sys/class/kfd/kfd/topology/nodes/1/properties    location_id 768  0x0300: bus 3, device 0, function 0
///                                                   domain 0
/// /sys/class/kfd/kfd/proc/4123/vram_34832           8589934592       bytes
/// ```
/// The pids are those of the host's root namespace. A program that computes by Vulkan is not in here: it opens
/// `/dev/dri` and shows in [DrmClients].
///
/// @param idsByAddress the driver's numbers of a card; several when it is partitioned
final class Kfd {
    private static final String NODES = "/sys/class/kfd/kfd/topology/nodes";
    static final String PROCESSES = "/sys/class/kfd/kfd/proc";
    private static final int MOST_PROCESSES = 4_096;

    private final HostRoot root;
    private final Map<String, List<String>> idsByAddress;
    private final Reading<List<String>> processes;

    private Kfd(HostRoot root, Map<String, List<String>> idsByAddress, Reading<List<String>> processes) {
        this.root = root;
        this.idsByAddress = idsByAddress;
        this.processes = processes;
    }

    static Kfd read(HostRoot root) {
        Map<String, List<String>> ids = new LinkedHashMap<>();
        for (String node : root.names(NODES).orElse(List.of())) {
            long id = DrmCard.number(root, NODES + "/" + node + "/gpu_id").orElse(0L);
            if (id == 0) continue;
            root.text(NODES + "/" + node + "/properties").map(KeyValues::parse).map(properties -> ids.computeIfAbsent(
                            address(properties), _ -> new ArrayList<>())
                    .add(Long.toString(id)));
        }
        return new Kfd(root, ids, root.names(PROCESSES));
    }

    /// `location_id 768`, `domain 0` → `0000:03:00.0`.
    private static String address(KeyValues properties) {
        long location = properties.orZero("location_id");
        return String.format(
                Locale.ROOT,
                "%04x:%02x:%02x.%x",
                properties.orZero("domain") & 0xffffffffL,
                location >> 8 & 0xff,
                location >> 3 & 0x1f,
                location & 7);
    }

    /// Who computes on a card, and with how much of its memory.
    Reading<List<GpuProcess>> on(String pciAddress) {
        if (!(processes instanceof Present<List<String>>(List<String> pids)))
            return processes instanceof Absent<List<String>> absent ? absent.as() : Reading.of(List.of());
        List<String> ids = idsByAddress.get(pciAddress);
        if (ids == null) return DrmCard.untold(NODES, "the compute driver has no node for " + pciAddress);
        List<GpuProcess> all = new ArrayList<>();
        for (String pid : pids.subList(0, Math.min(pids.size(), MOST_PROCESSES))) {
            if (!pid.matches("\\d{1,9}")) continue;
            Bytes held = Bytes.NONE;
            Reading<Bytes> memory = Reading.of(held);
            for (String id : ids) {
                Reading<Long> bytes = DrmCard.number(root, PROCESSES + "/" + pid + "/vram_" + id);
                held = held.plus(new Bytes(bytes.orElse(0L)));
                memory = bytes instanceof Absent<Long> absent ? absent.as() : Reading.of(held);
            }
            // Each process of the compute driver is listed under each card, used or not.
            if (held.bytes() > 0)
                all.add(new GpuProcess(Integer.parseInt(pid), memory, "compute", OptionalInt.empty()));
        }
        return Reading.of(List.copyOf(all));
    }
}
