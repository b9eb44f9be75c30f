// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A Python set or frozenset, in the order of the file. What a hostile file puts in twice is here twice.
public final class SetOf extends Composite {
    private final ArrayList<Data> items = new ArrayList<>(0);

    SetOf() {}

    public List<Data> items() {
        return Collections.unmodifiableList(items);
    }

    void add(Data item, Held held) {
        contain(item);
        held.charge(Held.REFERENCE);
        items.add(item);
    }
}
