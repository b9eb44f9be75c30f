// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

/// The short thing that stands for data a [Folding] has understood: a stack of frames, an event, a block.
public non-sealed interface Folded extends Data {
    /// Where values of this kind are gathered when they are put into a list, instead of being kept in it; null when
    /// they are to be kept. A trace of eight million events is then one object.
    default Gathering startGathering() {
        return null;
    }

    /// Whether a row of the same, one after the other, may be one: it stands for something that was counted already.
    default boolean isOneForMany() {
        return false;
    }

    /// What a list keeps of the items that it does not keep.
    interface Gathering {
        void add(Folded item);
    }
}
