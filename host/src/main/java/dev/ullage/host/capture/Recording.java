// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import dev.ullage.host.RecordedLines;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Instants as a recorded root, each holding only what it changed.
///
/// The hard part is what an absence does: its line holds for everything below its path, so what is present there has to
/// be written again beside it although it did not change.
final class Recording {
    private static final int LONGEST_NAME = 255;
    private static final int LONGEST_PATH = 2_000;

    private final NavigableMap<String, String> tree = new TreeMap<>();
    /// What a replay of the instants so far answers.
    private final Map<Question, Reading<String>> holds = new HashMap<>();

    private long lastMillis = -1;

    NavigableMap<String, String> tree() {
        return tree;
    }

    /// @param seconds since the first instant
    void add(double seconds, Map<Question, Reading<String>> asked) {
        Map<Question, Reading<String>> instant = OnlyModels.among(asked);
        lastMillis = Math.max(Math.round(seconds * 1000), lastMillis + 1);
        String layer = String.format(Locale.ROOT, "at-%d.%03d/", lastMillis / 1000, lastMillis % 1000);
        Map<String, String> absences = new TreeMap<>();
        instant.forEach((question, answer) -> {
            if (answer instanceof Absent<String> absent && !answer.equals(holds.get(question)))
                absences.put(question.absentKey(), line(question, absent));
        });
        instant.forEach((question, answer) -> {
            if (answer instanceof Absent<String> absent && isUnder(absences, question))
                absences.put(question.absentKey(), line(question, absent));
        });
        // By file under recorded/, the lines of it.
        Map<String, Map<String, String>> lines = new TreeMap<>(Map.of("absent", absences));
        instant.forEach((question, answer) -> {
            if (!(answer instanceof Present<String>(String text))) return;
            if (answer.equals(holds.get(question)) && !isUnder(absences, question)) return;
            if (question.file().isPresent()) write(layer, question.file().get(), text);
            else
                lines.computeIfAbsent(question.lineFile(), _ -> new TreeMap<>())
                        .put(question.about(), oneLine(question.lineFile(), text));
        });
        lines.forEach((file, answers) -> {
            StringBuilder text = new StringBuilder();
            answers.forEach((about, answer) -> text.append(RecordedLines.key(about))
                    .append('\t')
                    .append(answer)
                    .append('\n'));
            if (!text.isEmpty()) tree.put(layer + "recorded/" + file, text.toString());
        });
        holds.putAll(instant);
    }

    private static String oneLine(String file, String answer) {
        return file.equals("links") ? RecordedLines.key(answer) : answer.replace('\n', ' ');
    }

    /// `no-permission<TAB>opening it said EACCES`, and where it was looked for when that is not plain from the path.
    private static String line(Question question, Absent<String> absent) {
        String line = absent.cause().word() + "\t" + absent.detail().replaceAll("[\t\n\r]", " ");
        return absent.source().equals(question.absentKey()) ? line : line + "\t" + RecordedLines.key(absent.source());
    }

    private static boolean isUnder(Map<String, String> absences, Question question) {
        if (absences.isEmpty()) return false;
        String path = question.absentKey();
        for (String p = path; !p.isEmpty(); p = p.substring(0, Math.max(p.lastIndexOf('/'), 0)))
            if (absences.containsKey(p)) return true;
        return false;
    }

    /// What no folder can hold as a file is left out: `/a/../b`, a name of 300 bytes, a file that is also a folder.
    private void write(String layer, String path, String text) {
        if (!isWritable(path)) return;
        String file = layer + path.substring(1);
        String below = tree.higherKey(file + "/");
        if (below != null && below.startsWith(file + "/")) return;
        for (int slash = file.lastIndexOf('/'); slash > 0; slash = file.lastIndexOf('/', slash - 1))
            if (tree.containsKey(file.substring(0, slash))) return;
        tree.put(file, text);
    }

    static boolean isWritable(String path) {
        if (!path.startsWith("/") || path.length() > LONGEST_PATH) return false;
        for (String name : path.substring(1).split("/", -1))
            if (name.isEmpty()
                    || name.equals(".")
                    || name.equals("..")
                    || name.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME
                    || name.chars().anyMatch(Character::isISOControl)) return false;
        return true;
    }
}
