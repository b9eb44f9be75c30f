// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import dev.ullage.host.Call;
import dev.ullage.host.Clock;
import dev.ullage.host.Deadline;
import dev.ullage.host.HostRoot;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Supplier;

/// A host that writes down everything that is read through it, as the recorded root that
/// [dev.ullage.host.RecordedHost] reads.
///
/// An instant begins when the clock is asked for, which is the first thing [dev.ullage.host.Sampler] does. In an
/// instant each question is asked of the host once: who asks again gets the same answer, so what was judged and what
/// is replayed cannot differ.
///
/// Mistake people make: recording a read only when it has come back. One that never does (a hung mount) is the news;
/// it is written down as timed out.
public final class RecordingHost implements HostRoot {
    private static final String LATE = "it did not answer before the deadline";

    private final HostRoot host;
    private final Recording recording = new Recording();
    /// What was asked at this instant; a null is a question that has not been answered yet.
    private final Map<Question, Reading<String>> asked = new HashMap<>();

    private double start = Double.NaN;
    private double now;

    public RecordingHost(HostRoot host) {
        this.host = host;
    }

    @Override
    public Reading<String> text(String path) {
        Question question = new Question(Question.Kind.TEXT, path);
        return answer(question, () -> host.text(path).map(text -> Kept.text(path, text)));
    }

    @Override
    public Reading<List<String>> names(String directory) {
        Question question = new Question(Question.Kind.NAMES, directory);
        return answer(question, () -> host.names(directory).map(names -> Question.joined(Kept.names(directory, names))))
                .map(Question::split);
    }

    @Override
    public Reading<String> link(String path) {
        Question question = new Question(Question.Kind.LINK, path);
        return answer(question, () -> host.link(path).map(target -> Kept.link(path, target)));
    }

    @Override
    public Reading<String> ask(Call call, String about) {
        if (call == Call.CLOCK) return begin(host.ask(call, about));
        Question question = new Question(call, about);
        return answer(question, () -> host.ask(call, about).map(answer -> Kept.answer(call, about, answer)));
    }

    @Override
    public void watch(List<Integer> pids) {
        host.watch(pids);
    }

    /// The recorded root so far. What is still unanswered counts as timed out.
    public synchronized NavigableMap<String, String> finish() {
        end();
        return recording.tree();
    }

    private synchronized Reading<String> begin(Reading<String> clock) {
        end();
        double seconds = Clock.parse(clock.orElse("- 0")).monotonic().seconds();
        if (Double.isNaN(start)) start = seconds;
        now = seconds - start;
        asked.put(new Question(Call.CLOCK, "-"), clock);
        return clock;
    }

    private void end() {
        if (asked.isEmpty()) return;
        asked.replaceAll((question, answer) -> answer == null ? late(question) : answer);
        recording.add(now, asked);
        asked.clear();
    }

    private Reading<String> answer(Question question, Supplier<Reading<String>> ask) {
        synchronized (this) {
            Reading<String> known = asked.get(question);
            if (known != null) return known;
            asked.putIfAbsent(question, null);
        }
        Reading<String> answer = ask.get();
        // What was taken for hung when it was judged must be hung when it is replayed.
        boolean tooLate = Deadline.isLeftBehind();
        synchronized (this) {
            // Its instant may be over: then it was written down as late, and this is an answer for nobody.
            if (!asked.containsKey(question)) return answer;
            if (tooLate) answer = late(question);
            asked.put(question, answer);
            return answer;
        }
    }

    private static Reading<String> late(Question question) {
        return Reading.absent(question.about(), AbsentCause.TIMED_OUT, LATE);
    }
}
