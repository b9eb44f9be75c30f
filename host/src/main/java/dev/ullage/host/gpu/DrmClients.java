// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.host.process.ProcessId;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a process has open of DRM devices, and the memory behind it: `/proc/<pid>/fdinfo/<fd>` of the descriptors that
/// lead to `/dev/dri`. Source: Documentation/gpu/drm-usage-stats.rst, since 5.19 for amdgpu, 6.5 for i915, 6.8 for xe.
///
/// ```
/// drm-driver:	amdgpu
/// drm-client-id:	42
/// drm-pdev:	0000:03:00.0
/// drm-memory-vram:	1048576 KiB           amdgpu
/// drm-resident-vram0:	7340032 KiB           xe; i915 calls it local0
/// drm-total-vram0:	7340032 KiB
/// drm-engine-gfx:	123456789 ns
/// ```
/// Mistake people make: adding up descriptors. A descriptor that was duplicated or inherited is the same client, of the
/// same number, and its memory is counted once.
///
/// @param clients each number once
public record DrmClients(List<Client> clients) {
    /// Reading one costs the driver a walk over the client's buffers.
    private static final int MOST_DESCRIPTORS = 4_096;

    private static final int MOST_CLIENTS = 64;

    /// @param id the driver's number of it, on that card
    /// @param pciAddress of the card; empty for one that is on no bus
    /// @param vram memory of the card itself that it has, resident where the driver tells it
    /// @param busyNanos time its engines worked for it, all of them together, since it was opened
    public record Client(long id, String pciAddress, String driver, Bytes vram, long busyNanos) {}

    public static final Fact<ProcessId, DrmClients> FACT = new Fact<>(
            "memory on GPUs by process", "/proc/<pid>/fdinfo", Cadence.ENDS, "run as root", (root, id) -> root.names(
                            id.file("fd"))
                    .map(names -> read(root, id, names)));

    private static DrmClients read(HostRoot root, ProcessId id, List<String> descriptors) {
        Map<String, Client> clients = new LinkedHashMap<>();
        for (String fd : descriptors.subList(0, Math.min(descriptors.size(), MOST_DESCRIPTORS))) {
            if (!root.link(id.file("fd/" + fd)).orElse("").startsWith("/dev/dri/")) continue;
            root.text(id.file("fdinfo/" + fd))
                    .flatMap(DrmClients::parse)
                    .map(client -> clients.putIfAbsent(client.pciAddress + " " + client.id, client));
            if (clients.size() >= MOST_CLIENTS) break;
        }
        return new DrmClients(List.copyOf(clients.values()));
    }

    /// One descriptor's text; absent when no DRM driver speaks there.
    static Reading<Client> parse(String text) {
        Map<String, String> lines = new LinkedHashMap<>();
        text.lines().limit(256).forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0 && line.startsWith("drm-"))
                lines.putIfAbsent(
                        line.substring(0, colon), line.substring(colon + 1).strip());
        });
        String driver = lines.getOrDefault("drm-driver", "");
        if (driver.isEmpty())
            return Reading.malformed("/proc/<pid>/fdinfo", text, "a line \"drm-driver: <name>\" among them");
        long busy = 0;
        for (Map.Entry<String, String> line : lines.entrySet())
            if (line.getKey().startsWith("drm-engine-") && !line.getKey().startsWith("drm-engine-capacity-"))
                busy = KeyValues.saturated(busy, number(line.getValue()));
        return Reading.of(new Client(
                number(lines.getOrDefault("drm-client-id", "")),
                lines.getOrDefault("drm-pdev", ""),
                driver,
                onCard(lines),
                busy));
    }

    /// A driver that tells more than one of these means the same memory by them: what is resident before what is
    /// allocated.
    private static Bytes onCard(Map<String, String> lines) {
        for (String key : List.of("drm-resident-", "drm-memory-", "drm-total-")) {
            List<Bytes> regions = new ArrayList<>();
            for (Map.Entry<String, String> line : lines.entrySet())
                if (line.getKey().startsWith(key) && isOnCard(line.getKey().substring(key.length())))
                    regions.add(bytes(line.getValue()));
            if (!regions.isEmpty()) return Bytes.sum(regions);
        }
        return Bytes.NONE;
    }

    /// `vram`, `vram0`, `local1`; not `gtt`, `system0`, `stolen-local0`.
    private static boolean isOnCard(String region) {
        String name = region.replaceAll("\\d+$", "");
        return name.equals("vram") || name.equals("local");
    }

    private static Bytes bytes(String value) {
        long number = number(value);
        if (value.endsWith("KiB")) return Bytes.ofKiB(number);
        return value.endsWith("MiB") ? Bytes.ofMiB(number) : new Bytes(number);
    }

    private static long number(String value) {
        int end = 0;
        while (end < value.length() && value.charAt(end) >= '0' && value.charAt(end) <= '9') end++;
        return KeyValues.number(value.substring(0, end)).orElse(0);
    }
}
