// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Takes off what others put in front of what a program said, layer by layer.
///
/// ```
/// vllm-1  | text                                         docker compose
/// May 16 17:44:49 gpu1 ollama[6012]: text                syslog, journalctl
/// 2026-12-01T05:55:22.123456789Z text                    docker logs -t, kubectl logs --timestamps
/// [26002.108918] text · [    5.140900][  T812] text      dmesg
/// kern  :err   : [Thu Mar 14 01:57:54 2019] text         dmesg -x -T
/// (EngineCore_DP0 pid=17374) text · (raylet) text        vLLM, Ray
/// [rank3]: text · [default0]:text · [1,3]<stderr>:text   torch, torchrun, mpirun
/// [pod/vllm-0/server] text                               kubectl logs --prefix
/// ```
/// The program's own stamp (`INFO 02-26 09:54:02 [core.py:718]`) is read and stays.
final class Prefixes {
    private static final int MOST_LAYERS = 8;

    private static final Pattern COMPOSE =
            Pattern.compile("([A-Za-z0-9][\\w.-]{0,80}?)(?:(?<=[-_]\\d{1,3}) {1,60}| {2,60})\\|(?: |$)");
    private static final Pattern PRIORITY = Pattern.compile("<\\d{1,3}>(?:1 )?|[a-z0-7]{3,8} *:[a-z]{3,8} *: (?=\\[)");
    /// Behind a stamp: host, program, its pid.
    private static final Pattern SPEAKER = Pattern.compile(
            "(?: [A-Z]{3,5})? ([\\w.:-]{1,255}) ([A-Za-z_(][^\\s\\[\\]:]{0,80})(?:\\[(\\d{1,10})\\])?:(?: |$)");
    private static final Pattern MONOTONIC_SPEAKER =
            Pattern.compile("([\\w.-]{1,255}) ([A-Za-z_(][^\\s\\[\\]:]{0,80})(?:\\[(\\d{1,10})\\])?: ");
    private static final Pattern KERNEL_CLOCK =
            Pattern.compile("\\[ *(\\d{1,12}\\.\\d{1,9})(?: <[^>]{1,20}>)?\\] ?(?:\\[ *[TC]\\d{1,10}\\] ?)?");
    private static final Pattern KERNEL_DATE = Pattern.compile("\\[(?=(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z])");
    private static final Pattern WORKER =
            Pattern.compile("\\(((?:[A-Za-z_][\\w:.]{0,80}(?:[ ,][ \\w=.,:-]{0,100})? ?pid=\\d{1,10}[^()]{0,60})"
                    + "|raylet(?:, [^()]{1,60})?|autoscaler[^()]{0,60})\\)(?: |$)");
    private static final Pattern RANK = Pattern.compile("\\[(rank\\d{1,6}|default\\d{1,6})\\]:(?: |(?=\\S)|$)");
    private static final Pattern MPI = Pattern.compile("\\[(\\d{1,3},\\d{1,6})\\]<std(?:out|err)>: ?");
    private static final Pattern POD = Pattern.compile("\\[(pod/[\\w./-]{1,300})\\] ?");
    /// `[2025-07-02 07:41:58 DP0 TP0]`: SGLang puts its workers behind the stamp.
    private static final Pattern SGLANG = Pattern.compile(" ((?:[DTPE]P\\d{1,4} ?){1,4})\\]");

    private final List<String> workers = new ArrayList<>(2);
    private final List<Stamp> stamps = new ArrayList<>(2);
    private final String line;
    private int at;

    /// @param stamps the outermost first
    record Peeled(String worker, List<Stamp> stamps, String text) {}

    private Prefixes(String line) {
        this.line = line;
    }

    static Peeled peel(String line) {
        return new Prefixes(line).peel();
    }

    private Peeled peel() {
        for (int i = 0; i < MOST_LAYERS && layer(); i++) continue;
        String text = line.substring(at);
        Stamps.in(text).ifPresent(found -> {
            stamps.add(found.stamp());
            Matcher ranks = SGLANG.matcher(text);
            ranks.region(found.end(), text.length());
            if (ranks.lookingAt()) workers.add(ranks.group(1).strip());
        });
        return new Peeled(String.join(" / ", workers), stamps, text);
    }

    /// Whether there was one.
    private boolean layer() {
        if (at >= line.length()) return false;
        return switch (line.charAt(at)) {
            case '(' -> named(WORKER);
            case '[' -> named(RANK) || named(POD) || named(MPI) || kernelClock() || kernelDate();
            case '<' -> skipped(PRIORITY);
            default -> stamped() || skipped(PRIORITY) || at == 0 && named(COMPOSE) || kernel();
        };
    }

    private boolean named(Pattern pattern) {
        Matcher m = matcher(pattern);
        if (!m.lookingAt()) return false;
        workers.add(m.group(1).strip());
        at = m.end();
        return true;
    }

    private boolean skipped(Pattern pattern) {
        Matcher m = matcher(pattern);
        if (!m.lookingAt()) return false;
        at = m.end();
        return true;
    }

    private boolean kernelClock() {
        Matcher m = matcher(KERNEL_CLOCK);
        if (!m.lookingAt()) return false;
        stamps.add(new Stamp.SinceBoot(new Seconds(Double.parseDouble(m.group(1)))));
        at = m.end();
        Matcher speaker = matcher(MONOTONIC_SPEAKER); // journalctl -o short-monotonic
        if (speaker.lookingAt()) {
            workers.add(speaker(speaker.group(2), speaker.group(3)));
            at = speaker.end();
        } else if (!workers.contains("kernel")) {
            workers.add("kernel");
        }
        return true;
    }

    /// `[Thu Mar 14 01:57:54 2019] `
    private boolean kernelDate() {
        if (!matcher(KERNEL_DATE).lookingAt()) return false;
        Optional<Stamps.Found> found = Stamps.at(line, at + 1);
        if (found.isEmpty() || !line.startsWith("] ", found.get().end())) return false;
        stamps.add(found.get().stamp());
        workers.add("kernel");
        at = found.get().end() + 2;
        return true;
    }

    /// A stamp and a speaker behind it; or a stamp alone, when it is whole enough to be no program's own.
    private boolean stamped() {
        Optional<Stamps.Found> found = Stamps.at(line, at);
        if (found.isEmpty()) return false;
        int end = found.get().end();
        Matcher speaker = SPEAKER.matcher(line);
        speaker.region(end, line.length());
        if (speaker.lookingAt() && speaks(found.get().stamp(), speaker)) {
            stamps.add(found.get().stamp());
            workers.add(speaker(speaker.group(2), speaker.group(3)));
            at = speaker.end();
            return true;
        }
        if (found.get().stamp() instanceof Stamp.Exact && line.startsWith(" ", end)) {
            stamps.add(found.get().stamp());
            at = end + 1;
            return true;
        }
        return false;
    }

    /// `kernel: text`, of `journalctl -k -o cat` and of people who cut off the rest.
    private boolean kernel() {
        if (!line.startsWith("kernel: ", at)) return false;
        if (!workers.contains("kernel")) workers.add("kernel");
        at += 8;
        return true;
    }

    /// Behind `May 16 17:44:49` there is always a host and a program. Behind a whole date there may be anything:
    /// `2026-12-01T05:55:22Z ERROR launcher: text` is docker's stamp and what the launcher said.
    private static boolean speaks(Stamp stamp, Matcher speaker) {
        boolean hasPid = speaker.group(3) != null || speaker.group(2).equals("kernel");
        return switch (stamp) {
            case Stamp.WithoutYear _ -> Character.isLetter(speaker.group(1).charAt(0)) || hasPid;
            case Stamp.Exact _, Stamp.WithoutZone _ -> hasPid;
            case Stamp.OfDay _, Stamp.SinceBoot _, Stamp.SinceStart _ -> false;
        };
    }

    private static String speaker(String name, String pid) {
        return pid == null ? name : name + "[" + pid + "]";
    }

    private Matcher matcher(Pattern pattern) {
        Matcher m = pattern.matcher(line);
        m.region(at, line.length());
        m.useTransparentBounds(false);
        return m;
    }
}
