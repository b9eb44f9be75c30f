// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.Diagnostician;
import dev.ullage.diagnosis.report.JsonReport;
import dev.ullage.diagnosis.report.TerminalReport;
import dev.ullage.diagnosis.rules.Rules;
import dev.ullage.host.Evidence;
import dev.ullage.host.Focus;
import dev.ullage.host.FolderTree;
import dev.ullage.host.HostRoot;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.Sampler;
import dev.ullage.host.kernel.LiveHost;
import dev.ullage.measure.Seconds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;

/// `ullage diagnose`: looks at this host for a few seconds and says what is wrong with it.
final class DiagnoseVerb implements Verb {
    private static final Seconds WINDOW = new Seconds(3);
    private static final Seconds LONGEST_WINDOW = Seconds.ofMinutes(60);

    @Override
    public String name() {
        return "diagnose";
    }

    @Override
    public CommandSpec spec() {
        return Help.spec()
                .name(name())
                .usageMessage(new UsageMessageSpec()
                        .description(
                                "Looks at this host for a few seconds and says whether host memory or storage is in"
                                        + " trouble, which cause, and what to do."))
                .addOption(option("--for", "DURATION", "how long to look (default 3s): 10s, 2m"))
                .addOption(flag("--once", "look at one instant: faster, no rates"))
                .addOption(option("--since", "DURATION", "how old an OOM kill may be to count (default 15m)"))
                .addOption(option("--pid", "PID", "only the server this process belongs to"))
                .addOption(option("--cgroup", "PATH", "only servers in this cgroup"))
                .addOption(option("--path", "PATH", "only servers that use this model file or folder"))
                .addOption(option("--host", "FOLDER", "a recorded host instead of this one"))
                .addOption(flag("--json", "one JSON object on standard output"))
                .addOption(flag(new String[] {"-v", "--verbose"}, "everything that was seen, ruled out, not seen"));
    }

    private static OptionSpec option(String name, String label, String description) {
        return OptionSpec.builder(name)
                .paramLabel(label)
                .type(String.class)
                .description(description)
                .build();
    }

    private static OptionSpec flag(String name, String description) {
        return flag(new String[] {name}, description);
    }

    private static OptionSpec flag(String[] names, String description) {
        return OptionSpec.builder(names)
                .type(boolean.class)
                .arity("0")
                .description(description)
                .build();
    }

    @Override
    public int run(ParseResult parsed) {
        boolean once = parsed.hasMatchedOption("--once");
        boolean json = parsed.hasMatchedOption("--json");
        Focus focus;
        Seconds window;
        try {
            window = Durations.option(parsed, "--for", WINDOW, LONGEST_WINDOW);
            focus = focus(parsed);
        } catch (BadOption e) {
            System.err.println("ullage diagnose: " + e.getMessage());
            return Exit.WRONG_USAGE;
        }
        Optional<Path> folder = Optional.ofNullable(parsed.matchedOptionValue("--host", (String) null))
                .map(Path::of);
        if (folder.isPresent() && !Files.isDirectory(folder.get())) {
            System.err.println("ullage diagnose: --host " + folder.get()
                    + " is no folder; expected a recorded host, a folder with proc/ or at-0.000/ in it");
            return Exit.NOT_UNDERSTOOD;
        }
        if (folder.isPresent()) {
            Evidence evidence = Sampler.replay(new RecordedHost(new FolderTree(folder.get())), focus);
            return report(evidence, "capture", folder.get().getFileName().toString(), json, parsed);
        }
        HostRoot host = new LiveHost();
        if (!once) Rehearsal.ifSlow(host, focus);
        Evidence evidence = new LiveWindow(host, focus).look(once ? Seconds.NONE : window);
        return report(evidence, "live", hostName(host), json, parsed);
    }

    private static Focus focus(ParseResult parsed) {
        Seconds since = Durations.option(parsed, "--since", Focus.EVERYTHING.since(), Seconds.ofMinutes(60 * 24 * 30));
        Optional<Integer> pid = Optional.ofNullable(parsed.matchedOptionValue("--pid", (String) null))
                .map(text -> {
                    if (!text.matches("[1-9][0-9]{0,8}"))
                        throw new BadOption("--pid " + text + ": expected a process number");
                    return Integer.parseInt(text);
                });
        return new Focus(
                pid,
                Optional.ofNullable(parsed.matchedOptionValue("--cgroup", (String) null)),
                Optional.ofNullable(parsed.matchedOptionValue("--path", (String) null)),
                since);
    }

    private static String hostName(HostRoot host) {
        return host.text("/proc/sys/kernel/hostname").orElse("localhost").strip();
    }

    private static int report(Evidence evidence, String kind, String name, boolean json, ParseResult parsed) {
        Optional<String> nobody = whyFocusFails(evidence);
        if (nobody.isPresent()) {
            System.err.println("ullage diagnose: " + nobody.get());
            return Exit.NOT_THERE;
        }
        Diagnosis diagnosis = new Diagnostician(Rules.ALL).diagnose(evidence, kind, name);
        if (json) System.out.print(JsonReport.of(diagnosis));
        else
            System.out.print(TerminalReport.of(
                    diagnosis, Terminal.hasColour(), Terminal.width(), parsed.hasMatchedOption("--verbose")));
        return switch (diagnosis.status()) {
            case HEALTHY, ABSENT -> Exit.FINE;
            case WARNING, UNKNOWN -> Exit.WARNING;
            case CRITICAL -> Exit.CRITICAL;
        };
    }

    /// A question about a process that is not there is a mistake, not a healthy host.
    private static Optional<String> whyFocusFails(Evidence evidence) {
        Focus focus = evidence.focus();
        if (focus.isEverything() || !evidence.workloads().isEmpty()) return Optional.empty();
        if (focus.pid().isPresent())
            return Optional.of("--pid " + focus.pid().get() + ": no such process, or it ended while we looked");
        if (focus.cgroup().isPresent())
            return Optional.of("--cgroup " + focus.cgroup().get()
                    + ": no server or large process in it; `cat /proc/<pid>/cgroup` shows the path");
        return Optional.of("--path " + focus.path().orElse("") + ": no process uses a model file there");
    }
}
