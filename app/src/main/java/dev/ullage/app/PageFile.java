// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// The file that `--html` names. Whoever opens it sees the whole page or the one before it, never half of one: it is
/// written aside, brought to the disk, and renamed.
///
/// @param file with links followed: a rename would replace the link
record PageFile(Path file) {
    /// @throws BadOption when it can be no page: a folder, a device
    /// @throws IOException when there is no such folder, or nothing can be written into it
    static PageFile of(String name) throws IOException {
        Path file;
        try {
            file = Path.of(name).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw new BadOption("--html " + name + ": no file can be called so: " + e.getReason());
        }
        if (name.isEmpty() || name.equals("-"))
            throw new BadOption("--html \"" + name
                    + "\": expected a file to write the page to; standard output has the other report");
        if (Files.isDirectory(file))
            throw new BadOption(
                    "--html " + name + " is a folder; expected a file, for example " + Path.of(name, "ullage.html"));
        // Renaming a page over /dev/null would replace the device, for root.
        if (Files.exists(file) && !Files.isRegularFile(file))
            throw new BadOption("--html " + name + " is a device or a pipe; expected a file");
        if (Files.exists(file)) file = file.toRealPath();
        Path folder = file.getParent();
        if (!Files.isDirectory(folder))
            throw new IOException("--html " + name + ": there is no folder " + folder + "; make it first");
        if (!Files.isWritable(folder))
            throw new IOException("--html " + name + ": may not write into " + folder + "; choose another folder");
        return new PageFile(file);
    }

    void write(String page) throws IOException {
        Path aside = file.resolveSibling(".ullage-" + ProcessHandle.current().pid());
        try {
            // CREATE_NEW follows no link that somebody put there.
            try (FileChannel channel =
                    FileChannel.open(aside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(page.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) channel.write(bytes);
                channel.force(true);
            }
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            Files.deleteIfExists(aside);
            throw new IOException("--html " + file + ": writing the page failed: " + e.getMessage(), e);
        }
    }
}
