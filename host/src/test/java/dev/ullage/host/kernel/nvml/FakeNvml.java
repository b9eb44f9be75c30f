// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A libnvidia-ml.so.1 of ours, built from src/test/c/fake_nvml.c by gcc, which says what a script tells it to. So what
/// runs in these tests is the real loading, binding and calling.
final class FakeNvml {
    private static final Path SOURCES = Path.of("src/test/c");

    /// Those that were built already, by what they lack.
    private static final Map<List<String>, Path> BUILT = new HashMap<>();

    private FakeNvml() {}

    /// @param without functions that this library lacks
    static synchronized Path library(Path folder, String script, String... without) throws IOException {
        Path built = BUILT.get(List.of(without));
        if (built == null) {
            built = built(without);
            BUILT.put(List.of(without), built);
        }
        // A copy: the linker takes one file for one library, and it remembers its script.
        Path library = Files.copy(built, folder.resolve("libnvidia-ml.so.1"));
        Files.writeString(folder.resolve("libnvidia-ml.so.1.script"), script);
        return library;
    }

    private static Path built(String... without) throws IOException {
        Path library = Files.createTempDirectory("ullage-fake-nvml").resolve("libnvidia-ml.so.1");
        // The last that is named goes first.
        library.getParent().toFile().deleteOnExit();
        library.toFile().deleteOnExit();
        List<String> command =
                new ArrayList<>(List.of(SOURCES.resolve("fake-nvml").toString(), library.toString()));
        command.addAll(List.of(without));
        run(command);
        return library;
    }

    /// Deadlines that no healthy fake comes near, on a machine that is busy with a whole build.
    static Nvml patient(Path library) {
        return Nvml.of(library, Duration.ofSeconds(60), Duration.ofSeconds(60));
    }

    /// What the program printed.
    ///
    /// @throws IOException when it is not there or fails, with what it said: without gcc these tests fail, and say
    /// so
    static String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) throw new IOException(String.join(" ", command) + ": " + said);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        return said;
    }
}
