// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

import java.util.ArrayList;
import java.util.List;

/// Makes the data that opcodes ask for, and writes down what a pickle would have called.
final class Construction {
    /// Names and calls that are shown; a hostile file has millions.
    private static final int MOST_SHOWN = 64;

    private final Folding folding;
    private final Held held;
    private final List<Data.ClassName> named = new ArrayList<>();
    private final List<Instance> calls = new ArrayList<>();

    Construction(Folding folding, Held held) {
        this.folding = folding;
        this.held = held;
    }

    List<Data.ClassName> named() {
        return named;
    }

    List<Instance> calls() {
        return calls;
    }

    ListOf list() {
        held.charge(Held.CONTAINER);
        return new ListOf();
    }

    DictOf dict() {
        held.charge(2 * Held.CONTAINER);
        return new DictOf();
    }

    SetOf set() {
        held.charge(Held.CONTAINER);
        return new SetOf();
    }

    Data tuple(List<Data> items) {
        if (items.isEmpty()) return TupleOf.EMPTY;
        TupleOf tuple = new TupleOf(items);
        held.charge(Held.CONTAINER + (long) items.size() * Held.REFERENCE);
        Data folded = folding.tuple(tuple);
        if (folded != tuple) held.giveBack(items);
        return folded;
    }

    Data appended(Data target, List<Data> items) {
        switch (target) {
            case ListOf list -> {
                for (Data item : items) list.add(item, held);
            }
            case Instance instance -> {
                for (Data item : items) {
                    instance.contain(item);
                    instance.items().add(item, held);
                }
            }
            case SetOf _, DictOf _, TupleOf _, Folded _ -> throw wrong(target, "a list");
            case Data.Nothing _, Data.Truth _, Data.Whole _, Data.Big _, Data.Real _, Data.Text _ ->
                throw wrong(target, "a list");
            case Data.Raw _, Data.ClassName _ -> throw wrong(target, "a list");
        }
        return target;
    }

    Data united(Data target, List<Data> items) {
        if (!(target instanceof SetOf set)) throw wrong(target, "a set");
        for (Data item : items) set.add(item, held);
        return set;
    }

    void put(Data target, List<Data> pairs, Memo memo) {
        DictOf dict;
        if (target instanceof DictOf plain) dict = plain;
        else if (target instanceof Instance instance) dict = instance.entries();
        else throw wrong(target, "a dict");
        if (pairs.size() % 2 != 0) throw new Refusal("a key without a value", "pairs");
        for (int i = 0; i < pairs.size(); i += 2) {
            Data key = pairs.get(i);
            Data value = pairs.get(i + 1);
            if (value instanceof ListOf list && key instanceof Data.Text(String name)) {
                value = folded(name, list, memo);
            }
            if (target instanceof Instance instance) instance.contain(value);
            dict.put(key, value, held);
        }
    }

    private Data folded(String name, ListOf list, Memo memo) {
        if (list.standIn() != null) return list.standIn();
        Data folded = folding.listUnder(name, list);
        if (folded != list) {
            held.giveBack(list.items());
            memo.replace(list, folded);
        }
        return folded;
    }

    Data.ClassName name(String module, String name) {
        Data.ClassName className = new Data.ClassName(module, name);
        held.charge(Held.NODE + 4L * Held.NODE + 2L * (module.length() + name.length()));
        if (named.size() < MOST_SHOWN && !named.contains(className)) named.add(className);
        folding.named(className);
        return className;
    }

    /// A call that was not made. A few classes are only another way to write plain data, and are read as that.
    Data called(Data callee, Data arguments) {
        if (callee instanceof Data.ClassName name && arguments instanceof TupleOf tuple) {
            boolean builtin = name.module().equals("builtins") || name.module().equals("__builtin__");
            if (name.is("collections", "OrderedDict") && tuple.items().isEmpty()) return dict();
            if (name.is("collections", "defaultdict") && tuple.items().size() <= 1) return dict();
            if (builtin && (name.name().equals("set") || name.name().equals("frozenset"))) {
                if (tuple.items().size() == 1 && tuple.items().getFirst() instanceof ListOf list)
                    return united(set(), list.items());
            }
        }
        held.charge(5 * Held.CONTAINER);
        Instance instance = new Instance(callee, arguments);
        if (calls.size() < MOST_SHOWN) calls.add(instance);
        return instance;
    }

    void built(Data target, Data state) {
        if (!(target instanceof Instance instance)) throw wrong(target, "an object that was named before");
        instance.build(state, held);
    }

    private static Refusal wrong(Data found, String expected) {
        String kind =
                switch (found) {
                    case Folded _ -> "a memory record, which was counted already";
                    case ListOf _ -> "a list";
                    case DictOf _ -> "a dict";
                    case TupleOf _ -> "a tuple";
                    case SetOf _ -> "a set";
                    case Instance _, Data.ClassName _ -> "a class or object";
                    case Data.Text _, Data.Raw _ -> "text";
                    case Data.Nothing _, Data.Truth _ -> "None or a truth value";
                    case Data.Whole _, Data.Big _, Data.Real _ -> "a number";
                };
        return new Refusal(kind, expected);
    }
}
