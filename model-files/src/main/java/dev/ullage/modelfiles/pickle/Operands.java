// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// The stack of a pickle, and the marks on it.
///
/// CPython appends to a list in batches of a thousand, but libtorch's writer pushes all eight million events before its
/// one APPENDS. So when the thing below a mark is a list, a record is put into it as soon as the next value is pushed
/// (nothing between the two can still change it); what the file then does with those items must be APPENDS.
final class Operands {
    private Data[] values = new Data[256];
    private int size;
    private int[] marks = new int[16];
    private boolean[] early = new boolean[16];
    private int depth;
    private final Held held;
    /// The kind that was last seen not to be gathered: of a hundred million values pushed nearly all are frames.
    private Class<?> notGathered;

    Operands(Held held) {
        this.held = held;
    }

    void push(Data data) {
        if (depth > 0 && size > marks[depth - 1] && isPutIntoItsListEarly()) {
            values[size - 1] = data;
            return;
        }
        if (isOneMoreOfTheSame(data)) return;
        if (size == values.length) {
            held.charge((long) size * Held.REFERENCE);
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = data;
    }

    private boolean isPutIntoItsListEarly() {
        Class<?> kind = values[size - 1].getClass();
        if (kind == notGathered || !(values[size - 1] instanceof Folded last) || marks[depth - 1] == 0) return false;
        if (!(values[marks[depth - 1] - 1] instanceof ListOf owner)) return false;
        if (owner.gathered() == null && last.startGathering() == null) {
            notGathered = kind;
            return false;
        }
        owner.add(last, held);
        early[depth - 1] = true;
        return true;
    }

    private boolean isOneMoreOfTheSame(Data data) {
        return depth > 0
                && size > marks[depth - 1]
                && values[size - 1] == data
                && data instanceof Folded folded
                && folded.isOneForMany();
    }

    void mark() {
        if (depth == marks.length) {
            if (depth > 2 * Composite.DEEPEST)
                throw new Refusal("more than " + depth + " open marks", "what a program would have written");
            marks = Arrays.copyOf(marks, depth * 2);
            early = Arrays.copyOf(early, depth * 2);
        }
        early[depth] = false;
        marks[depth++] = size;
    }

    Data pop() {
        if (size == 0 || depth > 0 && size == marks[depth - 1])
            throw new Refusal("nothing on the stack", "a value for it to work on");
        Data data = values[--size];
        values[size] = null;
        return data;
    }

    Data top() {
        Data data = pop();
        values[size++] = data;
        return data;
    }

    void replaceTop(Data data) {
        values[size - 1] = data;
    }

    /// What was pushed since the last mark, which goes too.
    List<Data> popMark() {
        if (depth > 0 && early[depth - 1])
            throw new Refusal("memory records gathered for something other than a list", "APPENDS");
        return popMarked();
    }

    /// The same for APPENDS, where some of it may be in the list already.
    List<Data> popMarked() {
        if (depth == 0) throw new Refusal("no mark on the stack", "a MARK before it");
        int from = marks[--depth];
        Data[] items = Arrays.copyOfRange(values, from, size);
        Arrays.fill(values, from, size, null);
        size = from;
        return Collections.unmodifiableList(Arrays.asList(items));
    }

    boolean isOnly(int expected) {
        return size == expected && depth == 0;
    }
}
