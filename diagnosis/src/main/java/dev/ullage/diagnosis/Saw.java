// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import dev.ullage.measure.Quantity;

/// One number a finding rests on, and where to look it up.
///
/// @param what in a few plain words: `read from storage`
/// @param unit a unit of the report's schema, or `text`
/// @param text as a person reads it
/// @param source file and field, or call: `/proc/vmstat workingset_refault_file`
public record Saw(String what, double value, String unit, String text, String source) {
    public static Saw of(String what, Quantity quantity, String source) {
        return new Saw(what, quantity.value(), quantity.unit(), quantity.shown(), source);
    }

    /// Something that is no number: a name, a state.
    public static Saw text(String what, String text, String source) {
        return new Saw(what, 0, "text", text, source);
    }
}
