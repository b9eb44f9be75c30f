// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.ullage.diagnosis.Diagnostician;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.report.VerdictText;
import dev.ullage.host.Evidence;
import dev.ullage.host.Focus;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.Sampler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// A page is the documentation and the test of its rule. With `-Dullage.pages.update=true` the reports on the pages are
/// written anew; then a person reads them.
class RulePagesTest {
    private static final Path PAGES = Path.of("src/main/java/dev/ullage/diagnosis/rules");
    private static final boolean UPDATE = Boolean.getBoolean("ullage.pages.update");

    private static final List<String> SECTIONS =
            List.of("What it means", "Why it hurts", "How to see it yourself", "What to do", "Thresholds", "Examples");

    static String pageOf(Rule rule) throws IOException {
        return Files.readString(PAGES.resolve(rule.getClass().getSimpleName() + ".md"));
    }

    static Evidence evidence(PageExample example) {
        return Sampler.replay(new RecordedHost(example.tree()), Focus.EVERYTHING);
    }

    @TestFactory
    Stream<DynamicTest> each_example_gives_the_report_on_its_page() {
        return Rules.ALL.stream().flatMap(rule -> {
            try {
                return PageExample.in(rule.name(), pageOf(rule)).stream()
                        .map(example -> dynamicTest(rule.name() + ": " + example.title(), () -> check(rule, example)));
            } catch (IOException e) {
                return Stream.of(dynamicTest(rule.name() + " has a page", () -> {
                    throw e;
                }));
            }
        });
    }

    private static void check(Rule rule, PageExample example) throws IOException {
        Verdict verdict = Diagnostician.ask(rule, evidence(example));
        String report = VerdictText.of(rule, verdict);
        if (UPDATE && !report.equals(example.report())) {
            Path page = PAGES.resolve(rule.getClass().getSimpleName() + ".md");
            String heading = "### " + example.title() + "\n";
            String text = Files.readString(page);
            int at = text.indexOf("```report\n", text.indexOf(heading)) + "```report\n".length();
            Files.writeString(page, text.substring(0, at) + report + text.substring(text.indexOf("```", at)));
            return;
        }
        assertEquals(example.report(), report);
        boolean right =
                switch (verdict) {
                    case Verdict.Problem _ -> example.isKind("Fires");
                    case Verdict.Clear _, Verdict.NotApplicable _ -> example.isKind("Clear");
                    case Verdict.CannotTell _ -> example.isKind("Cannot tell");
                };
        assertTrue(right, () -> "\"" + example.title() + "\" is not what the rule said: " + report);
        if (verdict instanceof Verdict.Problem(List<Finding> findings))
            for (Finding finding : findings)
                finding.remedies().forEach(remedy -> {
                    assertFalse(remedy.verify().isEmpty(), remedy::action);
                    assertFalse(remedy.undo().isEmpty(), remedy::action);
                });
    }

    @TestFactory
    Stream<DynamicTest> each_page_has_every_section_and_every_kind_of_example() {
        return Rules.ALL.stream()
                .map(rule -> dynamicTest(rule.name(), () -> {
                    String page = pageOf(rule);
                    assertTrue(page.startsWith("# " + rule.name() + "\n"), "its title");
                    List<String> sections = page.lines()
                            .filter(l -> l.startsWith("## "))
                            .map(l -> l.substring(3))
                            .toList();
                    assertEquals(SECTIONS, sections);
                    List<PageExample> examples = PageExample.in(rule.name(), page);
                    for (String kind : List.of("Fires", "Clear", "Cannot tell"))
                        assertTrue(examples.stream().anyMatch(e -> e.isKind(kind)), kind);
                }));
    }

    @Test
    void the_catalogue_the_classes_and_the_pages_are_the_same() throws IOException {
        Set<String> listed = Rules.ALL.stream()
                .map(r -> r.getClass().getSimpleName())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> pages;
        try (Stream<Path> files = Files.list(PAGES)) {
            pages = files.map(f -> f.getFileName().toString())
                    .filter(name -> name.endsWith(".md"))
                    .map(name -> name.substring(0, name.length() - 3))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
        assertEquals(pages, listed);
        assertEquals(
                Rules.ALL.size(), Rules.ALL.stream().map(Rule::name).distinct().count());
    }

    @Test
    void a_rule_accounts_only_for_rules_there_are() {
        Set<String> names = Rules.ALL.stream().map(Rule::name).collect(Collectors.toSet());
        for (Rule rule : Rules.ALL)
            for (String other : rule.accountsFor())
                assertTrue(names.contains(other) && !other.equals(rule.name()), rule.name() + " → " + other);
    }
}
