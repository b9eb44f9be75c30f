// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import dev.ullage.host.Focus;
import dev.ullage.host.KernelEscapes;
import dev.ullage.host.RecordedLines;
import dev.ullage.measure.Seconds;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// `recorded/capture`: what a capture says of itself, so that it is judged elsewhere as it was judged when it was
/// taken.
///
/// ```
/// format 1
/// ullage 0.1.0
/// since 900.0
/// pid 812
/// name gpu7
/// ```
/// A format is a promise: what reads format 1 today reads it in ten years. A change that an older Ullage would misread
/// gets a new number.
///
/// @param ullage the version that took it
/// @param focus what the question was about
/// @param name what the host is called when it does not say so itself
public record CaptureNote(String ullage, Focus focus, String name) {
    public static final String FILE = "recorded/capture";
    private static final int FORMAT = 1;

    public String text() {
        StringBuilder text = new StringBuilder("format " + FORMAT + "\n");
        line(text, "ullage", ullage);
        line(text, "since", String.valueOf(focus.since().seconds()));
        focus.pid().ifPresent(pid -> line(text, "pid", String.valueOf(pid)));
        focus.cgroup().ifPresent(cgroup -> line(text, "cgroup", cgroup));
        focus.path().ifPresent(path -> line(text, "path", path));
        line(text, "name", name);
        return text.toString();
    }

    private static void line(StringBuilder text, String key, String value) {
        text.append(key).append(' ').append(RecordedLines.key(value)).append('\n');
    }

    /// @throws BadCapture for a format that is not known
    public static CaptureNote parse(String text) {
        Map<String, String> values = new HashMap<>();
        text.lines().forEach(line -> {
            int space = line.indexOf(' ');
            if (space > 0) values.putIfAbsent(line.substring(0, space), KernelEscapes.undo(line.substring(space + 1)));
        });
        String format = values.getOrDefault("format", "");
        if (!format.matches("[1-9][0-9]{0,8}"))
            throw new BadCapture(FILE + ": found no line \"format <number>\"; it is no capture of ullage");
        if (Integer.parseInt(format) > FORMAT)
            throw new BadCapture(FILE + ": format " + format + ", taken by ullage "
                    + BadCapture.shown(values.getOrDefault("ullage", "of a later version"))
                    + "; this ullage reads formats up to " + FORMAT + ": use that version or a later one");
        Optional<Integer> pid = Optional.ofNullable(values.get("pid"))
                .filter(n -> n.matches("[1-9][0-9]{0,8}"))
                .map(Integer::parseInt);
        Focus focus = new Focus(
                pid, Optional.ofNullable(values.get("cgroup")), Optional.ofNullable(values.get("path")), since(values));
        return new CaptureNote(values.getOrDefault("ullage", ""), focus, values.getOrDefault("name", ""));
    }

    private static Seconds since(Map<String, String> values) {
        String since = values.getOrDefault("since", "");
        boolean isNumber = since.matches("\\d{1,9}(\\.\\d{1,9})?");
        return isNumber ? new Seconds(Double.parseDouble(since)) : Focus.EVERYTHING.since();
    }
}
