// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.host.kernellog.KernelLog.Entry;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Puts the OOM killer's reports together, from lines to kills.
///
/// A report is 20 to 20,000 lines, from "invoked oom-killer" to "Killed process", and the kernel marks neither its
/// lines nor its end:
///
/// - Other CPUs write between the lines. Only what [OomLine] knows counts, wherever it stands.
/// - Before 4.2 nothing kept two reports apart: two cgroups may die at once, line by line. A line goes to the first
///   open report that still lacks it, a kill to the report that named the process; two task tables in each other
///   are not told apart, and neither kill has one.
/// - The ring has lost the beginning, or the log ends in the middle. Any line may begin a report, and a report that
///   named a victim is a kill.
/// - After ten reports in five seconds only the "Killed process" lines are written. Each is a kill.
/// - With `memory.oom.group` one report is followed by a "Killed process" for each process of the cgroup, the
///   victim once more among them. That is one kill.
public final class OomReports {
    /// A report is written at once; on a serial console a long task table takes some seconds.
    private static final double LONGEST_SECONDS = 60;

    /// The same for logs without usable times, in lines.
    private static final int LONGEST_LINES = KernelLog.MOST_ENTRIES / 2;

    private static final int MOST_OPEN = 16;

    private final List<OomDraft> open = new ArrayList<>();
    private final List<OomDraft> done = new ArrayList<>();
    private Optional<OomDraft> group = Optional.empty();
    private Optional<Seconds> now = Optional.empty();
    private int line;
    private int lastLine;

    private OomReports() {}

    /// The kills in a log, in the order in which they were done.
    public static List<OomKill> in(KernelLog log) {
        OomReports reports = new OomReports();
        for (Entry entry : log.entries()) reports.take(entry);
        reports.done.addAll(reports.open);
        return reports.done.stream().flatMap(draft -> draft.finish().stream()).toList();
    }

    private void take(Entry entry) {
        line++;
        OomLine.parse(entry.text()).ifPresent(said -> {
            if (isAnotherTime(entry.sinceBoot())) closeAll();
            now = entry.sinceBoot();
            lastLine = line;
            take(said);
        });
    }

    /// Whether too much lies between this line and the last one of any report for both to belong together. Time
    /// that goes back is a reboot; a little back is two CPUs.
    private boolean isAnotherTime(Optional<Seconds> time) {
        if (line - lastLine > LONGEST_LINES) return true;
        if (time.isEmpty() || now.isEmpty()) return false;
        double passed = time.get().seconds() - now.get().seconds();
        return passed > LONGEST_SECONDS || passed < -1;
    }

    private void closeAll() {
        done.addAll(open);
        open.clear();
        group = Optional.empty();
    }

    private void take(OomLine said) {
        switch (said) {
            case OomLine.Invoked(String by) -> {
                group = Optional.empty();
                begin().invokedBy = Optional.of(by);
            }
            case OomLine.TaskIn in -> firstOrNew(d -> d.taskIn.isEmpty() && !isOfTheHost(d)).taskIn = Optional.of(in);
            case OomLine.Usage(String of, OomCgroup.Charge charge) ->
                firstOrNew(d -> !d.charges.containsKey(of) && !isOfTheHost(d))
                        .charges
                        .put(of, charge);
            case OomLine.StatsHead(String path, Map<String, Long> bytes) -> statistics(path, bytes);
            case OomLine.Stat(String key, long value) ->
                first(d -> d.statisticsOpen && !d.statistics.containsKey(key))
                        .ifPresent(d -> d.addStatistic(key, value));
            case OomLine.TableHead(List<String> columns) -> {
                OomDraft draft = firstOrNew(d -> !d.tableBegun);
                draft.table.head(columns);
                draft.tableBegun = true;
                draft.statisticsOpen = false;
            }
            case OomLine.Row row -> row(row);
            case OomLine.Context(OomContext context) -> context(context);
            case OomLine.Choice choice -> {
                Optional<OomDraft> byTable = first(d -> d.choice.isEmpty() && d.table.has(choice.pid()));
                // Linux 5.0 alone writes both: "oom-kill:" and, after it, "Kill process".
                Predicate<OomDraft> isNext = d -> d.choice.isEmpty()
                        && d.named().map(pid -> pid == choice.pid()).orElse(true);
                byTable.orElseGet(() -> firstOrNew(isNext)).choice = Optional.of(choice);
            }
            case OomLine.Kill kill -> kill(kill);
            case OomLine.GroupKill(String path) -> {
                // Follows the first kill of its event; without one (cut off) the next kill is the first.
                OomDraft draft = done.isEmpty() || done.getLast().group.isPresent() || !isRecent(done.getLast())
                        ? begin()
                        : done.getLast();
                open.remove(draft);
                if (done.isEmpty() || done.getLast() != draft) done.add(draft);
                draft.group = Optional.of(path);
                group = Optional.of(draft);
            }
            case OomLine.Reaped(int pid, String name) -> {
                if (open.stream().noneMatch(d -> d.named().equals(Optional.of(pid))) && !wasKilled(pid))
                    close(begin(), new OomLine.Kill("", OomVictim.of(pid, name)));
            }
            case OomLine.HostPages(Map<String, Long> pages) ->
                first(d -> pages.keySet().stream().noneMatch(d.hostPages::containsKey) && d.table.isEmpty())
                        .ifPresent(d -> d.hostPages.putAll(pages));
            case OomLine.HostSwap(boolean free, var amount) ->
                first(d -> (free ? d.swapFree : d.swapTotal).isEmpty()).ifPresent(d -> {
                    if (free) d.swapFree = Optional.of(amount);
                    else d.swapTotal = Optional.of(amount);
                });
            case OomLine.HostRam(long pages) ->
                first(d -> !d.hostPages.containsKey(OomHostMemory.RAM))
                        .ifPresent(d -> d.hostPages.put(OomHostMemory.RAM, pages));
            case OomLine.NobodyToKill() -> first(d -> d.named().isEmpty()).ifPresent(open::remove);
        }
    }

    /// The host's numbers stand where a cgroup's would, since 3.9; before, a cgroup's report had both, its own
    /// first.
    private static boolean isOfTheHost(OomDraft draft) {
        return !draft.hostPages.isEmpty() && draft.charges.isEmpty();
    }

    private void statistics(String path, Map<String, Long> bytes) {
        // Until 5.2 a line for the limited cgroup, then one for each below it: together they are what the limit counts.
        Optional<OomDraft> above = bytes.isEmpty()
                ? Optional.empty()
                : first(d -> !d.tableBegun
                        && d.limitedCgroup()
                                .filter(limited ->
                                        limited.equals("/") || path.equals(limited) || path.startsWith(limited + "/"))
                                .isPresent());
        OomDraft draft = above.orElseGet(() -> firstOrNew(d -> d.statsOf.isEmpty() && !isOfTheHost(d)));
        if (draft.statsOf.isEmpty()) draft.statsOf = Optional.of(path);
        bytes.forEach(draft::addStatistic);
        draft.statisticsOpen = bytes.isEmpty();
    }

    private void row(OomLine.Row row) {
        List<OomDraft> reading =
                open.stream().filter(d -> d.tableBegun && d.named().isEmpty()).toList();
        if (reading.isEmpty()) {
            OomDraft draft = firstOrNew(d -> !d.tableBegun);
            draft.tableBegun = true;
            reading = List.of(draft);
        }
        // Whose row it is cannot be told where two tables are written at once; the row of a victim is known by its pid.
        boolean mixed = reading.size() > 1;
        for (OomDraft draft : reading) draft.table.add(row, mixed);
    }

    private void context(OomContext said) {
        if (!said.begins()) {
            Optional<OomDraft> begun =
                    first(d -> d.context.filter(c -> !c.isWhole()).isPresent());
            if (begun.isPresent()) {
                begun.get().context = begun.get().context.map(c -> c.and(said));
                return;
            }
        }
        Optional<OomDraft> byTable = first(
                d -> d.context.isEmpty() && said.pid().filter(d.table::has).isPresent());
        OomDraft draft = byTable.orElseGet(() -> firstOrNew(d -> d.named().isEmpty() && d.context.isEmpty()));
        draft.context = Optional.of(said);
    }

    private void kill(OomLine.Kill kill) {
        int pid = kill.victim().pid();
        Optional<OomDraft> draft = first(d -> d.named().equals(Optional.of(pid)));
        if (draft.isEmpty() && group.isPresent()) {
            group.get().addKill(kill, now);
            return;
        }
        // A child may die instead of the one chosen (until 5.1).
        if (draft.isEmpty()) draft = first(d -> d.choice.isPresent() && d.table.has(pid));
        if (draft.isEmpty()) draft = first(d -> d.choice.isPresent());
        if (draft.isEmpty()) draft = first(d -> d.named().isEmpty() && d.table.has(pid));
        if (draft.isEmpty()) draft = first(d -> d.named().isEmpty());
        // Said once more of one already dead: the rest of a group whose announcement was lost.
        if (draft.isEmpty() && wasKilled(pid)) return;
        close(draft.orElseGet(this::begin), kill);
    }

    private void close(OomDraft draft, OomLine.Kill kill) {
        draft.addKill(kill, now);
        open.remove(draft);
        done.add(draft);
        group = Optional.empty();
    }

    private boolean wasKilled(int pid) {
        List<OomDraft> last = done.subList(Math.max(0, done.size() - 64), done.size());
        return last.stream().anyMatch(d -> d.hasKilled(pid) && isRecent(d));
    }

    private boolean isRecent(OomDraft draft) {
        if (now.isEmpty() || draft.begun.isEmpty()) return true;
        double ago = now.get().seconds() - draft.begun.get().seconds();
        return ago >= -1 && ago < LONGEST_SECONDS;
    }

    private OomDraft begin() {
        if (open.size() == MOST_OPEN) done.add(open.removeFirst());
        OomDraft draft = new OomDraft(now);
        open.add(draft);
        return draft;
    }

    private OomDraft firstOrNew(Predicate<OomDraft> lacks) {
        return first(lacks).orElseGet(this::begin);
    }

    private Optional<OomDraft> first(Predicate<OomDraft> is) {
        return open.stream().filter(is).findFirst();
    }
}
