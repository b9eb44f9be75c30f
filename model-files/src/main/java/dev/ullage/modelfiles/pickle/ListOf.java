// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A Python list.
public final class ListOf extends Composite {
    private final ArrayList<Data> items = new ArrayList<>(0);
    private Folded.Gathering gathered;
    private Folded standIn;

    ListOf() {}

    public List<Data> items() {
        return Collections.unmodifiableList(items);
    }

    /// What items that are not kept were gathered to; null when there were none.
    public Folded.Gathering gathered() {
        return gathered;
    }

    /// What stands for this list, remembered so that a list referred to a million times is looked through once.
    public Folded standIn() {
        return standIn;
    }

    public void standIn(Folded folded) {
        standIn = folded;
    }

    void add(Data item, Held held) {
        if (standIn != null) throw new Refusal("a list that grows after it was used", "a list that is complete");
        if (item instanceof Folded folded) {
            if (gathered == null && items.isEmpty()) gathered = folded.startGathering();
            if (gathered != null) {
                gathered.add(folded);
                return;
            }
        }
        if (gathered != null)
            throw new Refusal("a list of memory records with something else in it", "records of one kind");
        contain(item);
        held.charge(Held.REFERENCE);
        items.add(item);
    }
}
