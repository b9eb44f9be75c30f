// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.host.KeyValues;
import dev.ullage.host.kernellog.OomCgroup.Charge;
import dev.ullage.host.kernellog.OomScope.Nodes;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A report while it is put together; every part may be missing.
final class OomDraft {
    /// A report's statistics have about 70 lines; more is not a report.
    private static final int MOST_STATISTICS = 300;

    final Optional<Seconds> begun;
    Optional<String> invokedBy = Optional.empty();
    Optional<OomLine.TaskIn> taskIn = Optional.empty();
    Optional<String> statsOf = Optional.empty();
    Optional<OomContext> context = Optional.empty();
    Optional<OomLine.Choice> choice = Optional.empty();
    Optional<String> group = Optional.empty();
    Optional<Bytes> swapTotal = Optional.empty();
    Optional<Bytes> swapFree = Optional.empty();
    final Map<String, Charge> charges = new LinkedHashMap<>();
    final Map<String, Long> statistics = new LinkedHashMap<>();
    final Map<String, Long> hostPages = new LinkedHashMap<>();
    final TaskTable table = new TaskTable();
    boolean statisticsOpen;
    boolean tableBegun;
    private Optional<Seconds> killedAt = Optional.empty();
    private String reason = "";
    private final Map<Integer, OomVictim> dead = new LinkedHashMap<>();

    OomDraft(Optional<Seconds> begun) {
        this.begun = begun;
    }

    void addStatistic(String key, long value) {
        if (statistics.size() < MOST_STATISTICS) statistics.merge(key, value, OomNumbers::sum);
    }

    void addKill(OomLine.Kill kill, Optional<Seconds> at) {
        // With memory.oom.group the chosen one is killed, and named, a second time.
        if (hasKilled(kill.victim().pid())) return;
        if (dead.isEmpty()) {
            killedAt = at;
            reason = kill.reason();
        }
        dead.put(kill.victim().pid(), kill.victim());
    }

    boolean hasKilled(int pid) {
        return dead.containsKey(pid);
    }

    /// Whom the report named before the kill.
    Optional<Integer> named() {
        return context.flatMap(OomContext::pid).or(() -> choice.map(OomLine.Choice::pid));
    }

    /// The cgroup whose limit was reached, as far as it was named.
    Optional<String> limitedCgroup() {
        return context.flatMap(OomContext::limitedCgroup)
                .or(() -> taskIn.map(OomLine.TaskIn::limitedCgroup))
                .or(() -> statsOf);
    }

    /// The kill, if the report named a victim at all.
    Optional<OomKill> finish() {
        if (dead.isEmpty()) namedVictim().ifPresent(victim -> dead.put(victim.pid(), victim));
        if (dead.isEmpty()) return Optional.empty();
        long pageSize = pageSize(dead.values().iterator().next());
        List<OomTask> tasks = table.tasks(pageSize);
        Map<Integer, OomTask> rows = new HashMap<>();
        for (OomTask task : tasks) rows.put(task.pid(), task);
        List<OomVictim> victims = new ArrayList<>();
        for (OomVictim victim : dead.values()) victims.add(complete(victim, victims.isEmpty(), rows));
        return Optional.of(new OomKill(
                killedAt.or(() -> begun),
                scope(),
                victims.getFirst(),
                List.copyOf(victims.subList(1, victims.size())),
                group,
                invokedBy,
                cgroup(),
                host(pageSize),
                table.isMixed() ? List.of() : List.copyOf(tasks)));
    }

    private Optional<OomVictim> namedVictim() {
        Optional<OomVictim> chosen = choice.map(c -> OomVictim.of(c.pid(), c.name()));
        return context.flatMap(
                        c -> c.pid().map(pid -> OomVictim.of(pid, c.name().orElse(""))))
                .or(() -> chosen);
    }

    private OomVictim complete(OomVictim victim, boolean first, Map<Integer, OomTask> rows) {
        Optional<String> place = context.filter(
                        said -> said.pid().equals(Optional.of(victim.pid())) || first && choice.isPresent())
                .flatMap(OomContext::taskCgroup);
        if (first) place = place.or(() -> taskIn.map(OomLine.TaskIn::taskCgroup));
        OomVictim placed = victim.in(place);
        OomTask row = rows.get(victim.pid());
        return row == null ? placed : placed.and(row);
    }

    /// 4 KiB, or what the victim's size in pages and in kB says: 16 and 64 KiB pages exist on aarch64. A thread may
    /// have changed the size between the two lines, so the nearest of the three counts.
    private long pageSize(OomVictim victim) {
        Optional<Long> pages = table.totalVmPages(victim.pid());
        if (pages.isEmpty() || victim.totalVm().isEmpty()) return Bytes.PAGE;
        double ratio = (double) victim.totalVm().get().bytes() / pages.get();
        return ratio < 8_192 ? Bytes.PAGE : ratio < 32_768 ? 16_384 : 65_536;
    }

    private OomScope scope() {
        String constraint = context.flatMap(OomContext::constraint).orElse("");
        // The constraint alone does not decide: it may say NONE beside an oom_memcg.
        Optional<String> limited =
                context.flatMap(OomContext::limitedCgroup).or(() -> taskIn.map(OomLine.TaskIn::limitedCgroup));
        if (limited.isPresent()) return new OomScope.OfCgroup(limited.get());
        String why = reason.isEmpty() ? choice.map(OomLine.Choice::reason).orElse("") : reason;
        if (constraint.equals("CONSTRAINT_CPUSET") || why.contains("(cpuset)"))
            return new OomScope.OfTheHost(Nodes.CPUSET);
        if (constraint.equals("CONSTRAINT_MEMORY_POLICY") || why.contains("MPOL_BIND"))
            return new OomScope.OfTheHost(Nodes.MEMORY_POLICY);
        if (context.filter(OomContext::global).isPresent() || why.startsWith("Out of memory"))
            return new OomScope.OfTheHost(Nodes.ALL);
        boolean ofCgroup = constraint.equals("CONSTRAINT_MEMCG")
                || why.startsWith("Memory cgroup out of memory")
                || !charges.isEmpty();
        if (statsOf.isPresent()) return new OomScope.OfCgroup(statsOf.get());
        if (ofCgroup) return new OomScope.OfUnnamedCgroup();
        boolean ofHost = constraint.equals("CONSTRAINT_NONE") || !hostPages.isEmpty();
        return ofHost ? new OomScope.OfTheHost(Nodes.ALL) : new OomScope.NotSaid();
    }

    private Optional<OomCgroup> cgroup() {
        if (charges.isEmpty() && statistics.isEmpty()) return Optional.empty();
        return Optional.of(new OomCgroup(
                Optional.ofNullable(charges.get("memory")),
                Optional.ofNullable(charges.get("memory+swap")),
                Optional.ofNullable(charges.get("swap")),
                Optional.ofNullable(charges.get("kmem")),
                new KeyValues(withThoseBelow(statistics))));
    }

    /// cgroup v1 says `rss` for the cgroup alone and `total_rss` for all the limit counts.
    private static Map<String, Long> withThoseBelow(Map<String, Long> statistics) {
        Map<String, Long> whole = new LinkedHashMap<>(statistics);
        statistics.forEach((key, value) -> {
            if (!key.startsWith("total_")) return;
            whole.remove(key);
            whole.put(key.substring("total_".length()), value);
        });
        return whole;
    }

    private Optional<OomHostMemory> host(long pageSize) {
        return hostPages.isEmpty() && swapTotal.isEmpty()
                ? Optional.empty()
                : Optional.of(OomHostMemory.of(hostPages, pageSize, swapTotal, swapFree));
    }
}
