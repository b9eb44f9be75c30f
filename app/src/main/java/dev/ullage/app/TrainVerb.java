// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import dev.ullage.host.kernel.LiveHost;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;

/// The run from which the launcher makes the AOT cache: does a little of everything, so that every class and lambda of
/// the everyday verbs is in it.
final class TrainVerb implements Verb {
    private static final List<String> EVERYDAY = List.of(
            "diagnose --for 300ms --since 1m --no-http",
            "diagnose --once --json --no-http",
            "diagnose --once -v --no-http",
            "rules",
            "rules show cold-start");

    @Override
    public String name() {
        return "train";
    }

    @Override
    public CommandSpec spec() {
        return Help.spec()
                .name(name())
                .usageMessage(new UsageMessageSpec()
                        .hidden(true)
                        .description("Runs a little of everything; the launcher makes its start-up cache from it."));
    }

    @Override
    public int run(ParseResult parsed) {
        // Not those of the machine the cache is made on.
        TrainServer.askOne();
        for (String command : EVERYDAY) Main.run(command.split(" "));
        LiveHost.rehearse();
        return Exit.FINE;
    }
}
