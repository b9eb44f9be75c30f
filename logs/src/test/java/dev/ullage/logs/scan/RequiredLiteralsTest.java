// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RequiredLiteralsTest {
    private static void requires(Set<String> literals, String regex) {
        assertEquals(literals, RequiredLiterals.of(Pattern.compile(regex)).orElse(Set.of()), regex);
    }

    @Test
    void the_longest_text_that_every_match_has_is_taken() {
        requires(Set.of(" out of memory"), "(?:CUDA|HIP|XPU) out of memory");
        requires(
                Set.of("cudaMalloc failed", "ErrorOutOfDeviceMemory"),
                "cudaMalloc failed|(?:vk::)?ErrorOutOfDeviceMemory");
        requires(Set.of("Tried to allocate "), "Tried to allocate (?<n>[\\d.]+) ?(?<u>[KMG]iB)");
        requires(Set.of("Killed process "), "Killed process \\d+ \\(python\\) total-vm:");
        requires(Set.of("model requires more"), "(?i)\\bmodel requires more(?= system)");
        requires(Set.of("a.b*c(d"), "\\Qa.b*c(d)\\E");
    }

    @Test
    void what_may_be_missing_is_never_required() {
        requires(Set.of("failed"), "(?:allocation )?failed");
        requires(Set.of("memor"), "memory?");
        requires(Set.of("abcd", "abcde"), "abcd{1,3}|abcdef*");
        requires(Set.of(), "(?:long text)*|other");
        requires(Set.of(), "(?:memory|x) ");
        requires(Set.of("size"), "size(?!of long literal)");
        requires(Set.of(), "[abcdefg]+");
        requires(Set.of(), "\\x41bcdefg");
    }

    @Test
    void characters_that_json_writes_differently_end_a_text() {
        requires(Set.of("model weights"), "msg=\"model weights\"");
        requires(Set.of("t allocate memory"), "can't allocate memory");
    }
}
