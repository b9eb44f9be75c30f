// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// One verb of the command line.
interface Verb {
    String name();

    /// Its options, built by hand: picocli's annotations would need reflection and cost 60 ms.
    CommandSpec spec();

    /// @return one of the statuses of [Exit]
    int run(ParseResult parsed);
}
