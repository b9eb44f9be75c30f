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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Runs one of the few programs of the host that tell what no file tells.
///
/// Only by name, only from folders that nobody but root can write to, with arguments that are constants of ours, an
/// empty environment and a deadline. Never with a word that was read from the host.
final class HostPrograms {
    private static final List<String> FOLDERS = List.of("/usr/bin", "/bin", "/usr/local/bin");

    /// What says more is not one of the answers we ask for. A thousand journal entries are half of it.
    static final int LONGEST_OUTPUT = 1 << 20;

    private HostPrograms() {}

    /// How a program ended.
    ///
    /// @param exit its status; empty when it took too long or said more than it may
    record Ran(String output, OptionalInt exit) {
        private static final Ran CUT_SHORT = new Ran("", OptionalInt.empty());

        boolean isGood() {
            return exit.isPresent() && exit.getAsInt() == 0;
        }
    }

    /// What the program printed; empty when it is not there, failed, or took too long.
    static Optional<String> output(List<String> command, int seconds) {
        return run(command, seconds, LONGEST_OUTPUT).filter(Ran::isGood).map(Ran::output);
    }

    /// Empty when it is not there or could not be started.
    static Optional<Ran> run(List<String> command, int seconds, int longest) {
        Optional<Path> program = find(command.getFirst());
        if (program.isEmpty()) return Optional.empty();
        List<String> words = new ArrayList<>(command);
        words.set(0, program.get().toString());
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().put("LC_ALL", "C");
        builder.directory(new File("/"));
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        try {
            Process process = builder.start();
            CompletableFuture<byte[]> output = new CompletableFuture<>();
            // Read from beside: a child of the program may hold the pipe open when the program itself has long ended.
            Thread reader = new Thread(() -> read(process, output, longest), "reader of " + command.getFirst());
            reader.setDaemon(true);
            reader.start();
            try {
                byte[] bytes = output.get(seconds, TimeUnit.SECONDS);
                boolean ended = bytes.length < longest && process.waitFor(seconds, TimeUnit.SECONDS);
                return Optional.of(
                        ended
                                ? new Ran(
                                        new String(bytes, StandardCharsets.UTF_8), OptionalInt.of(process.exitValue()))
                                : Ran.CUT_SHORT);
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (TimeoutException e) {
            return Optional.of(Ran.CUT_SHORT);
        } catch (IOException | ExecutionException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static void read(Process process, CompletableFuture<byte[]> output, int longest) {
        try (InputStream out = process.getInputStream()) {
            output.complete(out.readNBytes(longest));
        } catch (IOException e) {
            output.completeExceptionally(e);
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

    /// Owned by root and writable by nobody else, and so is every folder above it, links followed: who may write to a
    /// folder may put another program into it.
    static boolean isRootsAlone(Path path) {
        try {
            for (Path real = path.toRealPath(); real != null; real = real.getParent()) {
                Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(real, LinkOption.NOFOLLOW_LINKS);
                if (!Integer.valueOf(0).equals(Files.getAttribute(real, "unix:uid"))
                        || permissions.contains(PosixFilePermission.GROUP_WRITE)
                        || permissions.contains(PosixFilePermission.OTHERS_WRITE)) return false;
            }
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
