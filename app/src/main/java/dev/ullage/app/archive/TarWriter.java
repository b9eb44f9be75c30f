// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app.archive;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;

/// Texts as a tar (POSIX.1-2001: ustar headers, pax headers for names of more than 100 bytes).
final class TarWriter {
    static final int BLOCK = 512;

    private TarWriter() {}

    /// @param top the folder they are put in
    static void write(OutputStream out, String top, NavigableMap<String, String> tree, Instant taken)
            throws IOException {
        for (Map.Entry<String, String> file : tree.entrySet()) {
            byte[] name = (top + "/" + file.getKey()).getBytes(StandardCharsets.UTF_8);
            byte[] text = file.getValue().getBytes(StandardCharsets.UTF_8);
            if (name.length > 100) {
                byte[] pax = pax("path", name);
                entry(out, ascii("pax"), 'x', pax, taken);
            }
            entry(out, Arrays.copyOf(name, Math.min(name.length, 100)), '0', text, taken);
        }
        out.write(new byte[2 * BLOCK]);
    }

    private static void entry(OutputStream out, byte[] name, char type, byte[] content, Instant taken)
            throws IOException {
        byte[] header = new byte[BLOCK];
        System.arraycopy(name, 0, header, 0, name.length);
        octal(header, 100, 8, 0600);
        octal(header, 108, 8, 0);
        octal(header, 116, 8, 0);
        octal(header, 124, 12, content.length);
        octal(header, 136, 12, Math.max(0, taken.getEpochSecond()));
        header[156] = (byte) type;
        System.arraycopy(ascii("ustar\00000"), 0, header, 257, 8);
        Arrays.fill(header, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte b : header) sum += b & 0xff;
        octal(header, 148, 7, sum);
        out.write(header);
        out.write(content);
        out.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    }

    /// `30 path=…\n`: the number counts its own digits.
    private static byte[] pax(String key, byte[] value) {
        byte[] rest = ascii(" " + key + "=");
        int length = rest.length + value.length + 1;
        int digits = String.valueOf(length).length();
        if (String.valueOf(length + digits).length() > digits) digits++;
        byte[] number = ascii(String.valueOf(length + digits));
        byte[] all = new byte[length + digits];
        System.arraycopy(number, 0, all, 0, digits);
        System.arraycopy(rest, 0, all, digits, rest.length);
        System.arraycopy(value, 0, all, digits + rest.length, value.length);
        all[all.length - 1] = '\n';
        return all;
    }

    private static void octal(byte[] header, int at, int width, long number) {
        byte[] digits = ascii(String.format("%0" + (width - 1) + "o", number));
        System.arraycopy(digits, 0, header, at, width - 1);
        header[at + width - 1] = 0;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
