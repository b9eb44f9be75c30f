// SPDX-License-Identifier: Apache-2.0
package dev.ullage.measure;

import java.util.function.Function;

/// What came of looking at something: the value, or the reason there is none.
///
/// "Could not look" and "looked, and it is zero" are different findings; other tools print 0 or −1 for both and call a
/// host healthy that nobody has seen. There is therefore no `Reading` without a value *and* without a reason.
///
/// Methods are written in the two records, not as a `switch` here: the first pattern switch of a program costs 20 ms
/// (its bootstrap is not in the AOT cache of JDK 25), and these run at every start.
public sealed interface Reading<T> {
    /// It was read.
    record Present<T>(T value) implements Reading<T> {
        @Override
        public boolean isPresent() {
            return true;
        }

        @Override
        public <U> Reading<U> map(Function<? super T, ? extends U> f) {
            return new Present<>(f.apply(value));
        }

        @Override
        public <U> Reading<U> flatMap(Function<? super T, Reading<U>> f) {
            return f.apply(value);
        }

        @Override
        public T orElse(T other) {
            return value;
        }

        @Override
        public Reading<T> orIfThereIsNone(T none) {
            return this;
        }

        @Override
        public T orThrow() {
            return value;
        }
    }

    /// It was not.
    ///
    /// @param source where it was looked for: `/proc/pressure/memory`
    /// @param detail one short clause for a person: `opening it said EACCES`
    record Absent<T>(String source, AbsentCause cause, String detail) implements Reading<T> {
        /// The same reason, for a value of another type.
        public <U> Reading<U> as() {
            return new Absent<>(source, cause, detail);
        }

        @Override
        public boolean isPresent() {
            return false;
        }

        @Override
        public <U> Reading<U> map(Function<? super T, ? extends U> f) {
            return as();
        }

        @Override
        public <U> Reading<U> flatMap(Function<? super T, Reading<U>> f) {
            return as();
        }

        @Override
        public T orElse(T other) {
            return other;
        }

        @Override
        public Reading<T> orIfThereIsNone(T none) {
            return cause == AbsentCause.NOT_PRESENT || cause == AbsentCause.NOT_ON_THIS_KERNEL ? of(none) : this;
        }

        @Override
        public T orThrow() {
            throw new IllegalStateException(source + " is absent (" + cause.word() + "): " + detail);
        }
    }

    static <T> Reading<T> of(T value) {
        return new Present<>(value);
    }

    static <T> Reading<T> absent(String source, AbsentCause cause, String detail) {
        return new Absent<>(source, cause, detail);
    }

    static <T> Reading<T> malformed(String source, String found, String expected) {
        return new Absent<>(source, AbsentCause.MALFORMED, "found " + shorten(found) + ", expected " + expected);
    }

    private static String shorten(String text) {
        String line = text.strip().lines().findFirst().orElse("nothing");
        return '"' + (line.length() > 60 ? line.substring(0, 60) + "…" : line) + '"';
    }

    boolean isPresent();

    <U> Reading<U> map(Function<? super T, ? extends U> f);

    <U> Reading<U> flatMap(Function<? super T, Reading<U>> f);

    T orElse(T other);

    /// For files that exist only where there is something to tell: a host without `/proc/mdstat` has no RAID. What
    /// could not be *looked at* (no permission, not recorded) stays absent.
    Reading<T> orIfThereIsNone(T none);

    /// The value, for code that has already asked [#isPresent()] or was given it by the engine.
    ///
    /// @throws IllegalStateException naming what is absent and why
    T orThrow();
}
