// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import dev.ullage.measure.Reading.Absent;
import java.util.List;

/// What a rule says of a host.
public sealed interface Verdict {
    /// It is so: one finding for each server, cgroup or file system concerned.
    record Problem(List<Finding> findings) implements Verdict {}

    /// Looked, and it is not so. `because` carries the number that rules it out.
    record Clear(String because) implements Verdict {}

    /// There is nothing here this rule could be about.
    record NotApplicable(String because) implements Verdict {}

    /// Could not look.
    record CannotTell(List<Absent<?>> missing) implements Verdict {}

    /// The findings if there are any, else clear.
    static Verdict of(List<Finding> findings, String otherwiseClearBecause) {
        return findings.isEmpty() ? new Clear(otherwiseClearBecause) : new Problem(List.copyOf(findings));
    }
}
