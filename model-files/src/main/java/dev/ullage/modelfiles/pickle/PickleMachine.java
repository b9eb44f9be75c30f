// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

import java.util.ArrayList;
import java.util.List;

/// Runs the program that a pickle is, with data for a result and nothing else happening. Every opcode stands here;
/// those
/// that would need the writer's program to make sense of (persistent ids, extension codes, buffers that travel beside
/// the pickle) and those that only Python 1 wrote (INST, OBJ) are refused.
final class PickleMachine {
    private static final String ONLY_SNAPSHOTS =
            "plain data; ullage reads torch memory snapshots and tracemalloc dumps, nothing else of Python's pickles";

    private final PickleInput in;
    private final Folding folding;
    private final Held held;
    private final Operands stack;
    private final Memo memo;
    private final Scalars scalars;
    private final Construction construction;
    private Opcode opcode;
    private long opcodeAt;
    private int protocol;

    PickleMachine(PickleInput in, Folding folding, Held held) {
        this.in = in;
        this.folding = folding;
        this.held = held;
        stack = new Operands(held);
        memo = new Memo(held);
        scalars = new Scalars(in, held);
        construction = new Construction(folding, held);
    }

    /// `REDUCE`, or what kind of byte stands there instead.
    String opcodeName() {
        return opcode == null ? "no opcode" : opcode.name();
    }

    long opcodeAt() {
        return opcodeAt;
    }

    int protocol() {
        return protocol;
    }

    List<Data.ClassName> named() {
        return construction.named();
    }

    List<Instance> calls() {
        return construction.calls();
    }

    /// Up to STOP: the one thing the pickle is of.
    Data run() {
        while (true) {
            opcodeAt = in.offset();
            int code = in.u1();
            opcode = Opcode.of(code);
            if (opcode == null)
                throw new Refusal(String.format("byte 0x%02x", code), "an opcode of pickle protocol 0 to 5");
            if (opcode == Opcode.STOP) {
                Data root = complete(stack.pop());
                if (!stack.isOnly(0)) throw new Refusal("values left over at the end", "one value");
                return root;
            }
            step();
        }
    }

    private void step() {
        switch (opcode) {
            case PROTO -> readProtocol();
            // A hint for readers that fetch ahead. What it says is not needed, so it can do no harm.
            case FRAME -> in.s8();
            case MARK -> stack.mark();
            case POP -> pop();
            case POP_MARK -> stack.popMark();
            case DUP -> stack.push(stack.top());
            case STOP -> throw new IllegalStateException("STOP ends the loop");

            case NONE -> stack.push(Data.Nothing.NONE);
            case NEWTRUE -> stack.push(Scalars.TRUE);
            case NEWFALSE -> stack.push(Scalars.FALSE);
            case BININT1 -> stack.push(Data.Whole.of(in.u1()));
            case BININT2 -> stack.push(scalars.whole(in.u2()));
            case BININT -> stack.push(scalars.whole(in.s4()));
            case LONG1 -> stack.push(scalars.whole(in.u1(), in));
            case LONG4 -> stack.push(scalars.whole(in.s4(), in));
            case INT, LONG -> stack.push(scalars.decimal(in.line()));
            case FLOAT -> stack.push(scalars.real(in.line()));
            case BINFLOAT -> stack.push(scalars.real(in.bigEndianDouble()));

            case SHORT_BINUNICODE -> stack.push(scalars.text(in.u1()));
            case BINUNICODE -> stack.push(scalars.text(Integer.toUnsignedLong(in.s4())));
            case BINUNICODE8 -> stack.push(scalars.text(in.s8()));
            case UNICODE -> stack.push(scalars.escaped(in.line(Texts.LONGEST)));
            case STRING -> stack.push(scalars.quoted(in.line(Texts.LONGEST)));
            case SHORT_BINSTRING -> stack.push(scalars.text(in.u1()));
            case BINSTRING -> stack.push(scalars.text(in.s4()));
            case SHORT_BINBYTES -> stack.push(scalars.raw(in.u1()));
            case BINBYTES -> stack.push(scalars.raw(Integer.toUnsignedLong(in.s4())));
            case BINBYTES8, BYTEARRAY8 -> stack.push(scalars.raw(in.s8()));

            case EMPTY_LIST -> stack.push(construction.list());
            case EMPTY_DICT -> stack.push(construction.dict());
            case EMPTY_SET -> stack.push(construction.set());
            case EMPTY_TUPLE -> stack.push(TupleOf.EMPTY);
            case LIST -> {
                List<Data> items = complete(stack.popMark());
                stack.push(construction.appended(construction.list(), items));
            }
            case DICT -> putPairs(construction.dict(), complete(stack.popMark()));
            case FROZENSET -> stack.push(construction.united(construction.set(), complete(stack.popMark())));
            case TUPLE -> stack.push(construction.tuple(complete(stack.popMark())));
            case TUPLE1 -> stack.push(construction.tuple(List.of(popComplete())));
            case TUPLE2 -> {
                Data second = popComplete();
                stack.push(construction.tuple(List.of(popComplete(), second)));
            }
            case TUPLE3 -> {
                Data third = popComplete();
                Data second = popComplete();
                stack.push(construction.tuple(List.of(popComplete(), second, third)));
            }

            case APPEND -> {
                Data item = popComplete();
                construction.appended(stack.top(), List.of(item));
            }
            case APPENDS -> {
                List<Data> items = complete(stack.popMarked());
                construction.appended(stack.top(), items);
            }
            case ADDITEMS -> {
                List<Data> items = complete(stack.popMark());
                construction.united(stack.top(), items);
            }
            case SETITEM -> {
                Data value = popComplete();
                Data key = stack.pop();
                construction.put(stack.top(), List.of(key, value), memo);
            }
            case SETITEMS -> {
                List<Data> pairs = complete(stack.popMark());
                Data target = stack.pop();
                putPairs(target, pairs);
            }

            case PUT -> memo.put(scalars.index(in.line()), stack.top());
            case BINPUT -> memo.put(in.u1(), stack.top());
            case LONG_BINPUT -> memo.put(Integer.toUnsignedLong(in.s4()), stack.top());
            case MEMOIZE -> memo.add(stack.top());
            case GET -> stack.push(memo.get(scalars.index(in.line())));
            case BINGET -> stack.push(memo.get(in.u1()));
            case LONG_BINGET -> stack.push(memo.get(Integer.toUnsignedLong(in.s4())));

            case GLOBAL -> {
                String module = in.line();
                stack.push(construction.name(module, in.line()));
            }
            case STACK_GLOBAL -> {
                Data name = stack.pop();
                Data module = stack.pop();
                stack.push(construction.name(textOf(module), textOf(name)));
            }
            case REDUCE, NEWOBJ -> {
                Data arguments = popComplete();
                stack.push(construction.called(stack.pop(), arguments));
            }
            case NEWOBJ_EX -> {
                Data keywords = popComplete();
                Data arguments = popComplete();
                stack.push(construction.called(stack.pop(), new TupleOf(List.of(arguments, keywords))));
            }
            case BUILD -> {
                Data state = popComplete();
                construction.built(stack.top(), state);
            }

            case PERSID -> throw new Refusal("the persistent id " + Scalars.shown(in.line()), ONLY_SNAPSHOTS);
            case BINPERSID ->
                throw new Refusal(
                        "a persistent id, which stands for data beside the pickle",
                        ONLY_SNAPSHOTS + " (a checkpoint of torch.save has such ids)");
            case EXT1, EXT2, EXT4 ->
                throw new Refusal("an extension code, known only to the program that wrote it", ONLY_SNAPSHOTS);
            case INST ->
                throw new Refusal(
                        "an instance of " + Scalars.shown(in.line()) + "." + Scalars.shown(in.line()), ONLY_SNAPSHOTS);
            case OBJ -> throw new Refusal("an instance of a class of Python 1", ONLY_SNAPSHOTS);
            case NEXT_BUFFER, READONLY_BUFFER ->
                throw new Refusal("a buffer that was stored beside the pickle", ONLY_SNAPSHOTS);
        }
    }

    private void readProtocol() {
        protocol = in.u1();
        if (protocol > 5)
            throw new Refusal("pickle protocol " + protocol, "0 to 5; this is not a pickle, or of a later Python");
    }

    private void pop() {
        Data gone = stack.pop();
        if (gone instanceof Data.Whole(long value) && !Data.Whole.isShared(value)) held.giveBack(Held.NODE);
    }

    private void putPairs(Data target, List<Data> pairs) {
        stack.push(target);
        construction.put(target, pairs, memo);
        // Not by `complete`: protocol 0 sets one item after the other, and a dict is complete only when it is used.
        if (target instanceof DictOf dict) stack.replaceTop(folded(dict));
    }

    private Data popComplete() {
        return complete(stack.pop());
    }

    /// What nothing will be added to any more, in its short form if it has one.
    private Data complete(Data data) {
        return data instanceof DictOf dict ? folded(dict) : data;
    }

    private List<Data> complete(List<Data> items) {
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i) instanceof DictOf) {
                List<Data> complete = new ArrayList<>(items);
                complete.replaceAll(this::complete);
                return List.copyOf(complete);
            }
        }
        return items;
    }

    private Data folded(DictOf dict) {
        Data folded = dict.isToBeFolded() ? folding.dict(dict) : dict;
        if (folded == dict) return dict;
        held.giveBack(dict.values());
        held.giveBack(Held.CONTAINER + (long) dict.size() * Held.REFERENCE);
        memo.replace(dict, folded);
        return folded;
    }

    private static String textOf(Data data) {
        if (data instanceof Data.Text(String value)) return value;
        throw new Refusal("a class whose name is not text", "text");
    }
}
