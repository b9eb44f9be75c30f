// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.List;

/// What a device's memory did while `_record_memory_history` was on. Source: `device_traces`.
///
/// Amounts are as the program asked for them, before rounding. The trace may have lost its beginning (a ring of
/// `max_entries`); amounts are therefore counted back from the state at the end.
///
/// @param points at most 512, the highest of those that were put together into one
/// @param failures the last eight; `failureCount` says how many there were
public record History(
        Count events,
        Reading<Seconds> length,
        Bytes peakAllocated,
        Bytes peakReserved,
        List<Point> points,
        Count failureCount,
        List<FailedRequest> failures) {
    /// @param at since the first event; the number of the point where the trace has no times
    public record Point(double at, Bytes allocated, Bytes reserved) {}

    /// @param endAllocated asked for and held at the end, by the segments
    static History of(Replay replay, long endAllocated, long endReserved, String source) {
        // Never below nothing: a snapshot without segments, or one that lost some, leaves only the trace to go by.
        long allocatedShift = Math.max(endAllocated - replay.allocated, -replay.lowestAllocated);
        long reservedShift = Math.max(endReserved - replay.reserved, -replay.lowestReserved);
        boolean timed = replay.firstTime >= 0;
        List<Point> points = new ArrayList<>();
        Timeline line = replay.timeline;
        for (int i = 0; i < line.size; i++)
            points.add(new Point(
                    timed ? (line.time[i] - replay.firstTime) / 1e6 : i,
                    new Bytes(line.allocated[i] + allocatedShift),
                    new Bytes(line.reserved[i] + reservedShift)));
        List<FailedRequest> failures = new ArrayList<>();
        for (Replay.Failure failure : replay.lastFailures) {
            TraceEvent event = failure.event();
            failures.add(new FailedRequest(
                    new Bytes(event.size()),
                    event.deviceFree() < 0
                            ? Reading.absent(source, AbsentCause.NOT_RECORDED, "the oom event has no device_free")
                            : Reading.of(new Bytes(event.deviceFree())),
                    new Bytes(failure.allocated() + allocatedShift),
                    new Bytes(failure.reserved() + reservedShift),
                    event.stream(),
                    event.timeMicros() < 0
                            ? noTimes(source)
                            : Reading.of(new Seconds((replay.lastTime - event.timeMicros()) / 1e6)),
                    replay.moves - failure.number(),
                    event.stack()));
        }
        return new History(
                new Count(replay.events),
                timed ? Reading.of(new Seconds((replay.lastTime - replay.firstTime) / 1e6)) : noTimes(source),
                new Bytes(replay.highestAllocated + allocatedShift),
                new Bytes(replay.highestReserved + reservedShift),
                List.copyOf(points),
                new Count(replay.failures),
                List.copyOf(failures));
    }

    private static Reading<Seconds> noTimes(String source) {
        return Reading.absent(source, AbsentCause.NOT_RECORDED, "events have no time_us (torch before 2.1)");
    }
}
