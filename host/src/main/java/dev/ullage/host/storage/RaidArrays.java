// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.measure.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `/proc/mdstat`: software RAID arrays, and whether one is being rebuilt or checked, which takes the disks' time.
/// Source: Documentation/admin-guide/md.rst.
///
/// ```
/// md0 : active raid1 sdb1[2] sda1[0]
///       976630464 blocks super 1.2 [2/1] [U_]
///       [==>..................]  recovery = 12.6% (123456/976630464) finish=127.5min speed=111456K/sec
/// ```
///
/// @param arrays only those that are busy with themselves
public record RaidArrays(List<Work> arrays) {
    /// @param name of the device: `md0`
    /// @param action the kernel's word: `recovery`, `resync`, `reshape`, `check`
    /// @param finish when the kernel thinks it ends: `127.5min`
    public record Work(String name, String action, Ratio done, String finish) {}

    public static final Fact<Host, RaidArrays> FACT =
            new Fact<>("RAID rebuilds", "/proc/mdstat", Cadence.END, "", (root, _) -> root.text("/proc/mdstat")
                    .map(RaidArrays::parse)
                    .orIfThereIsNone(new RaidArrays(List.of())));

    private static final Pattern ARRAY = Pattern.compile("(md\\S{1,32}) : .*");
    private static final Pattern PROGRESS = Pattern.compile(
            ".*\\b(recovery|resync|reshape|check|repair) *= *(\\d{1,3}(?:\\.\\d{1,9})?)%(?:.*?\\bfinish=(\\S{1,20}))?.*");

    static RaidArrays parse(String text) {
        List<Work> busy = new ArrayList<>();
        String name = "";
        for (String line : text.lines().toList()) {
            Matcher array = ARRAY.matcher(line);
            if (array.matches()) name = array.group(1);
            if (!line.contains("%") || line.length() > 400) continue;
            Matcher progress = PROGRESS.matcher(line);
            if (!name.isEmpty() && progress.matches())
                busy.add(new Work(
                        name,
                        progress.group(1),
                        Ratio.ofPercent(Double.parseDouble(progress.group(2))),
                        progress.group(3) == null ? "an unknown time" : progress.group(3)));
        }
        return new RaidArrays(List.copyOf(busy));
    }
}
