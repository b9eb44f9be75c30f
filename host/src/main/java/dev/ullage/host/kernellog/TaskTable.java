// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.host.kernellog.OomLine.Row;
import dev.ullage.measure.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The task table of a report while it is read. Its columns came and went with the kernels:
///
/// ```
/// [ pid ]   uid  tgid total_vm      rss nr_ptes swapents oom_score_adj name                         3.7
/// [ pid ]   uid  tgid total_vm      rss nr_ptes nr_pmds swapents oom_score_adj name                 4.1
/// [ pid ]   uid  tgid total_vm      rss nr_ptes nr_pmds nr_puds swapents oom_score_adj name         4.14
/// [ pid ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name                  4.15
/// [  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name  6.8
/// ```
final class TaskTable {
    private static final List<String> BEGIN = List.of("uid", "tgid", "total_vm", "rss");
    private static final List<String> SPLIT = List.of("rss_anon", "rss_file", "rss_shmem", "pgtables_bytes");
    private static final List<String> END = List.of("swapents", "oom_score_adj", "name");

    /// Empty when the head was lost.
    private List<String> columns = List.of();

    private final Map<Integer, Row> rows = new LinkedHashMap<>();
    private boolean isMixed;

    void head(List<String> names) {
        columns = List.copyOf(names);
    }

    /// @param mixed whether the row may be another report's
    void add(Row row, boolean mixed) {
        rows.putIfAbsent(row.pid(), row);
        isMixed |= mixed;
    }

    /// Whether rows of another report are among these: what is true of one process holds, what is true of all does
    /// not.
    boolean isMixed() {
        return isMixed;
    }

    boolean has(int pid) {
        return rows.containsKey(pid);
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /// The rows in bytes; those that were cut off are left away.
    ///
    /// @param pageSize in bytes
    List<OomTask> tasks(long pageSize) {
        List<OomTask> tasks = new ArrayList<>();
        for (Row row : rows.values()) cells(row).ifPresent(cells -> tasks.add(cells.task(row.pid(), pageSize)));
        return tasks;
    }

    /// The pages of address space of a process, from which the page size follows.
    Optional<Long> totalVmPages(int pid) {
        return Optional.ofNullable(rows.get(pid))
                .flatMap(this::cells)
                .map(cells -> cells.number("total_vm"))
                .filter(pages -> pages > 0);
    }

    private Optional<Cells> cells(Row row) {
        List<String> names = columns.isEmpty() ? guessed(row.cells()) : columns;
        // Not more parts than columns: the last one is the name, and that may hold blanks.
        String[] values = row.cells().strip().split(" +", names.size());
        if (values.length < names.size()) return Optional.empty();
        Map<String, String> cells = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i++) cells.put(names.get(i), values[i]);
        return Optional.of(new Cells(cells));
    }

    /// Without the head: the first four, the last two and the name never changed.
    private static List<String> guessed(String cells) {
        String[] words = cells.strip().split(" +");
        int numbers = 0;
        while (numbers < words.length && numbers < 10 && words[numbers].matches("-?\\d{1,20}")) numbers++;
        List<String> names = new ArrayList<>(BEGIN);
        if (numbers == 10) names.addAll(SPLIT);
        else for (int i = 0; i < numbers - 6; i++) names.add("pages of tables " + i);
        names.addAll(END);
        return names;
    }

    private record Cells(Map<String, String> values) {
        OomTask task(int pid, long pageSize) {
            return new OomTask(
                    pid,
                    number("uid"),
                    values.getOrDefault("name", ""),
                    OomNumbers.times(number("total_vm"), pageSize),
                    OomNumbers.times(number("rss"), pageSize),
                    amount("rss_anon", pageSize),
                    amount("rss_file", pageSize),
                    amount("rss_shmem", pageSize),
                    OomNumbers.times(number("swapents"), pageSize),
                    (int) number("oom_score_adj"));
        }

        long number(String column) {
            return OomNumbers.number(values.getOrDefault(column, ""));
        }

        private Optional<Bytes> amount(String column, long pageSize) {
            return values.containsKey(column)
                    ? Optional.of(OomNumbers.times(number(column), pageSize))
                    : Optional.empty();
        }
    }
}
