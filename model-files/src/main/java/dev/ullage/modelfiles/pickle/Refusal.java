// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

/// A pickle that is not read any further, and why. Thrown inside this module only; callers get a
/// [dev.ullage.measure.Reading.Absent] that says the same ([Pickle#read]).
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String found;
    private final String expected;

    /// @param found what stands there, for a person: `persistent id "storage"`
    /// @param expected what would have been read, and what to do: `a memory snapshot; a checkpoint is not read`
    public Refusal(String found, String expected) {
        // No stack trace: a refusal says where in the file, not where in us, and hostile files make many.
        super(found, null, false, false);
        this.found = found;
        this.expected = expected;
    }

    public String found() {
        return found;
    }

    public String expected() {
        return expected;
    }
}
