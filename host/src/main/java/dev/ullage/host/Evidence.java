// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import dev.ullage.host.server.Workload;
import dev.ullage.host.server.Workloads;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Present;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Everything that was seen of one host over one window: the only thing rules see.
public final class Evidence {
    private final List<Sample> samples;
    private final Focus focus;
    private List<Workload> workloads;

    public Evidence(List<Sample> samples, Focus focus) {
        this.samples = List.copyOf(samples);
        this.focus = focus;
    }

    /// A value at a moment of the window.
    public record At<T>(Seconds sinceStart, T value) {}

    public Focus focus() {
        return focus;
    }

    public Clock from() {
        return samples.getFirst().clock();
    }

    public Clock to() {
        return samples.getLast().clock();
    }

    public Seconds window() {
        return new Seconds(to().monotonic().seconds() - from().monotonic().seconds());
    }

    /// Whether there are two instants or more, so that rates exist.
    public boolean hasWindow() {
        return samples.size() > 1 && window().seconds() > 0;
    }

    /// The last reading of a fact; a fact that is read once is read at the first instant.
    public <K, T> Reading<T> latest(Fact<K, T> fact, K about) {
        for (Sample sample : samples.reversed()) {
            Reading<T> reading = sample.get(fact, about);
            if (reading != null) return reading;
        }
        return Reading.absent(fact.source(), AbsentCause.NOT_RECORDED, "it was not looked for");
    }

    public <T> Reading<T> latest(Fact<Host, T> fact) {
        return latest(fact, Host.THE_HOST);
    }

    /// A fact about something that may have gone meanwhile: the last *present* reading, else the last one.
    public <K, T> Reading<T> lastSeen(Fact<K, T> fact, K about) {
        for (Sample sample : samples.reversed()) {
            Reading<T> reading = sample.get(fact, about);
            if (reading instanceof Present<T>) return reading;
        }
        return latest(fact, about);
    }

    /// The first and the last present reading, for rates.
    public <K, T> Reading<Change<T>> change(Fact<K, T> fact, K about) {
        List<At<T>> course = course(fact, about);
        if (course.size() > 1) {
            Seconds elapsed = new Seconds(course.getLast().sinceStart.seconds()
                    - course.getFirst().sinceStart.seconds());
            if (elapsed.seconds() > 0)
                return Reading.of(new Change<>(course.getFirst().value, course.getLast().value, elapsed));
        }
        return switch (latest(fact, about)) {
            case Present<T> _ ->
                Reading.absent(fact.source(), AbsentCause.NOT_RECORDED, "a rate needs two instants and there was one");
            case Reading.Absent<T> absent -> absent.as();
        };
    }

    public <T> Reading<Change<T>> change(Fact<Host, T> fact) {
        return change(fact, Host.THE_HOST);
    }

    /// Every present reading, in time.
    public <K, T> List<At<T>> course(Fact<K, T> fact, K about) {
        List<At<T>> course = new ArrayList<>();
        for (Sample sample : samples) {
            if (!(sample.get(fact, about) instanceof Present<T>(T value))) continue;
            double since =
                    sample.clock().monotonic().seconds() - from().monotonic().seconds();
            course.add(new At<>(new Seconds(since), value));
        }
        return course;
    }

    /// Everything the fact was read about, in the order it was first met.
    public <K> Set<K> subjects(Fact<K, ?> fact) {
        Set<K> all = new LinkedHashSet<>();
        for (Sample sample : samples) all.addAll(sample.subjects(fact));
        return all;
    }

    /// The LLM servers and other large processes, servers first.
    public List<Workload> workloads() {
        if (workloads == null) workloads = Workloads.in(this);
        return workloads;
    }

    public List<Workload> servers() {
        return workloads().stream().filter(Workload::isServer).toList();
    }
}
