// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import dev.ullage.host.Call;
import dev.ullage.host.KernelEscapes;
import dev.ullage.host.storage.ModelFormat;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Of the files that processes map and hold open, a capture names the models and no other: at the end of an instant it
/// is known which of them began like one.
final class OnlyModels {
    private static final String DELETED = " (deleted)";
    private static final Set<Call> ABOUT_FILES = Set.of(Call.STAT, Call.FILE_HEAD, Call.PAGE_CACHE);

    private final Map<Question, Reading<String>> asked;
    private final Set<String> dropped = new HashSet<>();

    private OnlyModels(Map<Question, Reading<String>> asked) {
        this.asked = asked;
    }

    static Map<Question, Reading<String>> among(Map<Question, Reading<String>> asked) {
        OnlyModels models = new OnlyModels(asked);
        Map<Question, Reading<String>> kept = new HashMap<>();
        asked.forEach((question, answer) -> kept.put(question, models.without(question, answer)));
        // A descriptor is counted by its name in the folder; what it is matters for models only.
        kept.entrySet()
                .removeIf(e -> e.getKey().kind() == Question.Kind.LINK
                        && e.getValue() instanceof Present<String>(String target)
                        && target.equals(Kept.NOTHING));
        kept.keySet()
                .removeIf(question ->
                        question.call().filter(ABOUT_FILES::contains).isPresent()
                                && models.dropped.contains(question.about()));
        return kept;
    }

    private Reading<String> without(Question question, Reading<String> answer) {
        if (!(answer instanceof Present<String>(String text))) return answer;
        return switch (question.kind()) {
            case LINK -> link(question.about(), text) ? answer : Reading.of(Kept.NOTHING);
            case TEXT -> question.about().endsWith("/maps") ? Reading.of(maps(question.about(), text)) : answer;
            case NAMES, CALL -> answer;
        };
    }

    private boolean link(String path, String target) {
        if (!path.contains("/fd/") || !target.startsWith("/") || target.startsWith("/dev/")) return true;
        if (isModel(withoutDeleted(target), path)) return true;
        dropped.add(withoutDeleted(target));
        dropped.add(path);
        return false;
    }

    private String maps(String file, String text) {
        String process = file.substring(0, file.length() - "maps".length());
        // Which mapping the file was opened by is any of those with its path.
        Map<String, Boolean> isModel = new HashMap<>();
        text.lines()
                .forEach(line -> isModel.merge(Kept.pathInMaps(line), isModelLine(process, line), (a, b) -> a || b));
        StringBuilder kept = new StringBuilder();
        text.lines().forEach(line -> {
            String path = Kept.pathInMaps(line);
            boolean keep = path.isEmpty() || isModel.get(path);
            if (!keep) {
                dropped.add(withoutDeleted(KernelEscapes.undo(path)));
                dropped.add(mapFile(process, line));
            }
            kept.append(keep ? line : Kept.NOTHING).append('\n');
        });
        return kept.toString();
    }

    private boolean isModelLine(String process, String line) {
        String path = withoutDeleted(KernelEscapes.undo(Kept.pathInMaps(line)));
        return !path.isEmpty() && (Kept.isMemory(path) || isModel(path, mapFile(process, line)));
    }

    private static String mapFile(String process, String line) {
        int space = line.indexOf(' ');
        return process + "map_files/" + (space < 0 ? "" : line.substring(0, space));
    }

    private static String withoutDeleted(String path) {
        return path.endsWith(DELETED) ? path.substring(0, path.length() - DELETED.length()) : path;
    }

    /// By its name, by its first bytes, or because nobody could look.
    private boolean isModel(String path, String via) {
        return ModelFormat.hasModelName(path)
                || began(path)
                || began(via)
                || asked.get(call(Call.STAT, path)) instanceof Absent<String> absent
                        && absent.cause() == AbsentCause.TIMED_OUT;
    }

    private boolean began(String path) {
        return asked.get(call(Call.FILE_HEAD, path)) instanceof Present<String>(String hex) && !hex.isEmpty();
    }

    private static Question call(Call call, String about) {
        return new Question(call, about);
    }
}
