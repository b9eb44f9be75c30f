// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.BlockDevices;
import dev.ullage.host.storage.BlockDevices.Device;
import dev.ullage.host.storage.DiskStats;
import dev.ullage.host.storage.DiskStats.Disk;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The block devices whose course is worth a look: those the servers' models lie on; without a server, the busiest.
///
/// @param why in a few words: `holds qwen3-8b-q4_k_m.gguf`
public record DisksInUse(String number, String name, String why) {
    public static List<DisksInUse> of(Evidence evidence) {
        Map<String, DisksInUse> disks = new LinkedHashMap<>();
        for (Workload server : evidence.servers()) {
            List<ModelDisk> under = ModelDisk.under(evidence, server);
            if (under.isEmpty()) continue;
            // The uppermost is what the file system is on; what lies under it does the same work in parts.
            Device device = under.getFirst().device();
            disks.computeIfAbsent(
                    device.number(),
                    number -> new DisksInUse(
                            number,
                            device.name(),
                            "holds " + server.models().getFirst().name()));
        }
        return disks.isEmpty() ? busiest(evidence) : new ArrayList<>(disks.values());
    }

    private static List<DisksInUse> busiest(Evidence evidence) {
        if (!(evidence.change(DiskStats.FACT) instanceof Present<Change<DiskStats>>(var change))
                || !(evidence.latest(BlockDevices.FACT) instanceof Present<BlockDevices>(BlockDevices devices)))
            return List.of();
        DisksInUse busiest = null;
        long most = 0;
        for (Disk after : change.after().byNumber().values()) {
            Disk before = change.before().byNumber().get(after.number());
            Device device = devices.byNumber().get(after.number());
            if (before == null || device == null || !device.disk().equals(device.name())) continue;
            Change<Disk> disk = new Change<>(before, after, change.elapsed());
            // Each is at most 2^63 − 1: halves do not overflow.
            long moved = disk.increase(Disk::readBytes) / 2 + disk.increase(Disk::writtenBytes) / 2;
            if (moved <= most) continue;
            most = moved;
            busiest = new DisksInUse(after.number(), after.name(), "the busiest disk");
        }
        return busiest == null ? List.of() : List.of(busiest);
    }
}
