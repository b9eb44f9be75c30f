// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import dev.ullage.measure.Seconds;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Puts the stamps of one input on one line: adds the year, the zone, the day that they leave out, from their
/// neighbours and from when the file was last written, and says what it guessed.
///
/// - Zone: a line with two stamps (docker's in UTC around the program's own) tells it; so does a file that was last
///   written the moment its last stamp says, but for whole half hours. Else it is what the caller chose.
/// - Year: the one that brings the stamp nearest to the line before; for the first, the latest that is not after the
///   file was written.
/// - Day: that of the line before, or the next one where the clock goes back by more than half a day.
/// - Boot: where a line has the kernel's clock and another time, by their difference.
final class TimeLine {
    private static final Duration DAY = Duration.ofDays(1);
    /// A program and the file system write down the same moment seconds apart.
    private static final long SAME_MOMENT_S = 5;

    private static final int FARTHEST_ZONE_S = 14 * 3600;

    private final Instant reference;
    private final boolean referenceIsFile;
    private final Set<String> guesses = new LinkedHashSet<>();
    private ZoneOffset zone;
    private boolean zoneIsKnown;
    private Optional<Instant> boot = Optional.empty();
    private Instant last;

    /// @param lastWritten when the file was last written, if it is one
    /// @param now when it is read
    /// @param zone what times without a zone are taken for
    TimeLine(Optional<Instant> lastWritten, Instant now, ZoneOffset zone) {
        this.reference = lastWritten.orElse(now);
        this.referenceIsFile = lastWritten.isPresent();
        this.zone = zone;
    }

    /// What was guessed so far, each once, as sentences without a full stop.
    List<String> guesses() {
        return List.copyOf(guesses);
    }

    /// Learns the zone from the last stamp of a file.
    void endsWith(List<Stamp> stamps) {
        for (Stamp stamp : stamps) {
            Optional<LocalDateTime> local =
                    switch (stamp) {
                        case Stamp.WithoutZone it -> Optional.of(it.time());
                        case Stamp.WithoutYear it -> Optional.of(nearestYear(it, reference));
                        case Stamp.Exact _, Stamp.OfDay _, Stamp.SinceBoot _, Stamp.SinceStart _ -> Optional.empty();
                    };
            if (local.isEmpty() || !referenceIsFile) continue;
            learnZone(local.get(), reference, 1800)
                    .ifPresent(found -> guesses.add("times without a zone are taken as " + name(found)
                            + ": the file was last written when its last line says, in that zone"));
        }
    }

    /// @param stamps of one line, the outermost first
    Optional<Instant> resolve(List<Stamp> stamps) {
        Optional<Instant> resolved = exact(stamps);
        if (resolved.isPresent()) {
            for (Stamp stamp : stamps)
                if (stamp instanceof Stamp.WithoutZone local && !zoneIsKnown)
                    learnZone(local.time(), resolved.get(), 900)
                            .ifPresent(found -> guesses.add("times without a zone are taken as " + name(found)
                                    + ": lines that have both show it"));
        } else {
            for (Stamp stamp : stamps) {
                resolved = guess(stamp);
                if (resolved.isPresent()) break;
            }
        }
        for (Stamp stamp : stamps) {
            if (!(stamp instanceof Stamp.SinceBoot since)) continue;
            if (resolved.isEmpty()) resolved = boot.map(start -> start.plus(duration(since.seconds())));
            else boot = resolved.map(time -> time.minus(duration(since.seconds())));
        }
        resolved.ifPresent(time -> last = time);
        return resolved;
    }

    private static Optional<Instant> exact(List<Stamp> stamps) {
        for (int i = stamps.size() - 1; i >= 0; i--)
            if (stamps.get(i) instanceof Stamp.Exact exact) return Optional.of(exact.instant());
        return Optional.empty();
    }

    private Optional<Instant> guess(Stamp stamp) {
        return switch (stamp) {
            case Stamp.Exact it -> Optional.of(it.instant());
            case Stamp.WithoutZone it -> Optional.of(inZone(it.time()));
            case Stamp.WithoutYear it -> Optional.of(inZone(withYear(it)));
            case Stamp.OfDay it -> last == null ? Optional.empty() : Optional.of(inZone(onDay(it.time())));
            case Stamp.SinceBoot _, Stamp.SinceStart _ -> Optional.empty();
        };
    }

    private Instant inZone(LocalDateTime time) {
        if (!zoneIsKnown) guesses.add("times without a zone are taken as " + name(zone));
        return time.toInstant(zone);
    }

    private LocalDateTime withYear(Stamp.WithoutYear stamp) {
        if (last != null) return nearestYear(stamp, last);
        LocalDateTime time = nearestYear(stamp, reference);
        if (time.toInstant(zone).isAfter(reference.plus(DAY)))
            time = nearestYear(stamp, reference.minus(Duration.ofDays(366)));
        guesses.add("the year, which they do not say, is taken as " + time.getYear()
                + (referenceIsFile ? ", from when the file was last written" : ", the last in which that day was"));
        return time;
    }

    private LocalDateTime nearestYear(Stamp.WithoutYear stamp, Instant to) {
        LocalDateTime near = LocalDateTime.ofInstant(to, zone);
        LocalDateTime best = null;
        // Eight years hold a 29th of February even around 2100.
        for (int away = 0; away <= 8 && (best == null || away <= 1); away++)
            for (int year : new int[] {near.getYear() - away, near.getYear() + away}) {
                Optional<LocalDateTime> time = inYear(stamp, year);
                if (time.isPresent() && (best == null || apart(time.get(), near) < apart(best, near)))
                    best = time.get();
            }
        return best == null ? near : best;
    }

    private static Optional<LocalDateTime> inYear(Stamp.WithoutYear stamp, int year) {
        try {
            return Optional.of(LocalDate.of(year, stamp.month(), stamp.day()).atTime(stamp.time()));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static long apart(LocalDateTime one, LocalDateTime other) {
        return Duration.between(one, other).abs().toSeconds();
    }

    private LocalDateTime onDay(LocalTime time) {
        LocalDateTime before = LocalDateTime.ofInstant(last, zone);
        guesses.add("the day of times without a date is that of the line before");
        LocalDateTime same = before.toLocalDate().atTime(time);
        if (Duration.between(same, before).toHours() >= 12) return same.plusDays(1);
        if (Duration.between(before, same).toHours() >= 12) return same.minusDays(1);
        return same;
    }

    /// @param step what zones differ by, in seconds
    private Optional<ZoneOffset> learnZone(LocalDateTime local, Instant exact, int step) {
        long ahead = Duration.between(exact, local.toInstant(ZoneOffset.UTC)).toSeconds();
        long rounded = Math.round((double) ahead / step) * step;
        if (zoneIsKnown || Math.abs(ahead - rounded) > SAME_MOMENT_S || Math.abs(rounded) > FARTHEST_ZONE_S)
            return Optional.empty();
        zone = ZoneOffset.ofTotalSeconds((int) rounded);
        zoneIsKnown = true;
        return Optional.of(zone);
    }

    /// What a line says about the time since the boot or the start.
    static Optional<Seconds> clock(List<Stamp> stamps) {
        for (Stamp stamp : stamps) {
            if (stamp instanceof Stamp.SinceBoot it) return Optional.of(it.seconds());
            if (stamp instanceof Stamp.SinceStart it) return Optional.of(it.seconds());
        }
        return Optional.empty();
    }

    private static Duration duration(Seconds seconds) {
        return Duration.ofNanos((long) (seconds.seconds() * 1e9));
    }

    private static String name(ZoneOffset zone) {
        return zone.equals(ZoneOffset.UTC) ? "UTC" : "UTC" + zone;
    }
}
