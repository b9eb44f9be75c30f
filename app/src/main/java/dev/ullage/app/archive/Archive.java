// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app.archive;

import dev.ullage.host.MemoryTree;
import dev.ullage.host.capture.BadCapture;
import dev.ullage.host.capture.CaptureFolder;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/// A capture as one file: a tar, packed with zstd or gzip or not at all. Read by what it begins with, written by what
/// it is called.
public final class Archive {
    private static final List<String> NAMES = List.of(".tar.zst", ".tzst", ".tar.gz", ".tgz", ".tar");

    private Archive() {}

    /// Whether a name is one of an archive: `gpu7.tar.zst`.
    public static boolean isName(Path file) {
        return NAMES.stream().anyMatch(file.toString()::endsWith);
    }

    /// @throws BadCapture naming the file in it and the offset
    public static MemoryTree read(Path file) {
        if (!Files.isRegularFile(file))
            throw new BadCapture("is no file and no folder; expected a capture, a folder or a .tar.zst");
        try (InputStream raw = Files.newInputStream(file)) {
            Counting counting = new Counting(new BufferedInputStream(raw, 1 << 16));
            counting.mark(512);
            byte[] magic = counting.readNBytes(4);
            counting.reset();
            try (InputStream unpacked = unpacked(counting, magic)) {
                return new TarReader(unpacked, counting).read();
            }
        } catch (IOException e) {
            throw new BadCapture("reading it failed: " + e.getMessage());
        }
    }

    private static InputStream unpacked(Counting in, byte[] magic) throws IOException {
        if (magic.length < 4) throw new BadCapture("has " + magic.length + " bytes; expected an archive");
        int word = (magic[0] & 0xff) << 24 | (magic[1] & 0xff) << 16 | (magic[2] & 0xff) << 8 | magic[3] & 0xff;
        if (word == 0x28b52ffd) return Zstd.unpacked(in);
        if (word >>> 16 == 0x1f8b) return new GZIPInputStream(in, 1 << 13);
        if (word == 0xfd377a58) throw new BadCapture("is packed with xz; unpack it with `tar xJf` and give the folder");
        if (word >>> 16 == 0x504b) throw new BadCapture("is a zip; unpack it and give the folder");
        return in;
    }

    /// Whether there is room for it, before anybody waits for a window.
    ///
    /// @throws BadCapture when something is in the way
    public static void check(Path file, boolean force) {
        Path target = file.toAbsolutePath().normalize();
        if (target.getParent() == null || !Files.isDirectory(target.getParent()))
            throw new BadCapture(file + ": there is no folder " + target.getParent() + " to write it in");
        if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) return;
        if (!Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS))
            throw new BadCapture(file + ": is there already and is no file; give a new name");
        if (!force) throw new BadCapture(file + ": is there already; --force replaces it");
    }

    /// Writes beside its place, to the disk, then renames: never half an archive.
    ///
    /// @param force whether a file that is there already is replaced
    /// @throws BadCapture when something is in the way
    public static void write(Path file, NavigableMap<String, String> tree, Instant taken, boolean force)
            throws IOException {
        check(file, force);
        Path target = file.toAbsolutePath().normalize();
        Path aside = Files.createTempFile(
                target.getParent(),
                "." + target.getFileName() + "-",
                "",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            try (FileChannel channel = FileChannel.open(aside, StandardOpenOption.WRITE)) {
                try (OutputStream out = packed(target.toString(), new Unclosed(channel))) {
                    TarWriter.write(out, topName(target), tree, taken);
                }
                channel.force(true);
            }
            Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            CaptureFolder.sync(target.getParent());
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    /// Ends the packer and leaves the file open, which has yet to be brought to the disk.
    private static final class Unclosed extends BufferedOutputStream {
        Unclosed(FileChannel channel) {
            super(Channels.newOutputStream(channel), 1 << 16);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }

    private static OutputStream packed(String name, OutputStream out) throws IOException {
        if (name.endsWith(".tar")) return out;
        return name.endsWith("gz") ? new GZIPOutputStream(out, 1 << 13) : Zstd.packed(out);
    }

    /// The folder that everything in the archive lies in: who unpacks two captures gets two folders.
    private static String topName(Path file) {
        String name = file.getFileName().toString();
        for (String end : NAMES) if (name.endsWith(end)) return name.substring(0, name.length() - end.length());
        return name;
    }
}
