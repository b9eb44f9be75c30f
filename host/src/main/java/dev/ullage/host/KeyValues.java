// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/// Kernel text of the form "name number", one a line, with an optional colon and unit:
///
/// ```
/// MemTotal:       24684084 kB
/// workingset_refault_file 350000
/// ```
///
/// A line that is not of that form is passed over: kernels add lines, and one odd line must not hide the rest.
public record KeyValues(Map<String, Long> values) {
    public static KeyValues parse(String text) {
        Map<String, Long> values = new LinkedHashMap<>();
        text.lines().forEach(line -> {
            int space = line.indexOf(' ');
            if (space <= 0) return;
            String key = line.substring(0, line.charAt(space - 1) == ':' ? space - 1 : space);
            String rest = line.substring(space).strip();
            int end = rest.indexOf(' ');
            number(end < 0 ? rest : rest.substring(0, end)).ifPresent(n -> values.put(key, n));
        });
        return new KeyValues(values);
    }

    /// A whole number, or nothing if it is none. Numbers above 2^63 (unsigned 64-bit "no value" marks) are held at the
    /// largest `long`.
    public static OptionalLong number(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            boolean tooLarge = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
            return tooLarge ? OptionalLong.of(Long.MAX_VALUE) : OptionalLong.empty();
        }
    }

    /// The value of `key`, or 0 when the kernel does not tell it. Only for counters whose absence means "never".
    public long orZero(String key) {
        return values.getOrDefault(key, 0L);
    }

    public OptionalLong get(String key) {
        Long value = values.get(key);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    /// The sum over all keys that begin with `prefix`: `allocstall_` stands once per zone.
    public long sumOf(String prefix) {
        long sum = 0;
        for (Map.Entry<String, Long> entry : values.entrySet())
            if (entry.getKey().startsWith(prefix)) sum = saturated(sum, entry.getValue());
        return sum;
    }

    /// A sum that stops at the largest `long` instead of wrapping around.
    public static long saturated(long a, long b) {
        long sum = a + b;
        return a > 0 && b > 0 && sum < 0 ? Long.MAX_VALUE : sum;
    }

    /// `name=number` pairs between spaces: `rbytes=1 wbytes=2`, `polls=58 waiting=40`. `max` becomes the largest
    /// `long`.
    public static KeyValues parsePairs(String text) {
        Map<String, Long> values = new LinkedHashMap<>();
        for (String pair : text.strip().split("\\s+")) {
            int equals = pair.indexOf('=');
            if (equals <= 0) continue;
            String value = pair.substring(equals + 1);
            if (value.equals("max")) values.put(pair.substring(0, equals), Long.MAX_VALUE);
            else number(value).ifPresent(n -> values.put(pair.substring(0, equals), n));
        }
        return new KeyValues(values);
    }
}
