// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles;

import dev.ullage.modelfiles.pickle.Data;
import dev.ullage.modelfiles.pickle.DictOf;
import dev.ullage.modelfiles.pickle.Folded;
import dev.ullage.modelfiles.pickle.Instance;
import dev.ullage.modelfiles.pickle.ListOf;
import dev.ullage.modelfiles.pickle.Pickle;
import dev.ullage.modelfiles.pickle.SetOf;
import dev.ullage.modelfiles.pickle.TupleOf;
import java.util.ArrayList;
import java.util.List;

/// A pickle that is no memory dump: said in a few words, with what it would have called had it been loaded.
public record OtherPickle(String file, Pickle pickle) implements MemoryDump {
    private static final int CALLS = 8;
    private static final int WIDTH = 76;

    @Override
    public List<String> shown() {
        List<String> lines = new ArrayList<>();
        lines.add("a pickle of " + kind(pickle.root()) + ", not a memory snapshot");
        List<Instance> calls = pickle.calls();
        if (!calls.isEmpty()) lines.add("loading it in Python would call (ullage did not):");
        for (Instance call : calls.subList(0, Math.min(CALLS, calls.size()))) {
            String text = brief(call, 3);
            lines.add("  " + (text.length() > WIDTH ? text.substring(0, WIDTH - 1) + "…" : text));
        }
        if (calls.size() > CALLS) lines.add("  and more");
        return lines;
    }

    private static String kind(Data data) {
        return switch (data) {
            case DictOf dict -> "a dict of " + dict.size() + " entries";
            case ListOf list -> "a list of " + list.items().size() + " items";
            case TupleOf tuple -> "a tuple of " + tuple.items().size() + " items";
            case SetOf set -> "a set of " + set.items().size() + " items";
            case Instance instance -> "an object of " + brief(instance.callee(), 0);
            case Data.ClassName name -> "the class " + brief(name, 0);
            case Data.Text _ -> "text";
            case Data.Raw raw -> raw.length() + " bytes";
            case Data.Whole _, Data.Big _, Data.Real _ -> "a number";
            case Data.Nothing _, Data.Truth _ -> "None or a truth value";
            case Folded _ -> "one memory record";
        };
    }

    /// A value in a line. Never all of it: data may contain itself, or be a tree of a thousand million leaves.
    private static String brief(Data data, int depth) {
        return switch (data) {
            case Data.Text(String text) -> "'" + TopTable.clean(text.substring(0, Math.min(text.length(), 60))) + "'";
            case Data.Whole(long value) -> String.valueOf(value);
            case Data.Real(double value) -> String.valueOf(value);
            case Data.Truth(boolean value) -> value ? "True" : "False";
            case Data.Nothing _ -> "None";
            case Data.ClassName name -> TopTable.clean(name.module() + "." + name.name());
            case Instance instance
            when depth > 0 ->
                brief(instance.callee(), 0)
                        + (instance.arguments() instanceof TupleOf tuple
                                ? joined(tuple, depth)
                                : "(" + brief(instance.arguments(), depth - 1) + ")");
            case TupleOf tuple when depth > 0 -> joined(tuple, depth);
            case Data.Big _, Data.Raw _, Instance _, TupleOf _, ListOf _, DictOf _, SetOf _, Folded _ -> "…";
        };
    }

    private static String joined(TupleOf tuple, int depth) {
        StringBuilder joined = new StringBuilder("(");
        for (Data item : tuple.items()) {
            if (joined.length() > 1) joined.append(", ");
            if (joined.length() > WIDTH) return joined.append("…)").toString();
            joined.append(brief(item, depth - 1));
        }
        return joined.append(')').toString();
    }
}
