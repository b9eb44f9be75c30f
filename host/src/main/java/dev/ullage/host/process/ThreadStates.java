// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
import dev.ullage.host.Fact;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;

/// What a process did when looked at twenty times a second: the stall meter that works on every kernel.
///
/// Delay accounting is off by default since 5.14 and PSI is not kept per cgroup v1, so the share of the window a
/// server *waited* is sampled: at each look it waits if any of its threads is in state D (a page fault or read that
/// needs the disk, a swap-in, a throttled request), else runs if any is in state R, else it sleeps.
///
/// @param polls how often it was looked at
public record ThreadStates(long polls, long waiting, long running, long sleeping) {
    public static final Fact<ProcessId, ThreadStates> FACT = new Fact<>(
            "what its threads were doing", "/proc/<pid>/task/*/stat", Cadence.END, "", (root, id) -> root.ask(
                            Call.THREAD_STATES, String.valueOf(id.pid()))
                    .flatMap(ThreadStates::parse));

    /// `polls=58 waiting=40 running=10 sleeping=8`.
    public static Reading<ThreadStates> parse(String text) {
        KeyValues pairs = KeyValues.parsePairs(text);
        long[] counts = {pairs.orZero("waiting"), pairs.orZero("running"), pairs.orZero("sleeping")};
        boolean fits = pairs.orZero("polls") > 0;
        long left = pairs.orZero("polls");
        for (long count : counts) {
            fits &= count >= 0 && count <= left;
            left -= Math.max(0, count);
        }
        if (!fits) return Reading.malformed("thread-states", text, "\"polls=<number> …\"");
        return Reading.of(new ThreadStates(
                pairs.orZero("polls"), pairs.orZero("waiting"), pairs.orZero("running"), pairs.orZero("sleeping")));
    }

    /// The share of looks that found a thread waiting uninterruptibly.
    public Ratio waitingShare() {
        return new Ratio((double) waiting / polls);
    }

    public Ratio runningShare() {
        return new Ratio((double) running / polls);
    }
}
