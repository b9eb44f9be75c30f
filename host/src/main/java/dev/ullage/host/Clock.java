// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import dev.ullage.measure.Seconds;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/// When an instant was: by the wall, for people and logs, and by a clock that only goes forward, for rates. A step of
/// the wall clock in the window (NTP, a resumed VM) must not make a rate.
///
/// @param wall empty when the recorded host does not say
/// @param monotonic seconds since some fixed moment
public record Clock(Optional<Instant> wall, Seconds monotonic) {
    /// `2026-11-30T22:28:17.123Z 4567.891`; `-` stands for an unknown wall clock.
    public static Clock parse(String text) {
        String[] words = text.strip().split("\\s+");
        Optional<Instant> wall = Optional.empty();
        double monotonic = 0;
        try {
            if (!words[0].equals("-")) wall = Optional.of(Instant.parse(words[0]));
        } catch (DateTimeException e) {
            wall = Optional.empty();
        }
        try {
            if (words.length > 1) monotonic = Double.parseDouble(words[1]);
        } catch (NumberFormatException e) {
            monotonic = 0;
        }
        return new Clock(wall, new Seconds(monotonic));
    }
}
