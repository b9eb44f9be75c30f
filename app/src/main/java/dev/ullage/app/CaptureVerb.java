// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import static dev.ullage.app.DiagnoseVerb.flag;
import static dev.ullage.app.DiagnoseVerb.option;

import dev.ullage.app.archive.Archive;
import dev.ullage.host.Clock;
import dev.ullage.host.Focus;
import dev.ullage.host.MemoryTree;
import dev.ullage.host.capture.BadCapture;
import dev.ullage.host.capture.CaptureFolder;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Seconds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;

/// `ullage capture`: this host over a window, redacted, as a folder or an archive, and the report on it.
final class CaptureVerb implements Verb {
    @Override
    public String name() {
        return "capture";
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = Help.spec()
                .name(name())
                .usageMessage(new UsageMessageSpec()
                        .description(
                                "Looks at this host as diagnose does, prints the same report, and writes what it was"
                                        + " made from, redacted, for `ullage diagnose --host` elsewhere."))
                .addPositional(PositionalParamSpec.builder()
                        .index("0")
                        .arity("1")
                        .required(true)
                        .type(String.class)
                        .paramLabel("FOLDER|FILE")
                        .description("where to write it; an archive if the name ends in .tar.zst, .tar.gz or .tar")
                        .build())
                .addOption(option("--for", "DURATION", "how long to look (default 3s): 10s, 2m"))
                .addOption(flag("--once", "one instant: faster, no rates"))
                .addOption(option("--since", "DURATION", "how old an OOM kill may be to count (default 15m)"))
                .addOption(option("--pid", "PID", "only the server this process belongs to"))
                .addOption(option("--cgroup", "PATH", "only servers in this cgroup"))
                .addOption(option("--path", "PATH", "only servers that use this model file or folder"))
                .addOption(flag("--force", "replace a capture that is there already"));
        HttpOptions.addTo(spec);
        Output.addOptions(spec);
        return spec;
    }

    @Override
    public int run(ParseResult parsed) {
        String given = parsed.matchedPositionalValue(0, "");
        if (given.isEmpty()) {
            System.err.println("ullage capture: no name given; expected a folder or a file that ends in .tar.zst");
            return Exit.WRONG_USAGE;
        }
        Path target = Path.of(given);
        boolean force = parsed.hasMatchedOption("--force");
        boolean isArchive = Archive.isName(target);
        try {
            if (isArchive) Archive.check(target, force);
            else CaptureFolder.check(target, force);
            Seconds window = Durations.option(parsed, "--for", DiagnoseVerb.WINDOW, DiagnoseVerb.LONGEST_WINDOW);
            Focus focus = DiagnoseVerb.focus(parsed);
            Output output = Output.of(parsed);
            NavigableMap<String, String> tree = Captures.take(
                    focus, parsed.hasMatchedOption("--once") ? Seconds.NONE : window, HttpOptions.of(parsed));
            Optional<String> nobody = Captures.whyFocusFails(tree);
            if (nobody.isPresent()) {
                System.err.println("ullage capture: " + nobody.get());
                return Exit.NOT_THERE;
            }
            int status = Captures.report(
                    new MemoryTree(tree), target.toAbsolutePath().normalize(), focus, true, output);
            if (isArchive) Archive.write(target, tree, taken(tree), force);
            else CaptureFolder.write(target, tree, force);
            say(target, tree, isArchive);
            return status;
        } catch (BadOption e) {
            System.err.println("ullage capture: " + e.getMessage());
            return Exit.WRONG_USAGE;
        } catch (BadCapture e) {
            System.err.println("ullage capture: " + e.getMessage());
            return Exit.NOT_THERE;
        } catch (IOException e) {
            System.err.println("ullage capture: writing " + target + " failed: " + e.getMessage()
                    + "; nothing was left behind, and the report above stands");
            return Exit.NOT_THERE;
        }
    }

    /// The time its files bear.
    private static Instant taken(NavigableMap<String, String> tree) {
        String clock = tree.getOrDefault("at-0.000/recorded/clock", "- 0");
        return Clock.parse(clock).wall().orElse(Instant.EPOCH);
    }

    private static void say(Path target, NavigableMap<String, String> tree, boolean isArchive) throws IOException {
        long bytes = isArchive
                ? Files.size(target)
                : tree.values().stream()
                        .mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length)
                        .sum();
        System.err.println("ullage capture: wrote " + target + ", " + new Bytes(bytes).shown() + "; look through it"
                + " before you give it away: docs/CAPTURES.md says what is hidden and what is not");
    }
}
