// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.Counter;
import dev.ullage.measure.PerSecond;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Seconds;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// A fact at the first and at the last instant it was read.
///
/// @param elapsed between the two; more than zero
public record Change<T>(T before, T after, Seconds elapsed) {
    /// How much a counter grew; never negative, see [Counter].
    public long increase(ToLongFunction<T> counter) {
        return Counter.increase(counter.applyAsLong(before), counter.applyAsLong(after));
    }

    public PerSecond rate(ToLongFunction<T> counter) {
        return new PerSecond(increase(counter) / elapsed.seconds());
    }

    /// How much a counter of bytes grew; never negative.
    public Bytes moved(Function<T, Bytes> counter) {
        return new Bytes(increase(t -> counter.apply(t).bytes()));
    }

    public BytesPerSecond movedRate(Function<T, Bytes> counter) {
        return moved(counter).over(elapsed);
    }

    /// The share of the window a counter of time grew by; at most 1.
    public Ratio share(Function<T, Seconds> counter) {
        double grown = counter.apply(after).seconds() - counter.apply(before).seconds();
        return new Ratio(Math.clamp(grown / elapsed.seconds(), 0, 1));
    }

    /// How much an amount grew; negative when it shrank.
    public Bytes growth(Function<T, Bytes> amount) {
        return amount.apply(after).minus(amount.apply(before));
    }
}
