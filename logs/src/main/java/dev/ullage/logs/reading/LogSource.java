// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/// Where lines come from: a file, a pipe, the output of a program, a text.
public final class LogSource {
    private final String name;
    private final Opener opener;
    private final Tail tail;
    private final OptionalLong size;
    private final Optional<Instant> lastWritten;

    @FunctionalInterface
    private interface Opener {
        InputStream open() throws IOException;
    }

    @FunctionalInterface
    private interface Tail {
        byte[] last(int most) throws IOException;
    }

    private LogSource(String name, Opener opener, Tail tail, OptionalLong size, Optional<Instant> lastWritten) {
        this.name = name;
        this.opener = opener;
        this.tail = tail;
        this.size = size;
        this.lastWritten = lastWritten;
    }

    /// A file, named as it was given.
    ///
    /// @throws Refused when it is none: a folder, a pipe, a device, or not there; those can hang whoever opens them
    public static LogSource file(Path file) throws Refused {
        try {
            BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
            if (is.isDirectory()) throw new Refused("is a folder");
            if (!is.isRegularFile())
                throw new Refused("is a pipe, a socket or a device; pipe what it gives into `ullage explain -`");
            return new LogSource(
                    file.toString(),
                    () -> Files.newInputStream(file),
                    most -> tail(file, most),
                    OptionalLong.of(is.size()),
                    Optional.of(is.lastModifiedTime().toInstant()));
        } catch (NoSuchFileException e) {
            throw new Refused("is not there");
        } catch (AccessDeniedException e) {
            throw new Refused("may not be read by this user; try sudo");
        } catch (Refused e) {
            throw e;
        } catch (IOException e) {
            throw new Refused("cannot be looked at: " + e.getMessage());
        }
    }

    /// A stream that can be read once; standard input is named `-`.
    public static LogSource stream(String name, InputStream in) {
        return new LogSource(name, () -> in, _ -> new byte[0], OptionalLong.empty(), Optional.empty());
    }

    /// A text in memory.
    public static LogSource text(String name, String text) {
        return bytes(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /// Bytes in memory.
    public static LogSource bytes(String name, byte[] bytes) {
        return new LogSource(
                name,
                () -> new ByteArrayInputStream(bytes),
                most -> Arrays.copyOfRange(bytes, Math.max(0, bytes.length - most), bytes.length),
                OptionalLong.of(bytes.length),
                Optional.empty());
    }

    /// The same, last written at a time that somebody knows.
    public LogSource lastWritten(Instant time) {
        return new LogSource(name, opener, tail, size, Optional.of(time));
    }

    public String name() {
        return name;
    }

    /// In bytes, as it lies there, packed or not.
    public OptionalLong size() {
        return size;
    }

    /// What the guesses of years and zones go by.
    public Optional<Instant> lastWritten() {
        return lastWritten;
    }

    InputStream open() throws IOException {
        return opener.open();
    }

    /// The last bytes, as they lie there; none where the end cannot be had without reading everything.
    byte[] tail(int most) throws IOException {
        return tail.last(most);
    }

    private static byte[] tail(Path file, int most) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            channel.position(Math.max(0, channel.size() - most));
            ByteBuffer bytes = ByteBuffer.allocate(most);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) continue;
            return Arrays.copyOf(bytes.array(), bytes.position());
        }
    }
}
