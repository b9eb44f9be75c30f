// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.signature;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The pages are tests: each line on them matches or does not, and holds what the page says.
class SignaturePagesTest {
    @TestFactory
    Stream<DynamicTest> a_line_that_matches_holds_what_its_page_says() {
        return Signatures.pages().stream().flatMap(page -> page.matching().stream()
                .map(line -> dynamicTest(page.signature().name() + ": " + line.line(), () -> {
                    String held = page.signature()
                            .in(line.line(), line.following())
                            .map(Captures::toString)
                            .orElse("no match");
                    assertEquals(line.captures(), held);
                })));
    }

    @TestFactory
    Stream<DynamicTest> a_line_that_looks_alike_does_not_match() {
        return Signatures.pages().stream().flatMap(page -> page.others().stream()
                .map(line -> dynamicTest(
                        page.signature().name() + ": " + line,
                        () -> assertFalse(page.signature().in(line, List.of()).isPresent()))));
    }

    @TestFactory
    Stream<DynamicTest> a_line_of_a_page_is_first_of_all_that_page_s() {
        List<SignaturePage> pages = Signatures.pages();
        return pages.stream().flatMap(page -> page.matching().stream()
                .map(line -> dynamicTest(page.signature().name() + ": " + line.line(), () -> {
                    SignaturePage first = pages.stream()
                            .filter(p ->
                                    p.signature().in(line.line(), List.of()).isPresent())
                            .findFirst()
                            .orElseThrow();
                    assertEquals(page.signature().name(), first.signature().name());
                })));
    }

    @Test
    void every_page_is_in_the_list_and_has_lines_of_both_kinds() throws IOException {
        Set<String> listed = new TreeSet<>();
        List<String> poor = new ArrayList<>();
        for (SignaturePage page : Signatures.pages()) {
            assertTrue(listed.add(page.signature().name()), page.signature().name() + " is listed twice");
            if (page.matching().isEmpty() || page.others().isEmpty())
                poor.add(page.signature().name());
        }
        assertEquals(List.of(), poor);
        try (Stream<Path> files = Files.list(Path.of("src/main/java/dev/ullage/logs/signature"))) {
            assertEquals(
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".md"))
                            .map(name -> name.substring(0, name.length() - 3))
                            .collect(Collectors.toCollection(TreeSet::new)),
                    listed);
        }
    }

    @Test
    void every_sentence_has_a_text_to_look_for() {
        for (SignaturePage page : Signatures.pages())
            for (Sentence sentence : page.signature().sentences())
                assertTrue(sentence.literal().length() >= 4, page.signature().name() + ": " + sentence);
    }
}
