// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.modelfiles.TopTable;
import java.util.ArrayList;
import java.util.List;

/// A torch snapshot as text of 80 columns.
final class TorchText {
    private static final int HOLDERS = 8;

    private TorchText() {}

    static List<String> of(TorchSnapshot snapshot) {
        List<String> lines = new ArrayList<>();
        for (DeviceMemory device : snapshot.devices()) device(device, lines);
        if (snapshot.devices().isEmpty()) lines.add("no GPU memory is held, and none was recorded");
        String conf = snapshot.settings().get("PYTORCH_CUDA_ALLOC_CONF");
        if (conf != null) lines.add("allocator settings: " + TopTable.clean(conf));
        return lines;
    }

    private static void device(DeviceMemory device, List<String> lines) {
        lines.add("GPU " + device.device() + ": " + device.allocated().shown() + " allocated of "
                + device.reserved().shown() + " reserved by torch");
        if (device.reserved().bytes() > 0)
            lines.add("  free in it " + device.unallocated().shown() + ": largest piece "
                    + device.largestFree().shown() + ", " + device.freeBlocks().shown() + " pieces; "
                    + device.stuck().shown() + " stuck");
        if (device.history() instanceof Reading.Present<History>(History history)) {
            lines.add("  peak " + history.peakAllocated().shown() + " allocated, "
                    + history.peakReserved().shown() + " reserved, in "
                    + history.events().shown() + " events"
                    + history.length().map(length -> " over " + length.shown()).orElse(""));
            if (!history.failures().isEmpty())
                failure(
                        device,
                        history.failures().getLast(),
                        history.failureCount().count(),
                        lines);
        }
        if (device.biggest().isEmpty()) return;
        List<TopTable.Row> rows = device.biggest().stream()
                .limit(HOLDERS)
                .map(holder -> new TopTable.Row(
                        holder.held(), holder.blocks(), holder.stack().shown()))
                .toList();
        TopTable.lines(rows, device.allocated()).forEach(lines::add);
        long more = device.places().count() - rows.size();
        if (more > 0) lines.add("             and " + more + " more places");
    }

    private static void failure(DeviceMemory device, FailedRequest failed, long count, List<String> lines) {
        lines.add("  out of memory" + (count > 1 ? ", " + count + " times; the last" : "") + ": asked "
                + failed.asked().shown()
                + failed.beforeEnd()
                        .map(ago -> ", " + ago.shown() + " before the end")
                        .orElse(""));
        lines.add("    then " + failed.allocatedThen().shown() + " allocated, "
                + failed.unallocatedThen().shown() + " free in torch, "
                + failed.deviceFree().map(Bytes::shown).orElse("unknown") + " at the driver");
        if (failed.movesAfter() == 0)
            lines.add("    largest free piece it could use: "
                    + device.largestFreeFor(failed.stream()).shown());
        else lines.add("    " + failed.movesAfter() + " allocations and frees came after it");
        lines.add("    by " + TopTable.clean(failed.stack().shown()));
    }
}
