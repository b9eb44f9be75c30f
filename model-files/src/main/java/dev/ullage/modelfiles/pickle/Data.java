// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

import java.math.BigInteger;

/// What a pickle holds, as data. Nothing is instantiated and nothing called: a class is its name, an object is the name
/// of what would have been called and with what ([Instance]).
///
/// Lists, dicts, tuples, sets and instances are equal only to themselves: they may contain each other in circles, and a
/// comparison by content would take as long as a hostile file likes.
public sealed interface Data
        permits Data.Nothing,
                Data.Truth,
                Data.Whole,
                Data.Big,
                Data.Real,
                Data.Text,
                Data.Raw,
                Data.ClassName,
                Composite,
                Folded {
    /// Python's None.
    enum Nothing implements Data {
        NONE
    }

    record Truth(boolean value) implements Data {}

    /// An integer that fits 64 bits: sizes, addresses, line numbers.
    record Whole(long value) implements Data {
        private static final Whole[] SMALL = new Whole[2048];

        static {
            for (int i = 0; i < SMALL.length; i++) SMALL[i] = new Whole(i);
        }

        static boolean isShared(long value) {
            return value >= 0 && value < SMALL.length;
        }

        static Whole of(long value) {
            return isShared(value) ? SMALL[(int) value] : new Whole(value);
        }
    }

    /// An integer that does not, of at most 1 KiB.
    record Big(BigInteger value) implements Data {}

    record Real(double value) implements Data {}

    record Text(String value) implements Data {}

    /// Bytes: their number, and the first of them.
    record Raw(long length, byte[] head) implements Data {}

    /// The name of a class or function, from GLOBAL or STACK_GLOBAL: `os`, `system`.
    record ClassName(String module, String name) implements Data {
        public boolean is(String module, String name) {
            return this.module.equals(module) && this.name.equals(name);
        }

        @Override
        public String toString() {
            return module + "." + name;
        }
    }

    /// The number, or `otherwise` when this is none. A bool is a number in Python, and is one here.
    default long orElse(long otherwise) {
        return switch (this) {
            case Whole whole -> whole.value;
            case Truth truth -> truth.value ? 1 : 0;
            case Real real -> (long) real.value;
            case Nothing _, Big _, Text _, Raw _, ClassName _, Composite _, Folded _ -> otherwise;
        };
    }

    /// The text, or `otherwise` when this is none.
    default String orElse(String otherwise) {
        return this instanceof Text(String value) ? value : otherwise;
    }
}
