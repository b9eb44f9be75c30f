// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import java.util.OptionalDouble;

/// Numbers as flags, labels and JSON spell them.
final class Numbers {
    private Numbers() {}

    /// `0.9`, `16`, `1e3`; empty for what is none, and for null.
    static OptionalDouble plain(String text) {
        if (text == null || text.isEmpty() || text.length() > 40) return OptionalDouble.empty();
        try {
            double value = Double.parseDouble(text);
            return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }
}
