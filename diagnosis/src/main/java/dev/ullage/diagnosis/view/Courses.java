// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.Evidence.At;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.memory.PressureStall;
import dev.ullage.host.memory.VmStat;
import dev.ullage.host.storage.DiskStats;
import dev.ullage.host.storage.DiskStats.Disk;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.Quantity;
import dev.ullage.measure.Seconds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// What the host's counters did over the window, as lines.
public final class Courses {
    private final Evidence evidence;

    public Courses(Evidence evidence) {
        this.evidence = evidence;
    }

    public Course memory() {
        List<At<MemInfo>> mem = evidence.course(MemInfo.FACT, Host.THE_HOST);
        Map<String, NavigableMap<Seconds, Quantity>> lines = new LinkedHashMap<>();
        lines.put("available", amounts(mem, MemInfo::available));
        lines.put("anonymous", amounts(mem, MemInfo::anonymous));
        lines.put("page cache", amounts(mem, MemInfo::pageCache));
        boolean hasSwap = mem.stream().anyMatch(m -> m.value().swapTotal().bytes() > 0);
        if (hasSwap) lines.put("swap used", amounts(mem, m -> m.swapUsed().orNoneIfNegative()));
        return Course.of("memory", "bytes", false, beginOf(mem), lines);
    }

    public Course swapping() {
        List<At<VmStat>> stats = evidence.course(VmStat.FACT, Host.THE_HOST);
        Map<String, NavigableMap<Seconds, Quantity>> lines = new LinkedHashMap<>();
        lines.put("swapped in", between(stats, c -> rate(Bytes.ofPages(c.increase(VmStat::swappedInPages)), c)));
        lines.put("swapped out", between(stats, c -> rate(Bytes.ofPages(c.increase(VmStat::swappedOutPages)), c)));
        return Course.of("swapping", "bytes/s", true, beginOf(stats), lines);
    }

    /// The share of each interval in which some task, or every task that had work, waited.
    public Course pressure() {
        Map<String, NavigableMap<Seconds, Quantity>> lines = new LinkedHashMap<>();
        Seconds begin = Seconds.NONE;
        Map<String, Fact<Host, PressureStall>> facts = new LinkedHashMap<>();
        facts.put("memory", PressureStall.MEMORY);
        facts.put("io", PressureStall.IO);
        facts.put("cpu", PressureStall.CPU);
        for (Map.Entry<String, Fact<Host, PressureStall>> fact : facts.entrySet()) {
            List<At<PressureStall>> course = evidence.course(fact.getValue(), Host.THE_HOST);
            begin = course.isEmpty() ? begin : beginOf(course);
            lines.put(fact.getKey() + " some", between(course, c -> c.share(PressureStall::some)));
            // Of a CPU, "full" is zero for the host by definition.
            if (!fact.getKey().equals("cpu"))
                lines.put(fact.getKey() + " full", between(course, c -> c.share(PressureStall::full)));
        }
        return Course.of("pressure", "ratio", true, begin, lines);
    }

    /// What a disk delivered and took.
    ///
    /// @param number major:minor
    public Course throughput(String number, String name) {
        List<At<Disk>> course = disk(number);
        Map<String, NavigableMap<Seconds, Quantity>> lines = new LinkedHashMap<>();
        lines.put("read", between(course, c -> rate(new Bytes(c.increase(Disk::readBytes)), c)));
        lines.put("written", between(course, c -> rate(new Bytes(c.increase(Disk::writtenBytes)), c)));
        return Course.of(name + " throughput", "bytes/s", true, beginOf(course), lines);
    }

    /// How long its requests took, from the queue to the end, on average; nothing where there were none.
    public Course await(String number, String name) {
        List<At<Disk>> course = disk(number);
        Map<String, NavigableMap<Seconds, Quantity>> lines = new LinkedHashMap<>();
        lines.put("a read", waits(course, Disk::readMillis, Disk::reads));
        lines.put("a write", waits(course, Disk::writeMillis, Disk::writes));
        return Course.of(name + " await", "s", true, beginOf(course), lines);
    }

    private List<At<Disk>> disk(String number) {
        return evidence.course(DiskStats.FACT, Host.THE_HOST).stream()
                .flatMap(stats -> Optional.ofNullable(stats.value().byNumber().get(number))
                        .map(disk -> new At<>(stats.sinceStart(), disk))
                        .stream())
                .toList();
    }

    private static BytesPerSecond rate(Bytes moved, Change<?> change) {
        return moved.over(change.elapsed());
    }

    private static <T> Seconds beginOf(List<At<T>> course) {
        return course.isEmpty() ? Seconds.NONE : course.getFirst().sinceStart();
    }

    private static <T> NavigableMap<Seconds, Quantity> amounts(List<At<T>> course, Function<T, Bytes> amount) {
        NavigableMap<Seconds, Quantity> line = new TreeMap<>();
        course.forEach(at -> line.put(at.sinceStart(), amount.apply(at.value())));
        return line;
    }

    private static <T> NavigableMap<Seconds, Quantity> between(
            List<At<T>> course, Function<Change<T>, ? extends Quantity> rate) {
        NavigableMap<Seconds, Quantity> line = new TreeMap<>();
        for (int i = 1; i < course.size(); i++) {
            At<T> before = course.get(i - 1);
            At<T> after = course.get(i);
            Seconds elapsed = new Seconds(
                    after.sinceStart().seconds() - before.sinceStart().seconds());
            // A clock that stands or steps back makes no rate.
            if (elapsed.seconds() > 0)
                line.put(after.sinceStart(), rate.apply(new Change<>(before.value(), after.value(), elapsed)));
        }
        return line;
    }

    private static NavigableMap<Seconds, Quantity> waits(
            List<At<Disk>> course, ToLongFunction<Disk> millis, ToLongFunction<Disk> requests) {
        NavigableMap<Seconds, Quantity> line = new TreeMap<>();
        for (int i = 1; i < course.size(); i++) {
            Change<Disk> change =
                    new Change<>(course.get(i - 1).value(), course.get(i).value(), new Seconds(1));
            long served = change.increase(requests);
            if (served > 0)
                line.put(course.get(i).sinceStart(), Seconds.ofMillis((double) change.increase(millis) / served));
        }
        return line;
    }
}
