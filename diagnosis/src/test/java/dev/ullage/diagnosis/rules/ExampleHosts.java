// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Rule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The host of every example of every page: a zoo of sick and healthy hosts for tests of properties.
public final class ExampleHosts {
    private ExampleHosts() {}

    /// @param rule whose page it is on
    /// @param fires whether the rule finds its trouble there
    /// @param title its heading
    public record Example(Rule rule, boolean fires, String title, Map<String, String> files) {
        @Override
        public String toString() {
            return rule.name() + ": " + title;
        }
    }

    public static List<Example> examples() throws IOException {
        List<Example> all = new ArrayList<>();
        for (Rule rule : Rules.ALL)
            for (PageExample example : PageExample.in(rule.name(), RulePagesTest.pageOf(rule)))
                all.add(new Example(rule, example.isKind("Fires"), example.title(), example.files()));
        return all;
    }

    /// Those of the pages and the whole hosts of recorded-hosts/.
    public static List<Map<String, String>> all() throws IOException {
        List<Map<String, String>> all =
                new ArrayList<>(examples().stream().map(Example::files).toList());
        RecordedHostsTest.stories().forEach(story -> all.add(RecordedHostsTest.filesOf(story)));
        return all;
    }
}
