// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// A host written down as text: a capture, a recording, an example on a rule's page.
///
/// ```
/// proc/sys/vm/swappiness          true at every instant
/// at-0.000/proc/vmstat            from the first instant on
/// at-3.000/proc/vmstat            from the second on
/// at-3.000/recorded/absent        /proc/812<TAB>vanished<TAB>it ended
/// ```
///
/// A file that a later instant lacks is unchanged. A thing that could not be read is a line of `recorded/absent`: its
/// path, the cause, a detail; the line holds for everything below that path too. Links are files whose text is
/// the target, so a recorded root never contains a link that could lead out of it.
public final class RecordedHost {
    private static final String ABSENT = "recorded/absent";

    private final TextTree tree;
    private final List<Instant> instants = new ArrayList<>();

    /// @param folder `at-3.000/`, or empty for a root without instants
    private record Instant(String folder, double seconds) {}

    public RecordedHost(TextTree tree) {
        this.tree = tree;
        for (String name : tree.names("")) {
            if (!name.startsWith("at-")) continue;
            try {
                instants.add(new Instant(name + "/", secondsOf(name + "/")));
            } catch (NumberFormatException e) {
                // Not an instant: a file of the host that happens to be called at-….
                continue;
            }
        }
        instants.sort((a, b) -> Double.compare(a.seconds, b.seconds));
        if (instants.isEmpty()) instants.add(new Instant("", 0));
    }

    /// `at-3.000/` → 3.
    private static double secondsOf(String folder) {
        return Double.parseDouble(folder.substring(3, folder.length() - 1));
    }

    public int instants() {
        return instants.size();
    }

    /// The host as it was at the `index`-th instant, counted from 0.
    public HostRoot at(int index) {
        List<String> layers = new ArrayList<>();
        for (int i = index; i >= 0; i--) layers.add(instants.get(i).folder);
        if (!layers.getLast().isEmpty()) layers.add("");
        return new Layered(tree, layers, instants.get(index).seconds);
    }

    /// The newest layer first; the last one is what holds at every instant.
    private record Layered(TextTree tree, List<String> layers, double seconds) implements HostRoot {
        @Override
        public Reading<String> text(String path) {
            String relative = relative(path);
            for (String layer : layers) {
                Optional<String> text = tree.text(layer + relative);
                if (text.isPresent()) return Reading.of(text.get());
                Optional<Absent<String>> absent = absentIn(layer, path);
                if (absent.isPresent()) return absent.get();
            }
            return Reading.absent(path, AbsentCause.NOT_RECORDED, "this recorded host does not hold it");
        }

        @Override
        public Reading<List<String>> names(String directory) {
            TreeSet<String> names = new TreeSet<>();
            Reading<List<String>> gone =
                    Reading.absent(directory, AbsentCause.NOT_RECORDED, "this recorded host does not hold it");
            // From the oldest on, so that what a later instant says is gone is gone until it is there again.
            for (String layer : layers.reversed()) {
                List<String> here = tree.names(layer + relative(directory));
                Optional<Absent<String>> absent = absentIn(layer, directory);
                if (here.isEmpty() && absent.isPresent()) {
                    names.clear();
                    gone = absent.get().as();
                }
                names.addAll(here);
                names.removeIf(name -> !here.contains(name)
                        && absentIn(layer, directory + "/" + name).isPresent());
            }
            return names.isEmpty() ? gone : Reading.of(List.copyOf(names));
        }

        @Override
        public Reading<String> link(String path) {
            return text(path).map(String::strip);
        }

        @Override
        public Reading<String> ask(Call call, String about) {
            String file = "/recorded/" + call.word();
            if (call.isWhole()) {
                if (call == Call.CLOCK) return Reading.of(clock());
                Reading<String> text = text(file);
                return text instanceof Absent<String> absent
                        ? new Absent<>(call.source(), absent.cause(), absent.detail())
                        : text;
            }
            for (String layer : layers) {
                String answer = lines(layer + relative(file)).get(about);
                if (answer != null) return Reading.of(answer);
                Optional<Absent<String>> absent = absentIn(layer, file + ":" + about);
                if (absent.isPresent()) return absent.get();
            }
            return Reading.absent(
                    call.source() + " " + about, AbsentCause.NOT_RECORDED, "this recorded host does not hold it");
        }

        /// The clock of this very instant; one of an earlier instant has gone on since by the seconds between the two.
        private String clock() {
            for (String layer : layers) {
                Optional<String> text = tree.text(layer + "recorded/clock");
                if (text.isEmpty()) continue;
                if (layer.equals(layers.getFirst())) return text.get();
                Clock then = Clock.parse(text.get());
                double since = seconds - (layer.isEmpty() ? 0 : secondsOf(layer));
                String wall = then.wall()
                        .map(w -> w.plusMillis(Math.round(since * 1000)).toString())
                        .orElse("-");
                return wall + " " + (then.monotonic().seconds() + since);
            }
            return "- " + seconds;
        }

        private Map<String, String> lines(String file) {
            Map<String, String> answers = new HashMap<>();
            tree.text(file).ifPresent(text -> text.lines().forEach(line -> {
                int tab = line.indexOf('\t');
                if (tab > 0) answers.put(line.substring(0, tab), line.substring(tab + 1));
            }));
            return answers;
        }

        private Optional<Absent<String>> absentIn(String layer, String path) {
            Map<String, String> absences = lines(layer + ABSENT);
            if (absences.isEmpty()) return Optional.empty();
            for (String p = path; !p.isEmpty(); p = p.substring(0, Math.max(p.lastIndexOf('/'), 0))) {
                String why = absences.get(p);
                if (why == null) continue;
                String[] parts = why.split("\t", 2);
                return Optional.of(
                        new Absent<>(path, AbsentCause.of(parts[0]), parts.length > 1 ? parts[1] : "recorded so"));
            }
            return Optional.empty();
        }

        private static String relative(String path) {
            int start = 0;
            while (start < path.length() && path.charAt(start) == '/') start++;
            return path.substring(start);
        }
    }
}
