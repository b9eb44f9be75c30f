// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Verdict;
import dev.ullage.measure.Reading.Absent;
import java.util.List;

/// What a rule says when no GPU told what it is about: that it could not look, or that such GPUs do not have it.
final class UntoldByGpus {
    private UntoldByGpus() {}

    /// @param missing why each did not tell it
    static Verdict of(List<Absent<?>> missing, String doNotHaveIt) {
        for (Absent<?> absent : missing) {
            boolean couldNotLook =
                    switch (absent.cause()) {
                        case NO_PERMISSION, NOT_RECORDED, VANISHED, MALFORMED, TIMED_OUT -> true;
                        case NOT_ON_THIS_KERNEL, NOT_PRESENT, NOT_CONFIGURED -> false;
                    };
            if (couldNotLook) return new Verdict.CannotTell(List.of(absent));
        }
        return new Verdict.NotApplicable(doNotHaveIt);
    }
}
