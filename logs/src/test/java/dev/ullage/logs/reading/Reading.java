// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Reads an input for a test, on the first of December 2026.
public final class Reading {
    public static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");
    public static final ReadOptions OPTIONS = ReadOptions.plain(NOW);

    public final List<LogLine> lines = new ArrayList<>();
    public final ReadSummary summary;

    private Reading(LogSource source, ReadOptions options) {
        try (LogInput input = LogInput.open(source, options)) {
            input.everyLine(lines::add);
            summary = input.summary();
        } catch (Refused e) {
            throw new AssertionError(source.name() + " " + e.getMessage(), e);
        }
    }

    public static Reading of(String text) {
        return of(LogSource.text("test.log", text));
    }

    public static Reading of(byte[] bytes) {
        return of(LogSource.bytes("test.log", bytes));
    }

    public static Reading of(LogSource source) {
        return new Reading(source, OPTIONS);
    }

    public static Reading of(LogSource source, ReadOptions options) {
        return new Reading(source, options);
    }

    /// Why an input is refused.
    public static String refusal(byte[] bytes) {
        try (LogInput _ = LogInput.open(LogSource.bytes("test.log", bytes), OPTIONS)) {
            throw new AssertionError("it was not refused");
        } catch (Refused e) {
            return e.getMessage();
        }
    }

    public List<String> texts() {
        return lines.stream().map(LogLine::text).toList();
    }

    public List<String> workers() {
        return lines.stream().map(LogLine::worker).toList();
    }

    public List<String> times() {
        return lines.stream()
                .map(line -> line.time().map(Instant::toString).orElse("-"))
                .toList();
    }

    public List<Long> numbers() {
        return lines.stream().map(LogLine::number).toList();
    }
}
