// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;

/// `/proc/<pid>/stat`: the one line every process has. Source: proc_pid_stat(5).
///
/// ```
/// 812 (llama-server) D 1 812 812 0 -1 4194304 5012 0 731 0 118 94 0 0 20 0 9 0 51234 8589934592 160000 1844674…
/// ```
/// Mistake people make: splitting at spaces. The name in brackets may hold spaces and brackets: what follows the
/// *last* `)` counts.
///
/// @param command the kernel's 15-character name
/// @param state R running, S sleeping, D waiting uninterruptibly, Z ended, T stopped, I idle kernel thread
/// @param majorFaults faults that needed IO
/// @param userTicks ticks of 1/100 s in its own code
/// @param systemTicks ticks in the kernel: faults, reads, reclaim
/// @param residentPages file-mapped pages included, and those are shared
/// @param delayedTicks ticks spent waiting for block IO; 0 unless `kernel.task_delayacct` is on (off since 5.14)
public record ProcessStat(
        ProcessId id,
        String command,
        char state,
        int parent,
        int session,
        boolean isKernelThread,
        long majorFaults,
        long userTicks,
        long systemTicks,
        int threads,
        Bytes virtualSize,
        long residentPages,
        long delayedTicks) {
    /// Flag PF_KTHREAD of `include/linux/sched.h`.
    private static final long KERNEL_THREAD = 0x0020_0000;

    public static final Fact<ProcessId, ProcessStat> FACT =
            new Fact<>("process state and CPU time", "/proc/<pid>/stat", Cadence.ALWAYS, "", (root, id) -> root.text(
                            id.file("stat"))
                    .flatMap(ProcessStat::parse));

    public static Reading<ProcessStat> parse(String text) {
        int open = text.indexOf('(');
        int close = text.lastIndexOf(')');
        if (open < 1 || close < open) return malformed(text);
        try {
            int pid = Integer.parseInt(text.substring(0, open).strip());
            String[] f = text.substring(close + 1).strip().split("\\s+");
            // f[0] is field 3 of the manual page, so field n is f[n - 3].
            return Reading.of(new ProcessStat(
                    new ProcessId(pid, Long.parseLong(f[19])),
                    text.substring(open + 1, close),
                    f[0].charAt(0),
                    Integer.parseInt(f[1]),
                    Integer.parseInt(f[3]),
                    (Long.parseLong(f[6]) & KERNEL_THREAD) != 0,
                    Long.parseLong(f[9]),
                    Long.parseLong(f[11]),
                    Long.parseLong(f[12]),
                    Integer.parseInt(f[17]),
                    new Bytes(Long.parseLong(f[20])),
                    Long.parseLong(f[21]),
                    f.length > 39 ? Long.parseLong(f[39]) : 0));
        } catch (RuntimeException e) {
            return malformed(text);
        }
    }

    private static Reading<ProcessStat> malformed(String text) {
        return Reading.malformed("/proc/<pid>/stat", text, "\"<pid> (<name>) <state> …\" with 22 fields or more");
    }

    public Bytes resident() {
        return Bytes.ofPages(residentPages);
    }

    public long ticks() {
        return userTicks + systemTicks;
    }
}
