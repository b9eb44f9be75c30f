// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.host.KeyValues;
import dev.ullage.measure.Seconds;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One line of a kernel log as some program wrote it, taken apart into time and text.
///
/// ```
/// 6,339,5140900,-,caller=T812;text                       /dev/kmsg: level, sequence, microseconds, flags
/// [26002.108918] text                                    dmesg
/// [    5.140900][  T812] text                            the same, CONFIG_PRINTK_CALLER
/// kern  :err   : [    5.140900] text                     dmesg -x
/// <4>[    5.140900] text                                 dmesg -r
/// [Mon May  5 10:00:00 2025] text                        dmesg -T: no seconds since boot
/// 2025-05-05T10:00:00,123456+00:00 text                  dmesg --time-format=iso
/// May 16 17:44:49 host kernel: [26002.108918] text       syslog
/// [26002.108918] host kernel: text                       journalctl -o short-monotonic
/// kernel: text
/// ```
/// A row of the OOM killer's task table, `[   4159]     0  4159 …`, is no time: it has no point.
///
/// @param sinceBoot empty where the line does not say
/// @param continues whether it goes on with the record before it (flag `+` of kernels before 4.9)
record LogLine(Form form, Optional<Seconds> sinceBoot, boolean continues, String text) {
    enum Form {
        /// A record of /dev/kmsg; its text may hold newlines.
        KMSG,
        /// Text behind the prefix of some program.
        PREFIXED,
        /// A line without any prefix.
        BARE
    }

    static final LogLine NONE = new LogLine(Form.BARE, Optional.empty(), false, "");

    /// At most seven words with a time among them, then `kernel:`.
    private static final Pattern JOURNAL =
            Pattern.compile("((?:\\S{0,127}[^\\s:] {1,2}){0,7})kernel(?:\\[\\d{1,10}])?: ?");

    private static final Pattern LEVEL = Pattern.compile("<\\d{1,3}>|[a-z0-7]{3,8} *:[a-z]{3,8} *: ");
    private static final Pattern SECONDS = Pattern.compile("\\[ *(\\d{1,12}\\.\\d{1,9})(?: <[^>]{1,20}>)?] ?");
    private static final Pattern WALL_CLOCK =
            Pattern.compile("\\[(?:[A-Z][a-z]{2} |\\d{4}-\\d\\d-\\d\\d)[^]]{0,40}\\d\\d:\\d\\d[^]]{0,40}]:? ?"
                    + "|\\[ *\\+\\d{1,9}\\.\\d{1,9}] ?|\\d{4}-\\d\\d-\\d\\dT[\\d:.,]{5,20}(?:Z|[+-]\\d\\d:?\\d\\d)? ");
    private static final Pattern CALLER = Pattern.compile("\\[ *[TC]\\d{1,10}] ?");
    private static final Pattern TIME_OF_DAY = Pattern.compile("\\d\\d:\\d\\d:\\d\\d");

    static LogLine parse(String line) {
        String whole = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
        return kmsg(whole).orElseGet(() -> prefixed(whole));
    }

    boolean isIndented() {
        return form == Form.BARE && !text.isEmpty() && (text.charAt(0) == ' ' || text.charAt(0) == '\t');
    }

    LogLine at(Optional<Seconds> time) {
        return new LogLine(form, time, continues, text);
    }

    private static Optional<LogLine> kmsg(String line) {
        int sequence = behindNumber(line, 0);
        int time = sequence < 0 ? -1 : behindNumber(line, sequence);
        int flags = time < 0 ? -1 : behindNumber(line, time);
        int semicolon = flags < 0 ? -1 : line.indexOf(';', flags);
        if (semicolon < 0 || semicolon > 256) return Optional.empty();
        Seconds sinceBoot = Seconds.ofMicros(
                KeyValues.number(line.substring(time, flags - 1)).orElse(0));
        String text = KmsgEscapes.undo(line.substring(semicolon + 1));
        boolean continues = semicolon > flags && line.charAt(flags) == '+';
        return Optional.of(new LogLine(Form.KMSG, Optional.of(sinceBoot), continues, text));
    }

    /// Where the next part begins, behind a number and its comma; −1 if there is no such thing at `start`.
    private static int behindNumber(String line, int start) {
        int end = start;
        while (end < line.length() && isDigit(line.charAt(end))) end++;
        return end > start && end < line.length() && line.charAt(end) == ',' ? end + 1 : -1;
    }

    private static LogLine prefixed(String line) {
        Optional<Seconds> time = Optional.empty();
        String rest = line;
        Matcher journal = JOURNAL.matcher(rest);
        if (line.contains("kernel") && journal.lookingAt() && saysWhen(journal.group(1))) {
            time = seconds(journal.group(1));
            rest = rest.substring(journal.end());
        }
        rest = without(LEVEL, rest);
        Matcher seconds = SECONDS.matcher(rest);
        if (seconds.lookingAt()) {
            time = seconds(rest);
            rest = rest.substring(seconds.end());
        } else {
            rest = without(WALL_CLOCK, rest);
        }
        rest = without(CALLER, rest);
        return new LogLine(rest.length() == line.length() ? Form.BARE : Form.PREFIXED, time, false, rest);
    }

    /// So that "usb 1-1: kernel: x" keeps its text.
    private static boolean saysWhen(String before) {
        return before.isEmpty()
                || TIME_OF_DAY.matcher(before).find()
                || SECONDS.matcher(before).lookingAt();
    }

    private static Optional<Seconds> seconds(String text) {
        Matcher seconds = SECONDS.matcher(text);
        return seconds.lookingAt() ? Optional.of(new Seconds(Double.parseDouble(seconds.group(1)))) : Optional.empty();
    }

    private static String without(Pattern prefix, String text) {
        Matcher matcher = prefix.matcher(text);
        return matcher.lookingAt() ? text.substring(matcher.end()) : text;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }
}
