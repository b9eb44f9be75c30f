// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.CgroupName;
import dev.ullage.diagnosis.view.MemoryLimits;
import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.host.cpu.CpuTime;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessIo;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.Reading.Present;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A process grows steadily, not by reading a model, and will exhaust its limit within minutes.
///
/// In a window of seconds this is a suspicion: every server grows while it starts. It is told when the growth never
/// pauses or comes back after each pause, when nothing the process reads explains it, and when it ends badly soon. A
/// warning at most.
public final class MemoryLeak implements Rule {
    private static final Seconds SOON = Seconds.ofMinutes(10);

    /// Less growth than this a second is allocator noise.
    private static final BytesPerSecond NOISE = new BytesPerSecond(512 << 10);

    /// Of RAM: with so much left the growth of a process that is no server (a virtual machine, a build, a query) is its
    /// own business, and mostly ends.
    private static final double MUCH = 0.25;

    /// A process that is no server grows for as long as it starts.
    private static final Seconds STARTING = new Seconds(120);

    /// A shorter window tells nothing of growth.
    private static final Seconds SHORTEST = new Seconds(2);

    /// A step that grows by less than this share of the mean rate is a pause.
    private static final double PAUSE = 0.15;

    /// One stretch of growth between two pauses may be this share of all growth: more is a buffer that was filled once.
    private static final double LARGEST_RUN = 0.7;

    /// Growing for so much of the window it is no one buffer any more.
    private static final double MOST = 0.6;

    /// Growing for so much of the window it hardly pauses.
    private static final double HARDLY = 0.8;

    @Override
    public String name() {
        return "memory-leak";
    }

    @Override
    public Cause cause() {
        return Cause.MEMORY_LEAK;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(MemInfo.FACT);
    }

    @Override
    public boolean needsWindow() {
        return true;
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("cgroup-memory-exhausted", "host-memory-exhausted");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no large process grows steadily";
        for (Workload workload : evidence.workloads()) {
            for (ProcessId id : workload.processes()) {
                BytesPerSecond rate = steadyGrowth(evidence, id);
                if (rate.compareTo(NOISE) < 0) continue;
                if (!workload.isServer() && isYoung(evidence, id)) {
                    clear = "pid " + id.pid() + " grows by " + rate.shown() + ", and was started a moment ago";
                    continue;
                }
                if (isExplainedByReads(evidence, workload, id)) {
                    clear = "pid " + id.pid() + " grows by " + rate.shown() + " from what it reads: a load in progress";
                    continue;
                }
                Room room = roomFor(evidence, workload);
                Seconds left = rate.timeFor(room.left);
                boolean isOthersWithRoom = !workload.isServer()
                        && room.left.isMoreThan(
                                evidence.latest(MemInfo.FACT).orThrow().total().times(MUCH));
                if (left.compareTo(SOON) > 0 || isOthersWithRoom) {
                    clear = "pid " + id.pid() + " grows by " + rate.shown() + "; " + room.of + " lasts for "
                            + left.shown();
                    continue;
                }
                findings.add(finding(evidence, workload, id, rate, room, left));
            }
        }
        return Verdict.of(findings, clear);
    }

    /// The rate of anonymous memory that grows all through the window, or none.
    ///
    /// Requests come in bursts, so one reading may show no growth. What separates a leak from a server that
    /// allocates
    /// its KV cache while we look is that the growth comes back after each pause, or never pauses: a buffer grows
    /// once,
    /// and then it is full.
    private static BytesPerSecond steadyGrowth(Evidence evidence, ProcessId id) {
        List<Evidence.At<ProcessMemory>> course = evidence.course(ProcessMemory.FACT, id);
        if (course.size() < 3) return BytesPerSecond.NONE;
        Bytes grown = own(course.getLast()).minus(own(course.getFirst()));
        Seconds elapsed = since(course.getFirst(), course.getLast());
        if (elapsed.compareTo(SHORTEST) < 0) return BytesPerSecond.NONE;
        BytesPerSecond mean = grown.over(elapsed);
        Bytes ofThisRun = Bytes.NONE;
        Bytes ofLargestRun = Bytes.NONE;
        int runs = 0;
        double lastGrowth = 0;
        double grewFor = 0;
        for (int i = 1; i < course.size(); i++) {
            Bytes step = own(course.get(i)).minus(own(course.get(i - 1)));
            BytesPerSecond now = step.over(since(course.get(i - 1), course.get(i)));
            if (now.bytesPerSecond() < PAUSE * mean.bytesPerSecond()) {
                ofThisRun = Bytes.NONE;
                continue;
            }
            if (ofThisRun.bytes() == 0) runs++;
            grewFor += since(course.get(i - 1), course.get(i)).seconds();
            ofThisRun = ofThisRun.plus(step);
            if (ofThisRun.isMoreThan(ofLargestRun)) ofLargestRun = ofThisRun;
            lastGrowth = since(course.getFirst(), course.get(i)).seconds();
        }
        boolean hardlyPauses = grewFor >= HARDLY * elapsed.seconds();
        // One stretch with most of the growth is a buffer that was filled once, unless it is most of the time as well.
        boolean isOneBuffer = ofLargestRun.isMoreThan(grown.times(LARGEST_RUN)) && grewFor < MOST * elapsed.seconds();
        boolean comesBack = runs >= 2 && !isOneBuffer && lastGrowth > elapsed.seconds() / 2;
        return hardlyPauses || comesBack ? mean : BytesPerSecond.NONE;
    }

    /// Whatever starts grows: a build, a virtual machine. Of a server it is worth saying all the same.
    private static boolean isYoung(Evidence evidence, ProcessId id) {
        double started = id.startTicks() / CpuTime.TICKS_PER_SECOND;
        return evidence.to().monotonic().seconds() - started < STARTING.seconds();
    }

    private static Seconds since(Evidence.At<?> from, Evidence.At<?> to) {
        return new Seconds(to.sinceStart().seconds() - from.sinceStart().seconds());
    }

    private static Bytes own(Evidence.At<ProcessMemory> at) {
        return at.value().anonymousAndSwapped();
    }

    /// A loader grows by what it reads: by calls, or by mapped pages that it copies.
    private static boolean isExplainedByReads(Evidence evidence, Workload workload, ProcessId id) {
        Bytes grown = evidence.change(ProcessMemory.FACT, id)
                .map(c -> c.growth(ProcessMemory::anonymousAndSwapped))
                .orElse(Bytes.NONE);
        Bytes mapped = evidence.change(ProcessMemory.FACT, id)
                .map(c -> c.growth(ProcessMemory::file))
                .orElse(Bytes.NONE);
        Bytes read = Bytes.NONE;
        if (evidence.change(ProcessIo.FACT, id) instanceof Present<Change<ProcessIo>>(Change<ProcessIo> io)) {
            Bytes byCall = io.moved(ProcessIo::readByCall);
            Bytes fromStorage = io.moved(ProcessIo::readFromStorage);
            read = byCall.isMoreThan(fromStorage) ? byCall : fromStorage;
        }
        Bytes most = read.isMoreThan(mapped) ? read : mapped;
        return most.isMoreThan(grown.times(0.5));
    }

    private record Room(Bytes left, String of, String source) {}

    /// What is left until something breaks: the nearest limit above the process, or the host's memory with its swap.
    private static Room roomFor(Evidence evidence, Workload workload) {
        MemInfo mem = evidence.latest(MemInfo.FACT).orThrow();
        Room least = new Room(mem.available().plus(mem.swapFree()), "the host's memory", "/proc/meminfo MemAvailable");
        for (MemoryCgroup cgroup : MemoryLimits.above(evidence, workload).limited()) {
            Bytes swap = cgroup.swapLimit()
                    .map(l -> l.minus(cgroup.swapped()).orNoneIfNegative())
                    .orElse(mem.swapFree());
            Bytes usableSwap = swap.isMoreThan(mem.swapFree()) ? mem.swapFree() : swap;
            Bytes left = cgroup.bindingLimit()
                    .orElse(Bytes.NONE)
                    .minus(cgroup.unreclaimable())
                    .plus(usableSwap)
                    .orNoneIfNegative();
            if (least.left.isMoreThan(left))
                least = new Room(
                        left,
                        "the limit of " + CgroupName.shown(evidence, cgroup.id().path()),
                        cgroup.id().file("memory.stat"));
        }
        return least;
    }

    private Finding finding(
            Evidence evidence, Workload workload, ProcessId id, BytesPerSecond rate, Room room, Seconds left) {
        List<Evidence.At<ProcessMemory>> course = evidence.course(ProcessMemory.FACT, id);
        String who = workload.processes().size() == 1 ? workload.shown() : workload.name() + " (pid " + id.pid() + ")";
        return new Finding(
                this,
                Severity.WARNING,
                new Signs()
                        .sign(true)
                        .sign(evidence.change(ProcessIo.FACT, id).isPresent())
                        .sign(course.size() >= 4)
                        .doubt(evidence.window().seconds() < 60, 0.2)
                        .confidence(),
                who + " grows by " + rate.shown() + " without reading anything; " + room.of + " is used up in "
                        + left.shown(),
                List.of(
                        Saw.of("growth of anonymous memory", rate, "/proc/" + id.pid() + "/status RssAnon + VmSwap"),
                        Saw.of(
                                "anonymous memory now",
                                own(course.getLast()),
                                "/proc/" + id.pid() + "/status RssAnon + VmSwap"),
                        Saw.of("left", room.left, room.source),
                        Saw.of("time to exhaustion at this rate", left, "computed")),
                "it ends in an OOM kill unless the growth stops by itself; a longer look tells: ullage diagnose --for 60s",
                Subject.of(workload),
                List.of(
                        Remedy.now(
                                "restart it at a quiet moment, before the kernel does at a busy one",
                                "",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.NONE,
                                "ullage diagnose --for 60s --pid <new pid>",
                                "-"),
                        Remedy.medium(
                                "find who keeps the memory: tracemalloc for Python objects, then requests in flight and caches",
                                "PYTHONTRACEMALLOC=10 <the server's command>",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.SLOWER,
                                "ullage diagnose --for 60s --pid <new pid>",
                                "start it without PYTHONTRACEMALLOC")));
    }
}
