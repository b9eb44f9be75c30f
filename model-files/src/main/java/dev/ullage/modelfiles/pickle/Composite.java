// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

/// Data that contains data.
public abstract sealed class Composite implements Data permits ListOf, TupleOf, DictOf, SetOf, Instance {
    /// Python gives up pickling at a nesting of a few hundred; nothing real is deeper.
    static final int DEEPEST = 500;

    /// Its place in the memo, so that what stands for it can be put there; −1 when it is in none.
    int memoIndex = -1;

    private int depth;

    Composite() {}

    /// Called for each thing put into this.
    void contain(Data item) {
        if (item instanceof Composite inner && inner.depth >= depth) {
            depth = inner.depth + 1;
            if (depth > DEEPEST)
                throw new Refusal("data nested more than " + DEEPEST + " deep", "what a program would have written");
        }
    }
}
