// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

import java.util.List;

/// A Python tuple.
public final class TupleOf extends Composite {
    static final TupleOf EMPTY = new TupleOf(List.of());

    private final List<Data> items;

    TupleOf(List<Data> items) {
        this.items = items;
        for (Data item : items) contain(item);
    }

    public List<Data> items() {
        return items;
    }
}
