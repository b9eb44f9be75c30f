// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.modelfiles.MemoryDump;
import dev.ullage.modelfiles.pickle.Data;
import dev.ullage.modelfiles.pickle.DictOf;
import dev.ullage.modelfiles.pickle.ListOf;
import dev.ullage.modelfiles.pickle.Pickle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A file of `torch.cuda.memory._dump_snapshot`, or the pickled list of `torch.cuda.memory_snapshot()`: what torch's
/// allocator holds on each GPU, who asked for it, and what happened before.
///
/// Read as it comes: of the file only sums, the distinct stacks and 512 points of the line over time are kept.
///
/// @param settings PYTORCH_CUDA_ALLOC_CONF and what came of it: `expandable_segments` → `false`
public record TorchSnapshot(String file, List<DeviceMemory> devices, Map<String, String> settings)
        implements MemoryDump {
    /// Places that hold memory, of each device, that are kept with their stacks.
    public static final int HOLDERS = 50;

    private static final int MOST_SETTINGS = 64;

    /// The snapshot in a pickle that was read with [TorchFolding], or absent when the pickle is of something else.
    public static Reading<TorchSnapshot> of(String file, Pickle pickle) {
        SegmentTotals segments = null;
        ListOf traces = null;
        Map<String, String> settings = Map.of();
        switch (pickle.root()) {
            // memory_snapshot(), and _snapshot() before torch 2.0: only the segments.
            case ListOf list -> segments = list.gathered() instanceof SegmentTotals found ? found : null;
            case DictOf dict -> {
                if (dict.get("segments") instanceof ListOf list)
                    segments = list.gathered() instanceof SegmentTotals found
                            ? found
                            : list.items().isEmpty() ? new SegmentTotals() : null;
                if (dict.get("device_traces") instanceof ListOf list) traces = list;
                if (dict.get("allocator_settings") instanceof DictOf given) settings = settings(given);
            }
            case Data other -> {
                return notOne(file, other);
            }
        }
        if (segments == null) return notOne(file, pickle.root());

        TreeMap<Integer, Replay> replays = new TreeMap<>();
        if (traces != null) {
            int device = 0;
            for (Data trace : traces.items()) {
                if (trace instanceof ListOf list && list.gathered() instanceof Replay replay)
                    replays.put(device, replay);
                if (++device == 1024) break;
            }
        }
        // A GPU on which everything was freed has no segments any more, but a trace.
        for (int device : replays.keySet()) segments.devices.computeIfAbsent(device, _ -> new SegmentTotals.Device());
        List<DeviceMemory> devices = new ArrayList<>();
        for (var entry : segments.devices.entrySet()) {
            String source = file + " device_traces[" + entry.getKey() + "]";
            Replay replay = replays.get(entry.getKey());
            SegmentTotals.Device device = entry.getValue();
            Reading<History> history = replay == null
                    ? Reading.absent(
                            source,
                            AbsentCause.NOT_RECORDED,
                            "call torch.cuda.memory._record_memory_history() before the program allocates")
                    : Reading.of(History.of(replay, device.blocks.requested, device.reserved, source));
            devices.add(DeviceMemory.of(entry.getKey(), device, history));
        }
        return Reading.of(new TorchSnapshot(file, List.copyOf(devices), settings));
    }

    private static Map<String, String> settings(DictOf given) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (Data key : given.keys()) {
            String name = key.orElse("");
            if (name.isEmpty() || settings.size() == MOST_SETTINGS) continue;
            String value =
                    switch (given.get(name)) {
                        case Data.Text(String text) -> text;
                        case Data.Truth(boolean truth) -> String.valueOf(truth);
                        case Data.Whole(long whole) -> String.valueOf(whole);
                        case Data.Real(double real) -> String.valueOf(real);
                        case null, default -> "";
                    };
            if (!value.isEmpty()) settings.put(name, value);
        }
        return settings;
    }

    private static Reading<TorchSnapshot> notOne(String file, Data root) {
        String found =
                switch (root) {
                    case DictOf dict -> "a dict of " + dict.size() + " entries without \"segments\"";
                    case ListOf _ -> "a list of something else than segments";
                    default -> "something else";
                };
        return Reading.absent(
                file,
                AbsentCause.MALFORMED,
                "found " + found + ", expected what torch.cuda.memory._dump_snapshot writes");
    }

    @Override
    public List<String> shown() {
        return TorchText.of(this);
    }
}
