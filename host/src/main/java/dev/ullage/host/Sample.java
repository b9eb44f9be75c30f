// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import dev.ullage.measure.Reading;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// What was read at one instant: readings by fact and by what the fact is about.
public final class Sample {
    private final Clock clock;
    private final Map<Fact<?, ?>, Map<Object, Reading<?>>> readings = new HashMap<>();

    Sample(Clock clock) {
        this.clock = clock;
    }

    public Clock clock() {
        return clock;
    }

    <K, T> void put(Fact<K, T> fact, K about, Reading<T> reading) {
        readings.computeIfAbsent(fact, _ -> new LinkedHashMap<>()).put(about, reading);
    }

    /// The reading, or null when the fact was not looked for at this instant.
    @SuppressWarnings("unchecked") // put() lets only a Reading<T> in under a Fact<?, T>.
    <K, T> Reading<T> get(Fact<K, T> fact, K about) {
        return (Reading<T>) readings.getOrDefault(fact, Map.of()).get(about);
    }

    @SuppressWarnings("unchecked") // and only a K
    <K> Set<K> subjects(Fact<K, ?> fact) {
        return (Set<K>) readings.getOrDefault(fact, Map.of()).keySet();
    }
}
