// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app.archive;

import dev.ullage.host.capture.BadCapture;
import dev.ullage.logs.packing.CannotUnpack;
import dev.ullage.logs.packing.Packing;
import dev.ullage.logs.packing.Unpackers;

/// What logs can be packed with: what Java has, and zstd, whose native library only the application can find.
public final class PackedLogs {
    /// A window of 128 MiB, outside of the heap: what `zstd -d` takes without being asked.
    private static final int LONGEST_WINDOW = 27;

    private PackedLogs() {}

    public static Unpackers unpackers() {
        return Unpackers.ofJava().with(Packing.ZSTD, packed -> {
            try {
                return Zstd.unpacked(packed, LONGEST_WINDOW);
            } catch (BadCapture e) {
                throw new CannotUnpack("is packed with zstd: " + e.getMessage());
            }
        });
    }
}
