// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import dev.ullage.logs.packing.Unpackers;
import java.time.Instant;
import java.time.ZoneOffset;

/// What reading needs to know from outside.
///
/// @param unpackers what can be unpacked; the application adds zstd
/// @param zone what times without a zone are taken for, where nothing in the input tells
/// @param now when the reading is done: the last time a line can be from
/// @param progress is told how far it is
public record ReadOptions(Unpackers unpackers, ZoneOffset zone, Instant now, Progress progress) {
    /// Is told about every MiB how far the reading is, on the thread that reads.
    @FunctionalInterface
    public interface Progress {
        /// @param read bytes of the input so far, as they lie there
        /// @param unpacked bytes of text so far
        /// @return whether to go on; if not, the summary says what was not read. This is what bounds a bomb: by
        /// time.
        boolean at(long read, long unpacked);
    }

    /// Plain Java, UTC, and no end.
    public static ReadOptions plain(Instant now) {
        return new ReadOptions(Unpackers.ofJava(), ZoneOffset.UTC, now, (_, _) -> true);
    }
}
