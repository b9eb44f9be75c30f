// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.report.HtmlReport;
import dev.ullage.diagnosis.report.JsonReport;
import dev.ullage.diagnosis.report.MarkdownReport;
import dev.ullage.diagnosis.report.TerminalReport;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// How a diagnosis is said: one report on standard output, for a person, a program or a ticket, and a page in a file
/// beside it when one is wanted.
final class Output {
    private enum Form {
        TERMINAL,
        JSON,
        MARKDOWN
    }

    private final Form form;
    private final boolean everything;
    private final Optional<PageFile> page;

    private Output(Form form, boolean everything, Optional<PageFile> page) {
        this.form = form;
        this.everything = everything;
        this.page = page;
    }

    static void addOptions(CommandSpec spec) {
        spec.addOption(flag(List.of("--json"), "one JSON object on standard output"))
                .addOption(flag(List.of("--markdown"), "a report to paste into a ticket"))
                .addOption(OptionSpec.builder("--html")
                        .paramLabel("FILE")
                        .type(String.class)
                        .description("also write one self-contained page for a browser")
                        .build())
                .addOption(flag(List.of("-v", "--verbose"), "everything that was seen, ruled out, not seen"));
    }

    private static OptionSpec flag(List<String> names, String description) {
        return OptionSpec.builder(names.toArray(String[]::new))
                .type(boolean.class)
                .arity("0")
                .description(description)
                .build();
    }

    /// Says what is wrong with FILE before a host is looked at: a window of an hour is not looked at in vain.
    ///
    /// @throws BadOption when two forms are asked for, or FILE can be no page
    /// @throws IOException when FILE cannot be written where it is
    static Output of(ParseResult parsed) throws IOException {
        boolean json = parsed.hasMatchedOption("--json");
        boolean markdown = parsed.hasMatchedOption("--markdown");
        if (json && markdown)
            throw new BadOption("--json and --markdown: standard output takes one of them; run it twice for both");
        String file = parsed.matchedOptionValue("--html", (String) null);
        return new Output(
                json ? Form.JSON : markdown ? Form.MARKDOWN : Form.TERMINAL,
                parsed.hasMatchedOption("--verbose"),
                file == null ? Optional.empty() : Optional.of(PageFile.of(file)));
    }

    /// Prints the report, then writes the page: a full disk takes the page only.
    void say(Diagnosis diagnosis) throws IOException {
        System.out.print(
                switch (form) {
                    case JSON -> JsonReport.of(diagnosis);
                    case MARKDOWN -> MarkdownReport.of(diagnosis, Version.ours());
                    case TERMINAL -> TerminalReport.of(diagnosis, Terminal.hasColour(), Terminal.width(), everything);
                });
        System.out.flush();
        if (page.isPresent()) page.get().write(HtmlReport.of(diagnosis, Version.ours()));
    }
}
