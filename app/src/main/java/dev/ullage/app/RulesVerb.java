// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.rules.RulePage;
import dev.ullage.diagnosis.rules.Rules;
import java.util.Comparator;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;

/// `ullage rules`, `ullage rules show NAME`: the catalogue.
final class RulesVerb implements Verb {
    @Override
    public String name() {
        return "rules";
    }

    @Override
    public CommandSpec spec() {
        CommandSpec show = Help.spec()
                .name("show")
                .usageMessage(new UsageMessageSpec().description("Prints the page of one rule."))
                .addPositional(PositionalParamSpec.builder()
                        .paramLabel("NAME")
                        .type(String.class)
                        .required(true)
                        .index("0")
                        .description("a rule, as `ullage rules` lists it")
                        .build());
        return Help.spec()
                .name(name())
                .usageMessage(new UsageMessageSpec().description("Lists the rules, or shows the page of one."))
                .addSubcommand("show", show);
    }

    @Override
    public int run(ParseResult parsed) {
        if (!parsed.hasSubcommand()) return list();
        String name = parsed.subcommand().matchedPositionalValue(0, "");
        Optional<Rule> rule = Rules.named(name);
        if (rule.isPresent()) {
            System.out.print(RulePage.of(rule.get()));
            return Exit.FINE;
        }
        System.err.println("ullage rules show: no rule \"" + name + "\"; the nearest is \"" + nearest(name)
                + "\", `ullage rules` lists all");
        return Exit.WRONG_USAGE;
    }

    private static int list() {
        for (Rule rule : Rules.ALL)
            System.out.printf(
                    "%-24s %-18s %s%n",
                    rule.name(), rule.cause().word(), rule.cause().meaning());
        return Exit.FINE;
    }

    private static String nearest(String name) {
        return Rules.ALL.stream()
                .map(Rule::name)
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .orElse("");
    }

    /// Levenshtein's: single-letter changes between two words.
    static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) previous[j] = j;
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(change, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
