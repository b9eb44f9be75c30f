// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Reading;

/// `/proc/<pid>/oom_score_adj`: from −1000 (never killed) to 1000 (killed first).
public record OomScoreAdjustment(int adjustment) {
    public static final Fact<ProcessId, OomScoreAdjustment> FACT =
            new Fact<>("OOM score adjustment", "/proc/<pid>/oom_score_adj", Cadence.ONCE, "", (root, id) -> root.text(
                            id.file("oom_score_adj"))
                    .flatMap(OomScoreAdjustment::parse));

    public static Reading<OomScoreAdjustment> parse(String text) {
        var number = KeyValues.number(text.strip());
        return number.isEmpty() || Math.abs(number.getAsLong()) > 1000
                ? Reading.malformed("/proc/<pid>/oom_score_adj", text, "a number from -1000 to 1000")
                : Reading.of(new OomScoreAdjustment((int) number.getAsLong()));
    }
}
