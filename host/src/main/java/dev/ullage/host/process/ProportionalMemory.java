// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;

/// `/proc/<pid>/smaps_rollup`: a process's memory with every shared page divided by the number that share it. Since
/// 4.14; walks the page tables under the address-space lock, so it is read for servers only (30 ms for 10 GiB of 4 KiB
/// pages).
///
/// ```
/// Pss:              312000 kB
/// Pss_Anon:         250000 kB
/// Private_Dirty:    250000 kB
/// Anonymous:       1000000 kB
/// ```
/// Here four workers share what they inherited by fork: Anonymous is four times Pss_Anon.
///
/// @param proportional its fair share of everything it has resident
/// @param proportionalAnonymous its fair share of the anonymous pages; equals [#anonymous] when it shares none.
///     Since 5.9, else what is private
/// @param anonymous anonymous pages it maps, shared after fork or not
public record ProportionalMemory(Bytes proportional, Bytes proportionalAnonymous, Bytes anonymous) {
    public static final Fact<ProcessId, ProportionalMemory> FACT = new Fact<>(
            "proportional memory (PSS)",
            "/proc/<pid>/smaps_rollup",
            Cadence.END,
            "run as root",
            (root, id) -> root.text(id.file("smaps_rollup")).flatMap(ProportionalMemory::parse));

    public static Reading<ProportionalMemory> parse(String text) {
        KeyValues kib = KeyValues.parse(text);
        if (kib.get("Pss").isEmpty())
            return Reading.malformed("/proc/<pid>/smaps_rollup", text, "a line \"Pss: <number> kB\"");
        long anonymous = kib.orZero("Anonymous");
        long own = kib.get("Pss_Anon").orElse(Math.min(anonymous, kib.orZero("Private_Dirty")));
        return Reading.of(
                new ProportionalMemory(Bytes.ofKiB(kib.orZero("Pss")), Bytes.ofKiB(own), Bytes.ofKiB(anonymous)));
    }
}
