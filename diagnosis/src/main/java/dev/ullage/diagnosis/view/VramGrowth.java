// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.Host;
import dev.ullage.host.gpu.GpuProcess;
import dev.ullage.host.gpu.Gpus;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.List;

/// How a server's memory on one GPU went up and down in the window.
///
/// @param course what it held at each instant at which the driver was asked
/// @param elapsed from the first of them to the last
public record VramGrowth(List<Bytes> course, Seconds elapsed) {
    /// Of all growth: more of it in one step is a buffer that was made once.
    private static final double ONE_BUFFER = 0.6;

    public static VramGrowth of(Evidence evidence, Workload workload, int gpu) {
        List<Bytes> course = new ArrayList<>();
        double first = 0;
        double last = 0;
        for (Evidence.At<Gpus> at : evidence.course(Gpus.COURSE, Host.THE_HOST)) {
            List<GpuProcess> processes = at.value()
                    .byIndex(gpu)
                    .map(g -> g.processes().orElse(List.of()))
                    .orElse(List.of());
            Bytes held = Bytes.NONE;
            boolean known = false;
            for (GpuProcess process : processes)
                if (process.memory().isPresent()
                        && workload.processes().stream().anyMatch(id -> id.pid() == process.pid())) {
                    held = held.plus(process.memory().orThrow());
                    known = true;
                }
            if (!known) continue;
            if (course.isEmpty()) first = at.sinceStart().seconds();
            last = at.sinceStart().seconds();
            course.add(held);
        }
        return new VramGrowth(List.copyOf(course), new Seconds(last - first));
    }

    public Bytes grown() {
        return course.isEmpty() ? Bytes.NONE : course.getLast().minus(course.getFirst());
    }

    public BytesPerSecond rate() {
        return grown().over(elapsed);
    }

    public Bytes highest() {
        return course.stream().max(Bytes::compareTo).orElse(Bytes.NONE);
    }

    public Bytes lowest() {
        return course.stream().min(Bytes::compareTo).orElse(Bytes.NONE);
    }

    /// Grows again and again and never gives back: three steps or more, none of which is most of it. With fewer than
    /// five readings nobody can tell.
    public boolean isSteady() {
        if (course.size() < 5 || grown().bytes() <= 0) return false;
        int steps = 0;
        Bytes largest = Bytes.NONE;
        for (int i = 1; i < course.size(); i++) {
            Bytes step = course.get(i).minus(course.get(i - 1));
            if (step.bytes() < 0) return false;
            if (step.bytes() > 0) steps++;
            if (step.isMoreThan(largest)) largest = step;
        }
        boolean stillGrows = course.getLast().isMoreThan(course.get(course.size() / 2));
        return steps >= 3 && stillGrows && !largest.isMoreThan(grown().times(ONE_BUFFER));
    }

    /// Rose and fell again by as much as `swing`: what a batch needs while it is computed.
    public boolean hasPeakOf(Bytes swing) {
        Bytes peak = highest();
        int at = course.indexOf(peak);
        if (course.size() < 3 || at <= 0 || at == course.size() - 1) return false;
        Bytes before = course.subList(0, at).stream().min(Bytes::compareTo).orElse(peak);
        Bytes after = course.subList(at + 1, course.size()).stream()
                .min(Bytes::compareTo)
                .orElse(peak);
        return peak.minus(before).compareTo(swing) >= 0 && peak.minus(after).compareTo(swing) >= 0;
    }
}
