// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Rule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// The page of a rule: the Markdown file beside its class, documentation and test at once.
public final class RulePage {
    private RulePage() {}

    /// @throws IllegalStateException when a rule has no page, which a test rules out
    public static String of(Rule rule) {
        String file = rule.getClass().getSimpleName() + ".md";
        try (InputStream in = rule.getClass().getResourceAsStream(file)) {
            if (in == null) throw new IllegalStateException("rule " + rule.name() + " has no page " + file);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("reading the page of " + rule.name(), e);
        }
    }
}
