// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.ullage.diagnosis.Remedy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// A command in a report is pasted into a root shell. Names of files and cgroups come from the host.
class RemedyCommandsTest {
    /// What a shell makes of it is one word again, and the same.
    private static final Map<String, String> ODD_NAMES = Map.of(
            "/models/qwen3-8b-q4_k_m.gguf", "/models/my model;$(id).gguf",
            // systemd escapes a hyphen in a unit's name so; a shell eats the backslash.
            "llama.service", "llama\\x2dserver.service");

    @TestFactory
    Stream<DynamicTest> a_name_with_signs_of_the_shell_in_it_stays_one_word() throws IOException {
        return ExampleHosts.examples().stream()
                .filter(ExampleHosts.Example::fires)
                .map(example -> dynamicTest(example.toString(), () -> {
                    for (Remedy remedy : remedies(renamed(example.files())))
                        for (String text : List.of(remedy.command(), remedy.undo(), remedy.verify()))
                            for (String name : ODD_NAMES.values())
                                assertTrue(
                                        !unquoted(text).contains(name) && balanced(text),
                                        () -> "a shell would not see " + name + " in: " + text);
                }));
    }

    private static Map<String, String> renamed(Map<String, String> host) {
        Map<String, String> renamed = new TreeMap<>();
        host.forEach((path, text) -> {
            String newPath = path;
            String newText = text;
            for (Map.Entry<String, String> odd : ODD_NAMES.entrySet()) {
                newPath = newPath.replace(odd.getKey(), odd.getValue());
                newText = newText.replace(odd.getKey(), odd.getValue());
            }
            // Arguments end in NUL; the pages write blanks, which would cut the name.
            if (path.endsWith("/cmdline"))
                newText = newText.replace(" -m ", "\0-m\0").replace(" --port", "\0--port\0");
            renamed.put(newPath, newText);
        });
        return renamed;
    }

    private static List<Remedy> remedies(Map<String, String> host) {
        List<Remedy> all = new ArrayList<>();
        CalmHost.diagnosisOf(host).findings().forEach(finding -> all.addAll(finding.remedies()));
        return all;
    }

    /// What is left of a command outside of single quotes.
    private static String unquoted(String command) {
        return command.replaceAll("'[^']*'", "");
    }

    private static boolean balanced(String command) {
        // An apostrophe in the words of a person is no quote of a shell.
        return command.replace("server's", "").chars().filter(c -> c == '\'').count() % 2 == 0;
    }

    @Test
    void the_test_knows_what_is_quoted() {
        assertEquals("cat  > /dev/null", unquoted("cat '/models/a b' > /dev/null"));
    }
}
