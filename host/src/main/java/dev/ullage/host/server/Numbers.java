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

    /// With a letter behind it: small ones are powers of 1000, capital ones of 1024: `1.5k`, `32K`, `1m`, `2G`.
    static OptionalDouble human(String text) {
        if (text.isEmpty() || text.length() > 40) return OptionalDouble.empty();
        char last = text.charAt(text.length() - 1);
        int power = "kmgt".indexOf(Character.toLowerCase(last)) + 1;
        if (power == 0) return plain(text);
        double factor = Math.pow(Character.isUpperCase(last) ? 1024 : 1000, power);
        OptionalDouble number = plain(text.substring(0, text.length() - 1));
        return number.isPresent() ? OptionalDouble.of(number.getAsDouble() * factor) : number;
    }
}
