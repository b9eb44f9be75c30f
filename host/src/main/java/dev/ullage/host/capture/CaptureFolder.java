// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import dev.ullage.host.MemoryTree;
import dev.ullage.host.RecordedHost;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/// A capture as a folder.
///
/// Reading is strict, see [CaptureBuilder]: the folder may come from anybody. Writing is whole or not at all: beside
/// its place first, to the disk, then renamed.
public final class CaptureFolder {
    private CaptureFolder() {}

    /// Whether a folder is a recorded root of ours, as opposed to a copy of somebody's /proc.
    public static boolean isOne(Path folder) {
        if (Files.isDirectory(folder.resolve("recorded"), LinkOption.NOFOLLOW_LINKS)) return true;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "at-*")) {
            for (Path entry : entries)
                if (RecordedHost.INSTANT.matcher(entry.getFileName().toString()).matches()) return true;
            return false;
        } catch (IOException | DirectoryIteratorException e) {
            throw new BadCapture(folder + ": listing it failed: " + e.getMessage());
        }
    }

    /// @throws BadCapture naming the file
    public static MemoryTree read(Path folder) {
        CaptureBuilder builder = new CaptureBuilder();
        try {
            readInto(builder, folder, "");
        } catch (IOException | DirectoryIteratorException e) {
            throw new BadCapture("reading it failed: " + e);
        }
        return builder.tree();
    }

    private static void readInto(CaptureBuilder builder, Path folder, String prefix) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String where = BadCapture.shown(prefix + entry.getFileName());
                String path = builder.entry(prefix + entry.getFileName(), where);
                BasicFileAttributes what =
                        Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                if (what.isSymbolicLink()) builder.link(path, where);
                else if (what.isDirectory()) {
                    builder.folder(path, where);
                    readInto(builder, entry, path + "/");
                } else if (what.isRegularFile()) {
                    builder.reserve(what.size(), where);
                    builder.file(path, bytes(entry, (int) what.size(), where), where);
                } else throw new BadCapture(where + ": a device, pipe or socket; a capture has files and folders only");
            }
        }
    }

    private static byte[] bytes(Path file, int size, String where) throws IOException {
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] bytes = in.readNBytes(size);
            if (in.read() >= 0) throw new BadCapture(where + ": grew while it was read");
            return bytes;
        }
    }

    /// @param force whether a capture that is there already is replaced; anything else never is
    /// @throws BadCapture when something is in the way
    public static void write(Path folder, Map<String, String> tree, boolean force) throws IOException {
        check(folder, force);
        Path target = folder.toAbsolutePath().normalize();
        boolean taken = isTaken(target);
        Path aside = Files.createTempDirectory(
                target.getParent(),
                "." + target.getFileName() + "-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path old = aside.resolveSibling(aside.getFileName() + "-old");
        try {
            for (Map.Entry<String, String> file : tree.entrySet()) writeFile(aside, file.getKey(), file.getValue());
            syncFolders(aside);
            if (taken) Files.move(target, old, StandardCopyOption.ATOMIC_MOVE);
            Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
            sync(target.getParent());
        } finally {
            delete(aside);
            if (Files.exists(target)) delete(old);
        }
    }

    /// Whether there is room for it, before anybody waits for a window.
    ///
    /// @throws BadCapture when something is in the way
    public static void check(Path folder, boolean force) {
        Path target = folder.toAbsolutePath().normalize();
        if (target.getParent() == null || !Files.isDirectory(target.getParent()))
            throw new BadCapture(folder + ": there is no folder " + target.getParent() + " to write it in");
        if (!isTaken(target)) return;
        if (!Files.isRegularFile(target.resolve(CaptureNote.FILE), LinkOption.NOFOLLOW_LINKS))
            throw new BadCapture(folder + ": is there already and is no capture; give a new name");
        if (!force) throw new BadCapture(folder + ": is there already; --force replaces it");
    }

    private static boolean isTaken(Path path) {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) return false;
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) return true;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
            return entries.iterator().hasNext();
        } catch (IOException | DirectoryIteratorException e) {
            return true;
        }
    }

    private static void writeFile(Path top, String path, String text) throws IOException {
        Path file = top.resolve(path);
        Files.createDirectories(
                file.getParent(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) out.write(bytes);
            out.force(true);
        }
    }

    private static void syncFolders(Path top) throws IOException {
        Files.walkFileTree(top, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                sync(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /// A name is on the disk when its folder is.
    public static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static void delete(Path top) throws IOException {
        if (!Files.exists(top, LinkOption.NOFOLLOW_LINKS)) return;
        Files.walkFileTree(top, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes what) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                Files.delete(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
