// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Texts that no honest kernel gives: a capture may come from anybody, and a broken driver may say anything.
public final class HostileText {
    private static final String NINES = "99999999999999999999999999999";

    public static final List<String> ALL = all();

    private HostileText() {}

    private static List<String> all() {
        List<String> texts = new ArrayList<>(List.of(
                "",
                " ",
                "\n",
                "\n\n\n",
                "\0",
                "\0\0\0\0",
                "\uFFFD\uFFFD\u007FELF\u0002\u0001",
                "-1",
                "-9223372036854775808",
                "9223372036854775807",
                NINES,
                "-" + NINES,
                "NaN",
                "Infinity -Infinity NaN",
                "max",
                "max max",
                ":",
                "::",
                "0::",
                "0::/../../..",
                "/",
                "../../../../etc/passwd",
                "(",
                ")",
                ")(",
                "812 () ",
                "\\",
                "\\04",
                "\\999",
                "=",
                "a=",
                "=1",
                "total=" + NINES,
                "some total=-5",
                "dev= ino= size= kind=file",
                "kind=file",
                "dev=254:0 ino=1 size=" + NINES + " uid=0 kind=file",
                "dev=254:0",
                "7f00-7f01 r--p",
                "ffffffffffffffff-0 r--p ffffffffffffffff fe:00 1 /m/a.gguf",
                "x /m/a.gguf",
                "4747554",
                "zz",
                "MemTotal: " + NINES + " kB\nMemFree: " + NINES + " kB\nVmRSS: " + NINES + " kB\nPss: " + NINES
                        + " kB\nAnonymous: " + NINES + " kB\nread_bytes: " + NINES + "\npgmajfault " + NINES
                        + "\npgscan_kswapd " + NINES + "\npgscan_direct " + NINES,
                "cpu " + (NINES + " ").repeat(10) + "\nprocs_blocked x",
                "h\n/dev/a partition " + NINES + " " + NINES + " " + NINES,
                "254 0 vda " + (NINES + " ").repeat(17),
                "1 (x) S " + (NINES + " ").repeat(49),
                "1 (x) S " + "-1 ".repeat(49),
                "bsize=" + NINES + " blocks=" + NINES + " bfree=-5 bavail=" + NINES + " files=-1 ffree=" + NINES,
                "bsize=1 blocks=-9223372036854775808",
                "cached=" + NINES + " evicted=-1",
                "polls=" + NINES + " waiting=" + NINES,
                "polls=-1",
                "27 1 0:1 / / rw - ",
                " - - - - ",
                "1 2 3 4 5 6 - a b",
                "x".repeat(100_000),
                "a b\n".repeat(20_000),
                "1:1 ".repeat(20_000),
                "\u202E\u0000/proc/self"));
        Random random = new Random(2026);
        for (int i = 0; i < 20; i++) {
            byte[] junk = new byte[500];
            random.nextBytes(junk);
            // As a folder's text comes: decoded as UTF-8, with a replacement for what is none.
            texts.add(new String(junk, java.nio.charset.StandardCharsets.UTF_8));
            texts.add(new String(junk, java.nio.charset.StandardCharsets.ISO_8859_1));
        }
        return List.copyOf(texts);
    }
}
