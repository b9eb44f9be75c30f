// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.Diagnostician;
import dev.ullage.diagnosis.rules.Rules;
import dev.ullage.host.Evidence;
import dev.ullage.host.Focus;
import dev.ullage.host.HostRoot;
import dev.ullage.host.kernel.HttpAccess;
import dev.ullage.host.kernel.LiveHost;
import dev.ullage.measure.Seconds;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;

/// `ullage diagnose`: looks at this host for a few seconds and says what is wrong with it.
final class DiagnoseVerb implements Verb {
    static final Seconds WINDOW = new Seconds(3);
    static final Seconds LONGEST_WINDOW = Seconds.ofMinutes(60);

    @Override
    public String name() {
        return "diagnose";
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = Help.spec()
                .name(name())
                .usageMessage(new UsageMessageSpec()
                        .description(
                                "Looks at this host for a few seconds and says whether host memory or storage is in"
                                        + " trouble, which cause, and what to do."))
                .addOption(option("--for", "DURATION", "how long to look (default 3s): 10s, 2m"))
                .addOption(flag("--watch", "look again and again; a line for each change of the verdict"))
                .addOption(flag("--once", "look at one instant: faster, no rates"))
                .addOption(option("--since", "DURATION", "how old an OOM kill may be to count (default 15m)"))
                .addOption(option("--pid", "PID", "only the server this process belongs to"))
                .addOption(option("--cgroup", "PATH", "only servers in this cgroup"))
                .addOption(option("--path", "PATH", "only servers that use this model file or folder"))
                .addOption(option("--host", "FOLDER|FILE", "a capture or sosreport instead of this host"))
                .addOption(flag("--redact", "hide secrets, users and public addresses, as a capture does"));
        HttpOptions.addTo(spec);
        Output.addOptions(spec);
        return spec;
    }

    static OptionSpec option(String name, String label, String description) {
        return OptionSpec.builder(name)
                .paramLabel(label)
                .type(String.class)
                .description(description)
                .build();
    }

    static OptionSpec flag(String name, String description) {
        return OptionSpec.builder(name)
                .type(boolean.class)
                .arity("0")
                .description(description)
                .build();
    }

    @Override
    public int run(ParseResult parsed) {
        boolean once = parsed.hasMatchedOption("--once");
        Focus focus;
        Seconds window;
        Output output;
        HttpAccess access;
        try {
            window = Durations.option(parsed, "--for", WINDOW, LONGEST_WINDOW);
            focus = focus(parsed);
            access = HttpOptions.of(parsed);
            output = Output.of(parsed);
        } catch (BadOption e) {
            System.err.println("ullage diagnose: " + e.getMessage());
            return Exit.WRONG_USAGE;
        } catch (IOException e) {
            return notThere(e);
        }
        if (parsed.hasMatchedOption("--watch")) {
            Optional<String> other = notWithWatch(parsed);
            if (other.isEmpty()) return new Watch(focus, window, access).run();
            System.err.println("ullage diagnose: --watch and " + other.get()
                    + ": a watch prints lines about this host as it goes on; leave one of the two");
            return Exit.WRONG_USAGE;
        }
        String capture = parsed.matchedOptionValue("--host", (String) null);
        if (capture != null && parsed.hasMatchedOption("--redact")) {
            System.err.println(
                    "ullage diagnose: --redact hides what is read of this host; with --host there is nothing to"
                            + " hide: a capture was redacted when it was taken");
            return Exit.WRONG_USAGE;
        }
        if (capture != null) return Captures.diagnose(capture, focus, parsed.hasMatchedOption("--since"), output);
        if (parsed.hasMatchedOption("--redact"))
            return Captures.diagnoseRedacted(focus, once ? Seconds.NONE : window, access, output);
        LiveHost host = new LiveHost(access);
        host.startWindow();
        if (!once) Rehearsal.ifSlow(host, focus);
        Evidence evidence = new LiveWindow(host, focus, Interrupt.install()).look(once ? Seconds.NONE : window);
        return report(evidence, "live", hostName(host), output);
    }

    private static Optional<String> notWithWatch(ParseResult parsed) {
        return Stream.of("--once", "--host", "--redact", "--json", "--markdown", "--html")
                .filter(parsed::hasMatchedOption)
                .findFirst();
    }

    static Focus focus(ParseResult parsed) {
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

    static String hostName(HostRoot host) {
        return host.text("/proc/sys/kernel/hostname").orElse("localhost").strip();
    }

    static int report(Evidence evidence, String kind, String name, Output output) {
        Optional<String> nobody = whyFocusFails(evidence);
        if (nobody.isPresent()) {
            System.err.println("ullage diagnose: " + nobody.get());
            return Exit.NOT_THERE;
        }
        Diagnosis diagnosis = new Diagnostician(Rules.ALL).diagnose(evidence, kind, name);
        try {
            output.say(diagnosis);
        } catch (IOException e) {
            return notThere(e);
        }
        return exitOf(diagnosis);
    }

    static int exitOf(Diagnosis diagnosis) {
        return switch (diagnosis.status()) {
            case HEALTHY, ABSENT -> Exit.FINE;
            case WARNING, UNKNOWN -> Exit.WARNING;
            case CRITICAL -> Exit.CRITICAL;
        };
    }

    private static int notThere(IOException e) {
        System.err.println("ullage diagnose: " + e.getMessage());
        return Exit.NOT_THERE;
    }

    /// A question about a process that is not there is a mistake, not a healthy host.
    static Optional<String> whyFocusFails(Evidence evidence) {
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
