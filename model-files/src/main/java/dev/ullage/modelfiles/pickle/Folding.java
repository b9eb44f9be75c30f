// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

/// What somebody who knows a kind of file makes of its data as it is read, so that the file need not fit in memory.
///
/// Each method is given data that is complete and returns it, or the [Folded] that stands for it from then on, also in
/// the memo: what refers back to it later gets the short form.
public interface Folding {
    /// Keeps everything: the whole tree, for small files.
    Folding NONE = new Folding() {};

    default Data dict(DictOf dict) {
        return dict;
    }

    default Data tuple(TupleOf tuple) {
        return tuple;
    }

    /// A list that is put into a dict under `key`.
    default Data listUnder(String key, ListOf list) {
        return list;
    }

    /// A class or function is named: tells early what kind of file this is.
    default void named(Data.ClassName name) {}
}
