// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import dev.ullage.host.kernel.HttpAccess;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `--no-http` and `--api-key-env NAME`: whether the servers of this host are asked over loopback, and with which key.
final class HttpOptions {
    private HttpOptions() {}

    static void addTo(CommandSpec spec) {
        spec.addOption(DiagnoseVerb.flag("--no-http", "ask no server over HTTP (else: read-only pages, on loopback)"))
                .addOption(DiagnoseVerb.option(
                        "--api-key-env",
                        "NAME",
                        "environment variable with the key for servers that want one; never shown or recorded"));
    }

    /// @throws BadOption when the variable holds no key
    static HttpAccess of(ParseResult parsed) {
        String name = parsed.matchedOptionValue("--api-key-env", (String) null);
        boolean forbidden = parsed.hasMatchedOption("--no-http");
        if (name == null) return forbidden ? HttpAccess.FORBIDDEN : HttpAccess.WITHOUT_KEY;
        if (forbidden) throw new BadOption("--api-key-env and --no-http: no server is asked, so none gets a key");
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]{0,200}"))
            throw new BadOption("--api-key-env: expected the name of an environment variable, like VLLM_API_KEY, not"
                    + " the key itself");
        String key = Optional.ofNullable(System.getenv(name)).map(String::strip).orElse("");
        if (key.isEmpty())
            throw new BadOption("--api-key-env " + name + ": this variable is not set; export it first, and under sudo"
                    + " keep it: sudo --preserve-env=" + name + " ullage …");
        if (!key.chars().allMatch(c -> c > ' ' && c < 127))
            throw new BadOption("--api-key-env " + name + ": its value holds a space or a control character; a key is"
                    + " one word");
        return new HttpAccess(true, Optional.of(key));
    }
}
