// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.packing;

import java.util.Optional;

/// How a log was packed, told by the bytes it begins with and never by its name: logrotate, `journalctl | gzip` and
/// browsers name files as they like.
public enum Packing {
    GZIP("gzip", "gzip -dc"),
    ZSTD("zstd", "zstd -dc"),
    XZ("xz", "xz -dc"),
    BZIP2("bzip2", "bzip2 -dc");

    /// As many bytes as must be seen to know.
    public static final int HEAD = 10;

    private final String word;
    private final String command;

    Packing(String word, String command) {
        this.word = word;
        this.command = command;
    }

    /// Its name in messages.
    public String word() {
        return word;
    }

    /// What unpacks it elsewhere: `zstd -dc`.
    public String command() {
        return command;
    }

    /// @param head the first [#HEAD] bytes, or all there are
    /// @return empty when it is none of these
    public static Optional<Packing> of(byte[] head) {
        if (begins(head, 0x1f, 0x8b, 8)) return Optional.of(GZIP);
        if (begins(head, 0x28, 0xb5, 0x2f, 0xfd)) return Optional.of(ZSTD);
        // A frame that decoders skip; `zstd` and `pzstd` put some first.
        if (head.length >= 4 && (head[0] & 0xf0) == 0x50 && begins(head, head[0] & 0xff, 0x2a, 0x4d, 0x18))
            return Optional.of(ZSTD);
        if (begins(head, 0xfd, '7', 'z', 'X', 'Z', 0)) return Optional.of(XZ);
        // "BZh9" is a word that a text may begin with: what must follow it is not.
        if (begins(head, 'B', 'Z', 'h') && head.length >= HEAD && head[3] >= '1' && head[3] <= '9') {
            long next = 0;
            for (int i = 4; i < HEAD; i++) next = next << 8 | head[i] & 0xff;
            if (next == Bzip2InputStream.BLOCK || next == Bzip2InputStream.END) return Optional.of(BZIP2);
        }
        return Optional.empty();
    }

    private static boolean begins(byte[] head, int... magic) {
        if (head.length < magic.length) return false;
        for (int i = 0; i < magic.length; i++) if ((head[i] & 0xff) != magic[i]) return false;
        return true;
    }
}
