// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A Python dict, in the order of the file.
public final class DictOf extends Composite {
    /// Up to here looking through the keys is faster than an index.
    private static final int FEW = 24;

    private static final int MOST_OF_A_RECORD = 64;

    private final ArrayList<Data> keys = new ArrayList<>(0);
    private final ArrayList<Data> values = new ArrayList<>(0);
    private Map<String, Data> index;
    private boolean lookedAt;

    DictOf() {}

    public int size() {
        return keys.size();
    }

    public List<Data> keys() {
        return Collections.unmodifiableList(keys);
    }

    public List<Data> values() {
        return Collections.unmodifiableList(values);
    }

    /// Whether a [Folding] is to be asked about it: once after each change, and never about one with more entries than
    /// a
    /// memory record has (asking takes as long as there are entries).
    boolean isToBeFolded() {
        boolean before = lookedAt;
        lookedAt = true;
        return !before && keys.size() <= MOST_OF_A_RECORD;
    }

    /// What stands under a text key, or null. Of two under one key the later, as in Python.
    public Data get(String key) {
        if (keys.size() <= FEW) {
            for (int i = keys.size() - 1; i >= 0; i--)
                if (keys.get(i) instanceof Data.Text(String text) && text.equals(key)) return values.get(i);
            return null;
        }
        if (index == null) {
            index = new HashMap<>();
            for (int i = 0; i < keys.size(); i++)
                if (keys.get(i) instanceof Data.Text(String text)) index.put(text, values.get(i));
        }
        return index.get(key);
    }

    /// The number under a key, or `otherwise`.
    public long number(String key, long otherwise) {
        Data value = get(key);
        return value == null ? otherwise : value.orElse(otherwise);
    }

    /// The text under a key, or `otherwise`.
    public String text(String key, String otherwise) {
        Data value = get(key);
        return value == null ? otherwise : value.orElse(otherwise);
    }

    void put(Data key, Data value, Held held) {
        contain(key);
        contain(value);
        held.charge(2 * Held.REFERENCE);
        index = null;
        lookedAt = false;
        keys.add(key);
        values.add(value);
    }
}
