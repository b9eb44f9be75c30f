// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// `ullage VERB …`. A new verb is one class and one line here.
public final class Main {
    private static final List<Verb> VERBS =
            List.of(new DiagnoseVerb(), new CaptureVerb(), new RulesVerb(), new TrainVerb());

    private Main() {}

    /// Ends the process with one of the statuses of [Exit].
    public static void main(String[] arguments) {
        int status = run(arguments);
        System.out.flush();
        System.err.flush();
        // Not exit(): a reader thread that the kernel does not give back must not keep us.
        Runtime.getRuntime().halt(status);
    }

    static int run(String[] arguments) {
        // The command line library takes 40 ms to say a version; the launcher's users wait for it in prompts.
        if (arguments.length == 1 && (arguments[0].equals("--version") || arguments[0].equals("-V"))) {
            System.out.println("ullage " + Version.ours());
            return Exit.FINE;
        }
        CommandLine commandLine = commandLine();
        try {
            ParseResult parsed = commandLine.parseArgs(arguments);
            return perform(commandLine, parsed);
        } catch (ParameterException e) {
            return wrongUsage(e);
        } catch (OutOfMemoryError e) {
            System.err.println(
                    "ullage: ran out of its own memory (" + Runtime.getRuntime().maxMemory() / (1 << 20)
                            + " MiB); set ULLAGE_JAVA_OPTIONS=-Xmx256m and try again");
            return Exit.NOT_THERE;
        } catch (RuntimeException | Error e) {
            return ourFault(e, arguments);
        }
    }

    private static CommandLine commandLine() {
        CommandSpec root = Help.spec()
                .name("ullage")
                .version("ullage " + Version.ours())
                .usageMessage(new UsageMessageSpec()
                        .description(
                                "Says whether host memory, GPU memory or storage breaks or slows an LLM server, and what"
                                        + " to do about it."));
        for (Verb verb : VERBS) root.addSubcommand(verb.name(), verb.spec());
        return new CommandLine(root);
    }

    private static int perform(CommandLine commandLine, ParseResult parsed) {
        List<CommandLine> chain = parsed.asCommandLineList();
        CommandLine asked = chain.getLast();
        for (CommandLine each : chain) {
            if (each.isUsageHelpRequested()) {
                each.usage(System.out);
                return Exit.FINE;
            }
            if (each.isVersionHelpRequested()) {
                System.out.println("ullage " + Version.ours());
                return Exit.FINE;
            }
        }
        if (asked == commandLine) {
            System.err.println("ullage: no verb given");
            commandLine.usage(System.err);
            return Exit.WRONG_USAGE;
        }
        for (Verb verb : VERBS)
            if (verb.name().equals(chain.get(1).getCommandName())) return verb.run(parsed.subcommand());
        throw new IllegalStateException(
                "a verb without a class: " + chain.get(1).getCommandName());
    }

    /// What was found, and the nearest thing that exists.
    private static int wrongUsage(ParameterException e) {
        PrintWriter err = new PrintWriter(System.err, true);
        CommandLine where = e.getCommandLine();
        err.println(where.getCommandSpec().qualifiedName() + ": " + whatIsWrong(e));
        if (e instanceof UnmatchedArgumentException unmatched)
            UnmatchedArgumentException.printSuggestions(unmatched, err);
        err.println("see: " + where.getCommandSpec().qualifiedName() + " --help");
        return Exit.WRONG_USAGE;
    }

    private static String whatIsWrong(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption())
            return "does not know \"" + String.join(" ", unmatched.getUnmatched()) + "\"";
        String text = String.valueOf(e.getMessage());
        return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }

    /// Never a stack trace on the screen: one line, and where the trace is when it is asked for.
    private static int ourFault(Throwable e, String[] arguments) {
        System.err.println("ullage: our own fault while running `" + String.join(" ", arguments) + "`: " + e);
        System.err.println("run it again with ULLAGE_TRACE=1 and report what it prints, with `ullage --version`");
        if (System.getenv("ULLAGE_TRACE") != null) e.printStackTrace();
        return Exit.OUR_FAULT;
    }
}
