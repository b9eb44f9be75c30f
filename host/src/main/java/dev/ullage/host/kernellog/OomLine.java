// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.host.kernellog.OomCgroup.Charge;
import dev.ullage.measure.Bytes;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One line of the OOM killer's report. Source: mm/oom_kill.c, mm/memcontrol.c and mm/show_mem.c of Linux 3.10 to
/// 6.18; [KilledLine] and [OomContext] read the two that say who died.
sealed interface OomLine {
    /// `python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0`: who asked for the page
    /// that was not there. Often not the victim, and often not the guilty one.
    record Invoked(String by) implements OomLine {}

    /// `Task in /a/b killed as a result of limit of /a`, until 4.20.
    record TaskIn(String taskCgroup, String limitedCgroup) implements OomLine {}

    /// `memory: usage 204800kB, limit 204800kB, failcnt 1234`; also `memory+swap`, `swap`, `kmem`.
    record Usage(String of, Charge charge) implements OomLine {}

    /// `Memory cgroup stats for /a:`, until 5.2 with the numbers behind it: ` cache:0KB rss:524288KB …`, and then
    /// once more for each cgroup below.
    record StatsHead(String path, Map<String, Long> bytes) implements OomLine {}

    /// `anon 66846720`, since 5.3.
    record Stat(String key, long value) implements OomLine {}

    /// `[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name`
    record TableHead(List<String> columns) implements OomLine {}

    /// `[   4162]     0  4162    18794    17815   196608        0             0 python3`
    ///
    /// @param cells what follows the pid; the head says what it means
    record Row(int pid, String cells) implements OomLine {}

    /// `oom-kill:constraint=CONSTRAINT_MEMCG,…,task=python3,pid=4162,uid=0`, since 5.0.
    record Context(OomContext context) implements OomLine {}

    /// `Out of memory: Kill process 123 (x) score 900 or sacrifice child`, until 5.0. A child of it may die instead.
    record Choice(String reason, int pid, String name) implements OomLine {}

    /// `Memory cgroup out of memory: Killed process 4162 (python3) total-vm:75176kB, …`
    ///
    /// @param reason what stands before: `Out of memory`, `Memory cgroup out of memory`; empty until 5.0
    record Kill(String reason, OomVictim victim) implements OomLine {}

    /// `Tasks in /x are going to be killed due to memory.oom.group set`, since 4.19.
    record GroupKill(String path) implements OomLine {}

    /// `oom_reaper: reaped process 4162 (python3), now anon-rss:0kB, …`, since 4.6.
    record Reaped(int pid, String name) implements OomLine {}

    /// `active_anon:503 inactive_anon:48316 isolated_anon:0` and the lines below it, in pages; never the same of a
    /// node or zone, which are in kB.
    record HostPages(Map<String, Long> pages) implements OomLine {}

    /// `Free swap  = 0kB`, `Total swap = 0kB`
    record HostSwap(boolean free, Bytes amount) implements OomLine {}

    /// `65406 pages RAM`
    record HostRam(long pages) implements OomLine {}

    /// `Out of memory and no killable processes...`: the report ends without a kill.
    record NobodyToKill() implements OomLine {}

    Pattern INVOKED = Pattern.compile("(.{1,64}) invoked oom-killer:.*");
    Pattern TASK_IN = Pattern.compile("Tasks? in (.{1,1000}) killed as a result of limit of (.{1,1000})");
    Pattern USAGE = Pattern.compile(
            "(memory|memory\\+swap|swap|kmem): usage (\\d{1,20})kB, limit (\\d{1,20})kB, " + "failcnt (\\d{1,20})");
    Pattern STATS = Pattern.compile("Memory cgroup stats for (.{0,1000}?):(?: (\\w+:\\d.*))?");
    Pattern STAT = Pattern.compile("([a-z][a-z0-9_]{1,40}) (\\d{1,20})");
    Pattern TABLE_HEAD = Pattern.compile("\\[ *pid *] +(uid .*)");
    Pattern ROW = Pattern.compile("\\[ *(\\d{1,10})] +(\\d.*)");
    Pattern GROUP = Pattern.compile("Tasks in (.{1,1000}) are going to be killed due to memory\\.oom\\.group set.*");
    Pattern REAPED = Pattern.compile("oom_reaper: reaped process (\\d{1,10}) \\((.{0,64})\\).*");
    Pattern PAGES = Pattern.compile("([a-z_]{2,40}):(\\d{1,20})");
    Pattern SWAP = Pattern.compile("(Free|Total) swap += (\\d{1,20})kB");
    Pattern RAM = Pattern.compile("(\\d{1,20}) pages RAM");

    static Optional<OomLine> parse(String text) {
        if (text.isEmpty()) return Optional.empty();
        // Most lines of a log are none of these; the first character and a fixed word tell that without a pattern.
        return switch (text.charAt(0)) {
            case '[' -> row(text).or(() -> match(TABLE_HEAD, text).map(m -> new TableHead(columns(m.group(1)))));
            case ',' -> OomContext.parse(text).map(Context::new);
            default -> {
                if (text.startsWith("oom-kill:")) yield OomContext.parse(text).map(Context::new);
                if (text.contains(" invoked oom-killer:"))
                    yield match(INVOKED, text).map(m -> new Invoked(m.group(1)));
                if (text.contains("illed process ") || text.contains("Kill process ")) yield KilledLine.parse(text);
                if (text.contains("no killable processes")) yield Optional.of(new NobodyToKill());
                if (text.startsWith("Task")) yield taskIn(text);
                if (text.contains("oom_reaper")) yield reaped(text);
                if (text.contains("kB")) yield kilobytes(text);
                if (text.startsWith("Memory cgroup stats for "))
                    yield match(STATS, text).map(OomLine::stats);
                yield numbers(text);
            }
        };
    }

    private static Optional<OomLine> row(String text) {
        return match(ROW, text).flatMap(m -> pid(m.group(1)).map(pid -> new Row(pid, m.group(2))));
    }

    private static Optional<OomLine> taskIn(String text) {
        Optional<OomLine> limit = match(TASK_IN, text).map(m -> new TaskIn(m.group(1), m.group(2)));
        return limit.or(() -> match(GROUP, text).map(m -> new GroupKill(m.group(1))));
    }

    private static Optional<OomLine> reaped(String text) {
        return match(REAPED, text).flatMap(m -> pid(m.group(1)).map(pid -> new Reaped(pid, m.group(2))));
    }

    private static Optional<OomLine> kilobytes(String text) {
        Optional<OomLine> usage = match(USAGE, text)
                .map(m -> new Usage(m.group(1), Charge.ofKiB(m.group(2), m.group(3), OomNumbers.number(m.group(4)))));
        return usage.or(
                () -> match(SWAP, text).map(m -> new HostSwap(m.group(1).equals("Free"), OomNumbers.kib(m.group(2)))));
    }

    private static Optional<OomLine> numbers(String text) {
        char last = text.charAt(text.length() - 1);
        if (last >= '0' && last <= '9') {
            Optional<OomLine> stat = match(STAT, text).map(m -> new Stat(m.group(1), OomNumbers.number(m.group(2))));
            return stat.or(() -> pages(text));
        }
        return match(RAM, text).map(m -> new HostRam(OomNumbers.number(m.group(1))));
    }

    private static Optional<OomLine> pages(String text) {
        Map<String, Long> pages = new LinkedHashMap<>();
        for (String word : text.split(" +")) {
            Matcher m = PAGES.matcher(word);
            if (!m.matches()) return Optional.empty();
            pages.put(m.group(1), OomNumbers.number(m.group(2)));
        }
        return Optional.of(new HostPages(pages));
    }

    private static OomLine stats(Matcher m) {
        Map<String, Long> bytes = new LinkedHashMap<>();
        String numbers = m.group(2) == null ? "" : m.group(2);
        for (String word : numbers.split(" +")) {
            int colon = word.indexOf(':');
            // The unit tells a whole number from one that was cut off.
            if (colon > 0 && word.endsWith("KB"))
                bytes.put(
                        word.substring(0, colon),
                        OomNumbers.kib(word.substring(colon + 1, word.length() - 2))
                                .bytes());
        }
        return new StatsHead(m.group(1), bytes);
    }

    private static List<String> columns(String head) {
        return Arrays.asList(head.strip().split(" +"));
    }

    /// Empty for a number no process has.
    static Optional<Integer> pid(String digits) {
        long pid = OomNumbers.number(digits);
        return pid > 0 && pid <= Integer.MAX_VALUE ? Optional.of((int) pid) : Optional.empty();
    }

    static Optional<Matcher> match(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.matches() ? Optional.of(matcher) : Optional.empty();
    }
}
