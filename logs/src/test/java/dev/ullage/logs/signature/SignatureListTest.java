// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.signature;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// docs/SIGNATURES.md is made from the pages: `-Dullage.docs.update=true` writes it, otherwise it is compared.
class SignatureListTest {
    private static final boolean UPDATE = Boolean.getBoolean("ullage.docs.update");
    private static final Path LIST = Path.of("../docs/SIGNATURES.md");
    private static final Path CATALOGUE = Path.of("../diagnosis/src/main/java/dev/ullage/diagnosis/Cause.java");

    @Test
    void the_list_in_the_documentation_is_that_of_the_pages() throws IOException {
        String made = made();
        if (UPDATE) Files.writeString(LIST, made);
        assertEquals(
                made, Files.readString(LIST), "run the test with -Dullage.docs.update=true and read what it wrote");
    }

    /// This module is compiled before the catalogue's, which therefore is read as text.
    @Test
    void every_cause_on_a_page_is_in_the_catalogue() throws IOException {
        Set<String> words = Pattern.compile("\"([a-z-]+)\",\\s+Layer\\.")
                .matcher(Files.readString(CATALOGUE))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
        assertTrue(words.size() > 20, "found " + words.size() + " causes in " + CATALOGUE);
        Set<String> others = new TreeSet<>();
        for (SignaturePage page : Signatures.pages())
            for (String cause : page.signature().causes())
                if (!words.contains(cause)) others.add(page.signature().name() + ": " + cause);
        assertEquals(Set.of(), others);
    }

    private static String made() {
        StringBuilder list = new StringBuilder("""
                # What Ullage reads in logs

                Made from the pages beside `Signatures.java`, in the order in which they are tried: of two that match a line the
                first is what it is. Do not edit it; a page is added there. A signature without an engine is anybody's.

                | name | role | engine | what it says | may mean |
                |---|---|---|---|---|
                """);
        for (SignaturePage page : Signatures.pages()) {
            Signature s = page.signature();
            list.append("| `%s` | %s | %s | %s | %s |\n"
                    .formatted(s.name(), s.role().word(), s.engine(), title(page), String.join(", ", s.causes())));
        }
        return list.toString();
    }

    private static String title(SignaturePage page) {
        return page.signature().title().replace("|", "\\|");
    }
}
