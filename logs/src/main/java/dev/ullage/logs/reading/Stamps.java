// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import dev.ullage.measure.Seconds;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the time stamps that programs write. All of them begin at a known place of a line, so nothing is searched for
/// in its middle: a date in a message is not when it was said.
final class Stamps {
    private static final String CLOCK = "(\\d\\d):(\\d\\d):(\\d\\d)(?:[.,](\\d{1,9}))?";

    /// `2026-12-01T05:55:22.123Z`, `2026/12/01 05:55:22`, `2026-12-01 05:55:22,123 +0200`
    private static final Pattern ISO = Pattern.compile(
            "(\\d{4})[-/](\\d\\d)[-/](\\d\\d)[T ]" + CLOCK + "( ?Z\\b| UTC\\b| ?[+-]\\d\\d:?\\d\\d\\b)?");
    /// `12/01/2026-05:55:22`: TensorRT-LLM
    private static final Pattern AMERICAN = Pattern.compile("(\\d\\d)/(\\d\\d)/(\\d{4})-" + CLOCK);
    /// `02-26 09:54:02`: vLLM
    private static final Pattern DAY = Pattern.compile("(\\d\\d)-(\\d\\d) " + CLOCK);
    /// `May 16 17:44:49`, `Mar 14 01:57:54 2019`
    private static final Pattern MONTH = Pattern.compile("(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?"
            + "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}(\\d{1,2}) " + CLOCK
            + "(?: (\\d{4})(?![\\w.:-]))?");
    /// `E1022 07:41:58.123456`: glog, klog, torch's C++
    private static final Pattern GLOG = Pattern.compile("[DEFIVW](\\d\\d)(\\d\\d) " + CLOCK);

    private static final Pattern OF_DAY = Pattern.compile(CLOCK + "(?![:\\d])");
    private static final Pattern EPOCH = Pattern.compile("(1[4-9]\\d{8})\\.(\\d{1,9})(?= )");
    /// `0.11.809.210 I `, `1.06.520.077 E `
    private static final Pattern LLAMA = Pattern.compile("(\\d{1,6})\\.(\\d\\d)\\.(\\d{3})\\.(\\d{3}) (?=[DEIW]\\b)");

    private static final Pattern LEVEL = Pattern.compile("\\[?[A-Za-z]{4,8}\\]?:? {1,4}\\[?");
    private static final List<String> KEYS = List.of(
            "time=",
            "ts=",
            "timestamp=",
            "asctime=",
            "\"time\":",
            "\"ts\":",
            "\"timestamp\":",
            "\"@timestamp\":",
            "\"asctime\":");
    private static final int FARTHEST_KEY = 400;
    private static final List<String> MONTHS =
            List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");

    private Stamps() {}

    /// @param end where in the line it ends
    record Found(Stamp stamp, int end) {}

    /// The stamp that begins exactly at `from`.
    static Optional<Found> at(String line, int from) {
        if (from >= line.length()) return Optional.empty();
        char first = line.charAt(from);
        try {
            if (first >= '0' && first <= '9') return number(line, from);
            if (first >= 'A' && first <= 'Z') return word(line, from);
        } catch (DateTimeException e) {
            // The 31st of February, 25 o'clock: digits that are no time.
        }
        return Optional.empty();
    }

    /// The stamp that a program put near the beginning of what it said: at once, in brackets, behind the level, or
    /// under
    /// a key.
    static Optional<Found> in(String text) {
        Optional<Found> found = at(text, 0);
        if (found.isPresent() || text.isEmpty()) return found;
        char first = text.charAt(0);
        if (first == '[' || first == '(') {
            found = at(text, 1);
            if (found.isPresent()) return found;
        }
        if (first == '{' || text.startsWith("time") || text.startsWith("ts=") || text.startsWith("level=")) {
            found = underKey(text);
            if (found.isPresent()) return found;
        }
        Matcher level = LEVEL.matcher(text);
        return level.lookingAt() ? at(text, level.end()) : Optional.empty();
    }

    private static Optional<Found> underKey(String text) {
        String head = text.substring(0, Math.min(text.length(), FARTHEST_KEY));
        for (String key : KEYS) {
            int at = head.indexOf(key);
            if (at < 0) continue;
            int value = at + key.length();
            while (value < text.length() && (text.charAt(value) == '"' || text.charAt(value) == ' ')) value++;
            Optional<Found> found = at(text, value);
            if (found.isPresent()) return found;
        }
        return Optional.empty();
    }

    private static Optional<Found> number(String line, int from) {
        Matcher m = ISO.matcher(line);
        m.region(from, line.length());
        if (m.lookingAt()) {
            LocalDateTime time = LocalDateTime.of(
                    Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)), Integer.parseInt(m.group(3)), 0, 0);
            time = time.toLocalDate().atTime(clock(m, 4));
            String zone = m.group(8);
            if (zone == null) return Optional.of(new Found(new Stamp.WithoutZone(time), m.end()));
            return Optional.of(new Found(new Stamp.Exact(time.toInstant(offset(zone.strip()))), m.end()));
        }
        if (looksAt(m.usePattern(DAY)))
            return Optional.of(new Found(
                    withoutYear(Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)), clock(m, 3)), m.end()));
        if (looksAt(m.usePattern(OF_DAY))) return Optional.of(new Found(new Stamp.OfDay(clock(m, 1)), m.end()));
        if (looksAt(m.usePattern(EPOCH)))
            return Optional.of(new Found(
                    new Stamp.Exact(Instant.ofEpochSecond(Long.parseLong(m.group(1)), nanos(m.group(2)))), m.end()));
        if (looksAt(m.usePattern(AMERICAN))) {
            LocalDateTime day = LocalDateTime.of(
                    Integer.parseInt(m.group(3)), Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)), 0, 0);
            return Optional.of(new Found(new Stamp.WithoutZone(day.toLocalDate().atTime(clock(m, 4))), m.end()));
        }
        if (looksAt(m.usePattern(LLAMA))) {
            double seconds = Integer.parseInt(m.group(1)) * 60.0
                    + Integer.parseInt(m.group(2))
                    + Integer.parseInt(m.group(3)) / 1e3
                    + Integer.parseInt(m.group(4)) / 1e6;
            return Optional.of(new Found(new Stamp.SinceStart(new Seconds(seconds)), m.end()));
        }
        return Optional.empty();
    }

    private static Optional<Found> word(String line, int from) {
        Matcher m = MONTH.matcher(line);
        m.region(from, line.length());
        if (m.lookingAt()) {
            int month = MONTHS.indexOf(m.group(1)) + 1;
            int day = Integer.parseInt(m.group(2));
            LocalTime time = clock(m, 3);
            if (m.group(7) == null) return Optional.of(new Found(withoutYear(month, day, time), m.end()));
            LocalDateTime whole = LocalDateTime.of(Integer.parseInt(m.group(7)), month, day, 0, 0);
            return Optional.of(
                    new Found(new Stamp.WithoutZone(whole.toLocalDate().atTime(time)), m.end()));
        }
        if (looksAt(m.usePattern(GLOG)))
            return Optional.of(new Found(
                    withoutYear(Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)), clock(m, 3)), m.end()));
        // `Tue 2026-12-01 05:55:22 UTC`: journalctl -o short-full
        if (line.startsWith(" 2", from + 3) && "MonTueWedThuFriSatSun".contains(line.substring(from, from + 3)))
            return number(line, from + 4);
        return Optional.empty();
    }

    private static boolean looksAt(Matcher matcher) {
        return matcher.lookingAt();
    }

    /// The year 2024 has every day there is.
    private static Stamp withoutYear(int month, int day, LocalTime time) {
        return new Stamp.WithoutYear(
                month, LocalDateTime.of(2024, month, day, 0, 0).getDayOfMonth(), time);
    }

    private static LocalTime clock(Matcher m, int group) {
        int second = Integer.parseInt(m.group(group + 2));
        return LocalTime.of(
                Integer.parseInt(m.group(group)),
                Integer.parseInt(m.group(group + 1)),
                Math.min(second, 59), // a leap second
                nanos(m.group(group + 3)));
    }

    private static int nanos(String fraction) {
        if (fraction == null) return 0;
        return Integer.parseInt((fraction + "00000000").substring(0, 9));
    }

    private static ZoneOffset offset(String zone) {
        if (zone.equals("Z") || zone.equals("UTC")) return ZoneOffset.UTC;
        return ZoneOffset.of(zone.length() == 5 ? zone.substring(0, 3) + ":" + zone.substring(3) : zone);
    }
}
