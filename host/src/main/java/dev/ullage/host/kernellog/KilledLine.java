// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.host.KeyValues;
import dev.ullage.measure.Bytes;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The line that says who was killed, as nine kernels wrote it:
///
/// ```
/// Out of memory: Kill process 2188 (mysqld) score 60 or sacrifice child                                     until 5.0
/// Killed process 2188 (mysqld) total-vm:3330016kB, anon-rss:864176kB, file-rss:8072kB                       3.x
/// Killed process 2188, UID 679, (java) total-vm:11017300kB, anon-rss:7152432kB, file-rss:1232kB             RHEL 6
/// Killed process 2188 (java), UID 1000, total-vm:33027492kB, anon-rss:31303276kB, …, shmem-rss:0kB          RHEL 7
/// Killed process 2188 (stress) total-vm:1579488kB, anon-rss:1048132kB, file-rss:12kB, shmem-rss:0kB         4.5
/// Memory cgroup out of memory: Killed process 2188 (x) total-vm:…kB, …, shmem-rss:0kB                       5.1
/// Memory cgroup out of memory: Killed process 2188 (x) total-vm:…, UID:0 pgtables:160kB oom_score_adj:0     5.3
/// ```
/// Mistake people make: splitting at blanks or the first bracket. A name may be `tokio (w) 1`.
final class KilledLine {
    private KilledLine() {}

    private static final Pattern KILLED =
            Pattern.compile("(?:(.{1,80}?): )?Killed process (\\d{1,10})(?:, UID (\\d{1,10}),)? \\((.{0,64})\\)(.*)");
    private static final Pattern CHOSEN =
            Pattern.compile("(?:(.{1,80}?): )?Kill process (\\d{1,10}) \\((.{0,64})\\) score \\d.*");
    private static final Pattern UID = Pattern.compile("UID[: ](\\d{1,10})\\b");
    private static final Pattern SCORE = Pattern.compile("oom_score_adj:(-?\\d{1,5})\\b");

    static Optional<OomLine> parse(String text) {
        Optional<OomLine> killed = OomLine.match(KILLED, text).flatMap(KilledLine::killed);
        return killed.or(() -> OomLine.match(CHOSEN, text).flatMap(m -> OomLine.pid(m.group(2))
                .map(pid -> new OomLine.Choice(orEmpty(m.group(1)), pid, m.group(3)))));
    }

    private static Optional<OomLine> killed(Matcher m) {
        String numbers = m.group(5);
        OptionalLong uid = m.group(3) == null ? number(UID, numbers) : KeyValues.number(m.group(3));
        OptionalLong score = number(SCORE, numbers);
        return OomLine.pid(m.group(2))
                .map(pid -> new OomLine.Kill(
                        orEmpty(m.group(1)),
                        new OomVictim(
                                pid,
                                m.group(4),
                                Optional.empty(),
                                uid,
                                amount("total-vm:", numbers),
                                amount("anon-rss:", numbers),
                                amount("file-rss:", numbers),
                                amount("shmem-rss:", numbers),
                                score.isPresent() ? OptionalInt.of((int) score.getAsLong()) : OptionalInt.empty())));
    }

    /// Empty also when the line ends within the number.
    private static Optional<Bytes> amount(String key, String numbers) {
        int start = numbers.indexOf(key);
        if (start < 0) return Optional.empty();
        int end = numbers.indexOf("kB", start);
        if (end < 0) return Optional.empty();
        String digits = numbers.substring(start + key.length(), end);
        return KeyValues.number(digits).isPresent() ? Optional.of(OomNumbers.kib(digits)) : Optional.empty();
    }

    private static OptionalLong number(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? KeyValues.number(matcher.group(1)) : OptionalLong.empty();
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }
}
