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

    public static List<Map<String, String>> all() throws IOException {
        List<Map<String, String>> hosts = new ArrayList<>();
        for (Rule rule : Rules.ALL)
            for (PageExample example : PageExample.in(rule.name(), RulePagesTest.pageOf(rule)))
                hosts.add(example.files());
        return hosts;
    }
}
