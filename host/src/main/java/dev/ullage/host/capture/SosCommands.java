// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import dev.ullage.host.RecordedLines;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What the programs of a sosreport printed, as the text that a recorded root holds.
final class SosCommands {
    private static final List<DateTimeFormatter> DATES = List.of(
            DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss zzz yyyy", Locale.ROOT),
            DateTimeFormatter.ofPattern("EEE MMM d hh:mm:ss a zzz yyyy", Locale.ROOT),
            DateTimeFormatter.ofPattern("EEE d MMM HH:mm:ss zzz yyyy", Locale.ROOT));

    private SosCommands() {}

    /// `df -al` and `df -ali`:
    ///
    /// ```
    /// Filesystem     1K-blocks      Used Available Use% Mounted on
    /// /dev/sda2      103081248  97845120         0 100% /
    /// Filesystem      Inodes  IUsed   IFree IUse% Mounted on
    /// /dev/sda2      6553600 310044 6243556    5% /
    /// ```
    static String statfs(String blocks, String inodes) {
        Map<String, String[]> inodesAt = table(inodes, "IFree");
        StringBuilder text = new StringBuilder();
        table(blocks, "1K-blocks").forEach((point, columns) -> {
            long size = number(columns[1]);
            long used = number(columns[2]);
            if (size <= 0 || used < 0) return;
            String[] files = inodesAt.getOrDefault(point, new String[] {"", "0", "0", "0"});
            text.append(RecordedLines.key(point))
                    .append("\tbsize=1024 blocks=")
                    .append(size)
                    .append(" bfree=")
                    .append(size - used)
                    .append(" bavail=")
                    .append(Math.max(0, number(columns[3])))
                    .append(" files=")
                    .append(Math.max(0, number(files[1])))
                    .append(" ffree=")
                    .append(Math.max(0, number(files[3])))
                    .append('\n');
        });
        return text.toString();
    }

    /// By mount point, the last of several mounts on one.
    private static Map<String, String[]> table(String text, String heading) {
        Map<String, String[]> rows = new LinkedHashMap<>();
        if (!text.contains(heading)) return rows;
        text.lines().filter(line -> !line.contains(heading)).forEach(line -> {
            String[] columns = line.strip().split("\\s+", 6);
            if (columns.length == 6 && columns[5].startsWith("/")) rows.put(columns[5], columns);
        });
        return rows;
    }

    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }

    /// `Tue Mar  3 10:15:00 UTC 2026` and `123456.78 234567.89` → `2026-03-03T10:15:00Z 123456.78`.
    static String clock(String date, String otherDate, String uptime) {
        String seconds = uptime.strip().split("\\s+")[0];
        String wall = "-";
        for (String line : (date + "\n" + otherDate).lines().toList()) {
            if (wall.equals("-")) wall = wall(line.strip().replaceAll("\\s+", " "));
        }
        boolean known = seconds.matches("\\d{1,12}(\\.\\d{1,9})?");
        return wall.equals("-") && !known ? "" : wall + " " + (known ? seconds : "0");
    }

    private static String wall(String line) {
        for (DateTimeFormatter format : DATES) {
            try {
                return ZonedDateTime.parse(line, format).toInstant().toString();
            } catch (DateTimeException e) {
                continue;
            }
        }
        return "-";
    }

    /// `/dev/sda2 / ext4 rw,relatime 0 0` → `1 0 8:2 / / rw,relatime - ext4 /dev/sda2 rw,relatime`. The numbers of
    /// devices are those of diskstats; a device that is not in it (device mapper by name, none) gets one of its
    /// own.
    static String mountinfo(String mounts, String diskstats) {
        Map<String, String> numbers = new HashMap<>();
        diskstats.lines().forEach(line -> {
            String[] columns = line.strip().split("\\s+");
            if (columns.length > 3) numbers.put("/dev/" + columns[2], columns[0] + ":" + columns[1]);
        });
        StringBuilder text = new StringBuilder();
        int id = 0;
        for (String line : mounts.lines().toList()) {
            String[] columns = line.split(" ");
            if (columns.length < 4 || !columns[1].startsWith("/")) continue;
            id++;
            String fallback = "0:" + id;
            String device = numbers.computeIfAbsent(columns[0].startsWith("/") ? columns[0] : fallback, _ -> fallback);
            text.append(id)
                    .append(" 0 ")
                    .append(device)
                    .append(" / ")
                    .append(columns[1])
                    .append(' ')
                    .append(columns[3])
                    .append(" - ")
                    .append(columns[2])
                    .append(' ')
                    .append(columns[0])
                    .append(' ')
                    .append(columns[3])
                    .append('\n');
        }
        return text.toString();
    }

    /// `ps aux`: the name, state and sizes of each process, nothing that ps does not print.
    ///
    /// ```
    /// USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND
    /// ollama    2231 12.0  3.1 9834512 640000 ?      Ssl  10:00   1:15 /usr/bin/ollama serve
    /// ```
    /// With `m` ps adds a line a thread, with `-` for what belongs to the process. Kernel threads are in brackets.
    static Map<String, String> processes(String ps) {
        Map<String, String> files = new LinkedHashMap<>();
        if (!ps.startsWith("USER ")) return files;
        ps.lines().skip(1).forEach(line -> {
            String[] c = line.strip().split("\\s+", 11);
            if (c.length < 11 || number(c[1]) <= 0 || c[1].length() > 9 || number(c[4]) < 0 || number(c[5]) < 0) return;
            boolean isKernelThread = c[10].startsWith("[") && c[4].equals("0");
            String first = c[10].split("\\s")[0];
            String name =
                    isKernelThread ? c[10].replaceAll("[\\[\\]]", "") : first.substring(first.lastIndexOf('/') + 1);
            String shortName = name.length() > 15 ? name.substring(0, 15) : name;
            files.put(
                    "proc/" + c[1] + "/stat",
                    c[1] + " (" + shortName + ") " + c[7].charAt(0) + " 0 0 0 0 -1 "
                            + (isKernelThread ? 0x0020_0000 : 0) + " 0 0 0 0 " + ticks(c[9]) + " 0 0 0 20 0 1 0 0 "
                            + number(c[4]) * 1024 + " " + number(c[5]) / 4 + "\n");
            if (!isKernelThread) files.put("proc/" + c[1] + "/cmdline", c[10].replace(' ', '\0') + "\0");
        });
        return files;
    }

    /// `75:30`, minutes and seconds, in ticks of 1/100 s.
    private static long ticks(String time) {
        String[] parts = time.split(":");
        return parts.length == 2 && number(parts[0]) >= 0 && number(parts[1]) >= 0
                ? (number(parts[0]) * 60 + number(parts[1])) * 100
                : 0;
    }
}
