// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// What a pickle would have called, and with what. It was not called: `os.system` with `("rm -rf /",)` is two pieces of
/// text here. A class is "called" to make an object; `state` is what would have been given to the object then
/// (`__setstate__`, or its attributes as a dict).
public final class Instance extends Composite {
    private final Data callee;
    private final Data arguments;
    private final ArrayList<Data> state = new ArrayList<>(0);
    private final ListOf items = new ListOf();
    private final DictOf entries = new DictOf();

    Instance(Data callee, Data arguments) {
        this.callee = callee;
        this.arguments = arguments;
        contain(callee);
        contain(arguments);
    }

    /// Usually a [Data.ClassName].
    public Data callee() {
        return callee;
    }

    /// Usually a [TupleOf].
    public Data arguments() {
        return arguments;
    }

    public List<Data> state() {
        return Collections.unmodifiableList(state);
    }

    /// What would have been appended to it (a subclass of list).
    public ListOf items() {
        return items;
    }

    /// What would have been put into it (a subclass of dict).
    public DictOf entries() {
        return entries;
    }

    public boolean isOf(String module, String name) {
        return callee instanceof Data.ClassName called && called.is(module, name);
    }

    /// An attribute, when the state is a dict of them.
    public Data attribute(String name) {
        for (Data each : state) if (each instanceof DictOf dict && dict.get(name) != null) return dict.get(name);
        return null;
    }

    void build(Data given, Held held) {
        contain(given);
        held.charge(Held.REFERENCE);
        state.add(given);
    }
}
