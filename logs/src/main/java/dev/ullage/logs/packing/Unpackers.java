// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.packing;

import java.io.IOException;
import java.io.InputStream;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/// What can be unpacked here. gzip, xz and bzip2 are Java and always are; zstd is a native library that lies beside the
/// jars of the application, which alone knows where: it adds it by [#with].
public final class Unpackers {
    /// `xz -9` needs 65 MiB to be read; what needs more wants our heap, and is rarely a log.
    private static final int MOST_XZ_KIB = 80 * 1024;

    private final Map<Packing, Unpacker> unpackers;

    /// Takes packed bytes, gives what was packed.
    @FunctionalInterface
    public interface Unpacker {
        /// @throws IOException when what it begins with cannot be unpacked; later failures come out of the stream
        InputStream unpacked(InputStream packed) throws IOException;
    }

    private Unpackers(Map<Packing, Unpacker> unpackers) {
        this.unpackers = unpackers;
    }

    /// Those that need nothing but Java.
    public static Unpackers ofJava() {
        Map<Packing, Unpacker> unpackers = new EnumMap<>(Packing.class);
        unpackers.put(Packing.GZIP, packed -> new GZIPInputStream(packed, 1 << 16));
        unpackers.put(Packing.XZ, packed -> new XZInputStream(packed, MOST_XZ_KIB));
        unpackers.put(Packing.BZIP2, Bzip2InputStream::new);
        return new Unpackers(unpackers);
    }

    /// These and one more.
    public Unpackers with(Packing packing, Unpacker unpacker) {
        Map<Packing, Unpacker> more = new EnumMap<>(unpackers);
        more.put(packing, unpacker);
        return new Unpackers(more);
    }

    /// @return empty when it cannot be unpacked here
    public Optional<Unpacker> of(Packing packing) {
        return Optional.ofNullable(unpackers.get(packing));
    }
}
