// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.ullage.diagnosis.Diagnostician;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    /// What no probe can see: the rule is in the catalogue to say so.
    private static final Set<String> NEVER_FIRE = Set.of("python-heap");

    private static final String REMEDIES = "| when | what | cost | risk | command | verify | undo |";
    private static final String THRESHOLDS = "| name | default | unit | why this number |";

    /// A number that a rule compares with: `private static final double OFTEN = 0.25;`
    private static final Pattern CONSTANT = Pattern.compile(
            "private static final (?:double|Bytes|BytesPerSecond|Seconds) \\w+\\s*=\\s*[^0-9;]*([0-9.]+)(?: << (\\d+))?\\)?;");

    static String pageOf(Rule rule) throws IOException {
        return Files.readString(PAGES.resolve(fileOf(rule, ".md")));
    }

    private static String fileOf(Rule rule, String ending) {
        return rule.getClass().getSimpleName() + ending;
    }

    private static Stream<DynamicTest> forEachRule(OfRule test) {
        return Rules.ALL.stream().map(rule -> dynamicTest(rule.name(), () -> test.of(rule)));
    }

    private interface OfRule {
        void of(Rule rule) throws IOException;
    }

    @TestFactory
    Stream<DynamicTest> each_example_gives_the_report_on_its_page() {
        return Rules.ALL.stream().flatMap(rule -> {
            try {
                return PageExample.in(rule.name(), pageOf(rule)).stream()
                        .map(example -> dynamicTest(example.toString(), () -> check(rule, example)));
            } catch (IOException | IllegalStateException e) {
                return Stream.of(dynamicTest(rule.name() + " has a page", () -> {
                    throw e;
                }));
            }
        });
    }

    private static Verdict ask(Rule rule, PageExample example) {
        return Diagnostician.ask(rule, Sampler.replay(new RecordedHost(example.tree()), Focus.EVERYTHING));
    }

    private static void check(Rule rule, PageExample example) throws IOException {
        Set<String> read = new HashSet<>();
        Evidence evidence = Sampler.replay(new RecordedHost(example.tree(read)), Focus.EVERYTHING);
        Verdict verdict = Diagnostician.ask(rule, evidence);
        String report = VerdictText.of(rule, verdict);
        if (UPDATE && !report.equals(example.report())) {
            update(rule, example, report);
        } else {
            assertEquals(example.report(), report);
        }
        boolean right =
                switch (verdict) {
                    case Verdict.Problem _ -> example.isKind("Fires");
                    case Verdict.Clear _, Verdict.NotApplicable _ -> example.isKind("Clear");
                    case Verdict.CannotTell _ -> example.isKind("Cannot tell");
                };
        assertTrue(right, () -> "\"" + example.title() + "\" is not what the rule said: " + report);
        // A file that nobody reads is a misspelt one: the example would be about something else.
        Set<String> unread = new TreeSet<>(example.own());
        unread.removeAll(read);
        assertEquals(Set.of(), unread, "files of the example that nothing reads");
    }

    private static void update(Rule rule, PageExample example, String report) throws IOException {
        Path page = PAGES.resolve(fileOf(rule, ".md"));
        String text = Files.readString(page);
        int heading = text.indexOf("### " + example.title() + "\n");
        int from = text.indexOf("```report\n", heading) + "```report\n".length();
        Files.writeString(page, text.substring(0, from) + report + text.substring(text.indexOf("```", from)));
    }

    @TestFactory
    Stream<DynamicTest> each_page_has_every_section_and_every_kind_of_example() {
        return forEachRule(rule -> {
            String page = pageOf(rule);
            assertTrue(page.startsWith("# " + rule.name() + "\n"), "its title");
            String summary =
                    page.lines().skip(1).filter(l -> !l.isBlank()).findFirst().orElse("");
            assertTrue(summary.endsWith(" Cause: `" + rule.cause().word() + "`."), summary);
            assertEquals(
                    SECTIONS,
                    page.lines()
                            .filter(l -> l.startsWith("## "))
                            .map(l -> l.substring(3))
                            .toList());
            List<PageExample> examples = PageExample.in(rule.name(), page);
            for (String kind : NEVER_FIRE.contains(rule.name())
                    ? List.of("Clear", "Cannot tell")
                    : List.of("Fires", "Clear", "Cannot tell"))
                assertTrue(examples.stream().anyMatch(e -> e.isKind(kind)), kind);
        });
    }

    @TestFactory
    Stream<DynamicTest> each_remedy_of_a_rule_is_on_its_page_with_the_same_price() {
        return forEachRule(rule -> {
            List<List<String>> rows = table(pageOf(rule), "What to do", REMEDIES);
            for (PageExample example : PageExample.in(rule.name(), pageOf(rule))) {
                if (!(ask(rule, example) instanceof Verdict.Problem(List<Finding> findings))) continue;
                for (Finding finding : findings) finding.remedies().forEach(remedy -> isAmong(rows, remedy));
            }
        });
    }

    private static void isAmong(List<List<String>> rows, Remedy remedy) {
        assertFalse(remedy.verify().isEmpty(), remedy::action);
        assertFalse(remedy.undo().isEmpty(), remedy::action);
        // A limit of nothing, or from nothing, is a number that was not known.
        assertFalse(remedy.action().contains(" 0 B"), () -> remedy.action() + ": " + remedy.command());
        List<String> price = List.of(
                remedy.when().word(), remedy.cost().word(), remedy.risk().word());
        assertTrue(
                rows.stream()
                        .anyMatch(row -> List.of(row.get(0), row.get(2), row.get(3))
                                        .equals(price)
                                && row.get(4).equals("-") == remedy.command().isEmpty()),
                () -> "no row " + price + " for: " + remedy.action());
    }

    @TestFactory
    Stream<DynamicTest> each_number_a_rule_compares_with_is_in_its_table_of_thresholds() {
        return forEachRule(rule -> {
            List<String> defaults = table(pageOf(rule), "Thresholds", THRESHOLDS).stream()
                    .map(row -> row.get(1))
                    .toList();
            String source = Files.readString(PAGES.resolve(fileOf(rule, ".java")));
            Matcher constant = CONSTANT.matcher(source);
            int found = 0;
            while (constant.find()) {
                found++;
                double number = Double.parseDouble(constant.group(1))
                        * (constant.group(2) == null ? 1 : 1 << Integer.parseInt(constant.group(2)));
                // A share is on the page in per cent, bytes in the unit that suits them.
                List<Double> shown = List.of(number, number * 100, number / (1 << 10), number / (1 << 20));
                assertTrue(
                        defaults.stream()
                                .filter(d -> d.matches("[0-9.]+"))
                                .mapToDouble(Double::parseDouble)
                                .anyMatch(d -> shown.stream().anyMatch(s -> Math.abs(s - d) < 1e-9)),
                        constant.group() + " is not in " + defaults);
            }
            assertEquals(
                    source.lines()
                            .filter(l ->
                                    l.matches(" *private static final (double|Bytes|BytesPerSecond|Seconds) \\w+ =.*"))
                            .count(),
                    found,
                    "constants that this test can read");
        });
    }

    /// The rows of the one table of a section, cell by cell.
    private static List<List<String>> table(String page, String section, String head) {
        int from = page.indexOf("\n## " + section + "\n");
        int to = page.indexOf("\n## ", from + 1);
        List<String> lines = page.substring(from, to)
                .lines()
                .filter(line -> line.startsWith("|"))
                .toList();
        if (lines.isEmpty()) return List.of();
        assertEquals(head, lines.getFirst());
        List<List<String>> rows = new ArrayList<>();
        for (String line : lines.subList(2, lines.size())) {
            String[] cells = line.substring(1).split("(?<!\\\\)\\|", -1);
            assertEquals(head.chars().filter(c -> c == '|').count(), cells.length, line);
            rows.add(Stream.of(cells).map(String::strip).toList());
        }
        return rows;
    }

    @Test
    void the_catalogue_the_classes_and_the_pages_are_the_same() throws IOException {
        Set<String> listed =
                Rules.ALL.stream().map(rule -> fileOf(rule, ".md")).collect(Collectors.toCollection(TreeSet::new));
        Set<String> pages;
        try (Stream<Path> files = Files.list(PAGES)) {
            pages = files.map(f -> f.getFileName().toString())
                    .filter(name -> name.endsWith(".md"))
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
