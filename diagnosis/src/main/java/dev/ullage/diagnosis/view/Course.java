// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.measure.Quantity;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeSet;

/// A few numbers of one unit over the window.
///
/// An amount is known at instants; a rate, a share and an average are known between two instants. `at` holds the
/// instants of amounts, and the *ends* of intervals; the first interval begins at [#begin].
///
/// @param unit as [Quantity#unit()] has it
/// @param begin the first instant, from which the first interval lasts to the first of `at`
/// @param at seconds since the window began, ascending
public record Course(
        String title, String unit, boolean isPerInterval, Seconds begin, List<Seconds> at, List<Line> lines) {
    /// @param values one for each of `at`; empty where it was not seen
    public record Line(String name, List<Optional<Quantity>> values) {
        public Optional<Quantity> least() {
            return values.stream().flatMap(Optional::stream).min(Comparator.comparingDouble(Quantity::value));
        }

        public Optional<Quantity> most() {
            return values.stream().flatMap(Optional::stream).max(Comparator.comparingDouble(Quantity::value));
        }

        public Optional<Quantity> last() {
            return values.reversed().stream().flatMap(Optional::stream).findFirst();
        }
    }

    /// Puts lines together whose instants need not be the same.
    static Course of(
            String title,
            String unit,
            boolean isPerInterval,
            Seconds begin,
            Map<String, NavigableMap<Seconds, Quantity>> lines) {
        TreeSet<Seconds> at = new TreeSet<>();
        lines.values().forEach(line -> at.addAll(line.keySet()));
        List<Line> joined = new ArrayList<>();
        lines.forEach((name, line) -> {
            if (!line.isEmpty())
                joined.add(new Line(
                        name,
                        at.stream().map(t -> Optional.ofNullable(line.get(t))).toList()));
        });
        return new Course(title, unit, isPerInterval, begin, List.copyOf(at), List.copyOf(joined));
    }

    /// Whether there is nothing to draw: nobody saw anything, or everything was zero all the time.
    public boolean isQuiet() {
        return lines.stream()
                .allMatch(line -> line.most().map(q -> q.value() <= 0).orElse(true));
    }

    public boolean isEmpty() {
        return lines.isEmpty();
    }
}
