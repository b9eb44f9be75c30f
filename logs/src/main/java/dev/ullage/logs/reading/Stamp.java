// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import dev.ullage.measure.Seconds;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;

/// What a line says about its time: often not all of it. [TimeLine] adds the rest.
sealed interface Stamp {
    /// `2026-12-01T05:55:22.123456789Z`, `time=2025-05-16T17:44:49.091+02:00`, a journal's microseconds.
    record Exact(Instant instant) implements Stamp {}

    /// `[2024-01-22 16:50:44,316]`, `[Thu Mar 14 01:57:54 2019]`: somewhere on Earth.
    record WithoutZone(LocalDateTime time) implements Stamp {}

    /// `INFO 02-26 09:54:02`, `May 16 17:44:49`, `E1022 07:41:58.123`: some year.
    record WithoutYear(int month, int day, LocalTime time) implements Stamp {}

    /// `17:44:49`: some day.
    record OfDay(LocalTime time) implements Stamp {}

    /// `[26002.108918]`: since the kernel started.
    record SinceBoot(Seconds seconds) implements Stamp {}

    /// `1.06.520.077 E`: minutes, seconds, milliseconds, microseconds since llama.cpp started.
    record SinceStart(Seconds seconds) implements Stamp {}
}
