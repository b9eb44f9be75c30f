// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs a script with the python3 of this machine, so that pickles in tests are what Python really writes.
public final class Python {
    private Python() {}

    /// What the script writes to its standard output.
    public static byte[] run(String script) {
        try {
            Process python = new ProcessBuilder(List.of("python3", "-"))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (var in = python.getOutputStream()) {
                in.write(script.getBytes(StandardCharsets.UTF_8));
            }
            byte[] out = python.getInputStream().readAllBytes();
            if (!python.waitFor(60, TimeUnit.SECONDS) || python.exitValue() != 0)
                throw new AssertionError("python3 failed; the tests need it (Debian package python3)");
            return out;
        } catch (IOException missing) {
            throw new UncheckedIOException("the tests need python3", missing);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
