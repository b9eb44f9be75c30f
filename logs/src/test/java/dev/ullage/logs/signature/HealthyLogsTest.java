// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.signature;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Logs of servers that are well speak of memory, OOM, killing and errors too. Composed by hand, after the engines'
/// own.
class HealthyLogsTest {
    private static final Path FOLDER = Path.of("src/test/resources/healthy");

    private static List<Path> logs() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList();
        }
    }

    @TestFactory
    Stream<DynamicTest> nothing_in_a_healthy_log_is_a_failure_or_an_end() throws IOException {
        return logs().stream()
                .map(log -> dynamicTest(log.getFileName().toString(), () -> {
                    List<String> wrong = new ArrayList<>();
                    for (String line : Files.readAllLines(log))
                        Signatures.pages().stream()
                                .map(SignaturePage::signature)
                                .filter(signature ->
                                        signature.in(line, List.of()).isPresent())
                                .findFirst()
                                .filter(first -> first.role() == Role.FAILURE || first.role() == Role.END)
                                .ifPresent(first -> wrong.add(first.name() + ": " + line));
                    assertEquals(List.of(), wrong);
                }));
    }

    @Test
    void there_are_twenty_at_least_and_they_have_words_that_frighten() throws IOException {
        assertTrue(logs().size() >= 20, logs().size() + " logs in " + FOLDER);
        List<String> harmless = new ArrayList<>();
        for (Path log : logs())
            if (!Files.readString(log).matches("(?is).*(memory|oom|kill|error|fail|full).*"))
                harmless.add(log.getFileName().toString());
        assertEquals(List.of(), harmless);
    }
}
