// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// Runs one of the few programs of the host that tell what no file tells.
///
/// Only by name, only from folders that nobody but root can write to, with arguments that are constants of ours, an
/// empty environment and a deadline. Never with a word that was read from the host.
final class HostPrograms {
    private static final List<String> FOLDERS = List.of("/usr/bin", "/bin", "/usr/local/bin");
    private static final int LONGEST_OUTPUT = 1 << 20;

    private HostPrograms() {}

    /// What the program printed; empty when it is not there, failed, or took too long.
    static Optional<String> output(List<String> command, int seconds) {
        Optional<Path> program = find(command.getFirst());
        if (program.isEmpty()) return Optional.empty();
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.command().set(0, program.get().toString());
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().put("LC_ALL", "C");
        builder.directory(new File("/"));
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        try {
            Process process = builder.start();
            // A program that says nothing for ever is ended from beside, so that the read below ends too.
            Thread deadline = new Thread(() -> endAfter(process, seconds), "deadline");
            deadline.setDaemon(true);
            deadline.start();
            try (InputStream out = process.getInputStream()) {
                String text = new String(out.readNBytes(LONGEST_OUTPUT), StandardCharsets.UTF_8);
                boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
                return ended && process.exitValue() == 0 ? Optional.of(text) : Optional.empty();
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static void endAfter(Process process, int seconds) {
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
        }
    }

    static Optional<Path> find(String name) {
        for (String folder : FOLDERS) {
            Path program = Path.of(folder, name);
            if (isRootsAlone(Path.of(folder)) && Files.isExecutable(program) && isRootsAlone(program))
                return Optional.of(program);
        }
        return Optional.empty();
    }

    /// Owned by root and writable by nobody else, links followed.
    private static boolean isRootsAlone(Path path) {
        try {
            Path real = path.toRealPath();
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(real, LinkOption.NOFOLLOW_LINKS);
            return Integer.valueOf(0).equals(Files.getAttribute(real, "unix:uid"))
                    && !permissions.contains(PosixFilePermission.GROUP_WRITE)
                    && !permissions.contains(PosixFilePermission.OTHERS_WRITE);
        } catch (IOException e) {
            return false;
        }
    }
}
