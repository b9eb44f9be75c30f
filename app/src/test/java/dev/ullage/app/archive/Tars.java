// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app.archive;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Tars by hand, as no tar program makes them.
final class Tars {
    static final byte[] END = new byte[1024];

    private Tars() {}

    static byte[] of(String... namesAndTexts) {
        byte[][] entries = new byte[namesAndTexts.length / 2 + 1][];
        for (int i = 0; i < namesAndTexts.length; i += 2)
            entries[i / 2] = entry('0', namesAndTexts[i], namesAndTexts[i + 1]);
        entries[namesAndTexts.length / 2] = END;
        return joined(entries);
    }

    static byte[] ofType(char type, String name) {
        return joined(entry(type, name, ""), END);
    }

    static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) out.writeBytes(part);
        return out.toByteArray();
    }

    static byte[] entry(char type, String name, String text) {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        return joined(
                header(type, name, content.length, null), Arrays.copyOf(content, (content.length + 511) / 512 * 512));
    }

    /// @param digits of the size as they shall stand there; null for the honest ones
    static byte[] header(char type, String name, long size, String digits) {
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 100, "0000644\0");
        put(header, 124, digits == null ? String.format("%011o", size) : digits);
        header[156] = (byte) type;
        put(header, 257, "ustar\00000");
        Arrays.fill(header, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte b : header) sum += b & 0xff;
        put(header, 148, String.format("%06o\0", sum));
        return header;
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
