// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app.archive;

import dev.ullage.host.MemoryTree;
import dev.ullage.host.capture.BadCapture;
import dev.ullage.host.capture.CaptureBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/// Reads a tar of anybody's into a capture. What may be in it is [CaptureBuilder]'s to say; this is about headers.
///
/// ```
/// offset  0 name   100  mode  124 size (octal)  148 checksum  156 type  157 link  257 "ustar"  345 prefix
/// ```
/// Of the extensions pax names (`x`) and GNU's long names (`L`) are read, which tar makes; sparse files are refused.
final class TarReader {
    /// Headers and padding included; the text in it is bounded far below.
    private static final long LONGEST_ARCHIVE = 128L << 20;

    private static final int LONGEST_NAME = 16 << 10;

    private final InputStream in;
    /// The file as it lies on the disk: where unpacking it fails is an offset of that.
    private final Counting file;

    private final CaptureBuilder builder = new CaptureBuilder();
    private long offset;
    private String longName = "";

    TarReader(InputStream in, Counting file) {
        this.in = in;
        this.file = file;
    }

    MemoryTree read() {
        boolean isFirst = true;
        while (true) {
            long at = offset;
            byte[] header = block("the header of an entry", at);
            if (header.length == 0 && !isFirst)
                throw new BadCapture("ends at offset " + at + " without its closing blocks of zeros: it was cut off");
            if (header.length == 0) throw new BadCapture("holds nothing once unpacked; expected a tar");
            if (isZero(header)) break;
            if (!hasChecksum(header))
                throw new BadCapture("offset " + at + ": no tar header"
                        + (isFirst
                                ? ", so it is no archive: it begins with " + hex(header)
                                : ", its checksum is wrong"));
            isFirst = false;
            entry(header, at);
        }
        drain();
        return builder.tree();
    }

    private void entry(byte[] header, long at) {
        char type = (char) (header[156] & 0xff);
        String name = longName.isEmpty() ? shortName(header) : longName;
        String where = BadCapture.shown(name) + " (offset " + at + ")";
        long size = size(header, where);
        switch (type) {
            case 'x', 'L' -> {
                if (size > LONGEST_NAME) throw new BadCapture(where + ": a name of " + size + " bytes");
                byte[] content = content((int) size, where);
                longName = type == 'L' ? untilZero(content, 0, content.length) : paxName(content, where);
                return;
            }
            case 'g' -> {
                if (size > LONGEST_NAME) throw new BadCapture(where + ": a header of " + size + " bytes");
                content((int) size, where);
                return;
            }
            case '0', '\0', '7' -> {
                String path = builder.entry(cleaned(name), where);
                builder.reserve(size, where);
                builder.file(path, content((int) size, where), where);
            }
            case '5' -> {
                String path = cleaned(name.endsWith("/") ? name.substring(0, name.length() - 1) : name);
                // "./", the folder the archive was made in.
                if (!path.isEmpty() && !path.equals(".")) builder.folder(builder.entry(path, where), where);
                skip(size, where);
            }
            case '2' -> {
                builder.link(builder.entry(cleaned(name), where), where);
                skip(size, where);
            }
            default -> throw new BadCapture(where + ": " + kind(type) + "; a capture has files and folders only");
        }
        longName = "";
    }

    private static String kind(char type) {
        return switch (type) {
            case '1' -> "a hard link";
            case '3', '4' -> "a device";
            case '6' -> "a pipe";
            case 'S' -> "a sparse file";
            default -> "an entry of type " + BadCapture.shown(String.valueOf(type));
        };
    }

    private static String cleaned(String name) {
        return name.startsWith("./") ? name.substring(2) : name;
    }

    private static String shortName(byte[] header) {
        String name = untilZero(header, 0, 100);
        boolean hasPrefix = untilZero(header, 257, 6).equals("ustar") && header[345] != 0;
        return hasPrefix ? untilZero(header, 345, 155) + "/" + name : name;
    }

    /// `30 path=…\n` records; the last path counts. A size in one would make the header's untrue.
    private static String paxName(byte[] content, String where) {
        String name = "";
        int start = 0;
        while (start < content.length) {
            int space = start;
            int length = 0;
            while (space < content.length && content[space] >= '0' && content[space] <= '9' && length < 1 << 20)
                length = length * 10 + content[space++] - '0';
            if (space >= content.length
                    || content[space] != ' '
                    || length <= space - start
                    || start + length > content.length)
                throw new BadCapture(where + ": a pax header that is not \"<length> <key>=<value>\"");
            String record = new String(content, space + 1, length - (space - start) - 2, StandardCharsets.UTF_8);
            if (record.startsWith("path=")) name = record.substring(5);
            else if (record.startsWith("size=") || record.startsWith("GNU.sparse"))
                throw new BadCapture(where + ": a sparse or very large file; a capture has none");
            start += length;
        }
        return name;
    }

    private static long size(byte[] header, String where) {
        if ((header[124] & 0x80) != 0) throw new BadCapture(where + ": 8 GiB or more; a capture's files are small");
        String digits = untilZero(header, 124, 12).strip();
        if (!digits.matches("[0-7]{1,12}"))
            throw new BadCapture(where + ": a size that is no octal number, \"" + BadCapture.shown(digits) + "\"");
        return Long.parseLong(digits, 8);
    }

    private static boolean hasChecksum(byte[] header) {
        String digits = untilZero(header, 148, 8).strip();
        if (!digits.matches("[0-7]{1,7}")) return false;
        int sum = 0;
        for (int i = 0; i < header.length; i++) sum += i >= 148 && i < 156 ? ' ' : header[i] & 0xff;
        return sum == Integer.parseInt(digits, 8);
    }

    private static String untilZero(byte[] bytes, int start, int length) {
        int end = start;
        while (end < start + length && bytes[end] != 0) end++;
        return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }

    private static boolean isZero(byte[] block) {
        for (byte b : block) if (b != 0) return false;
        return true;
    }

    private static String hex(byte[] header) {
        return HexFormat.ofDelimiter(" ").formatHex(Arrays.copyOf(header, 4));
    }

    private byte[] content(int size, String where) {
        byte[] content = bytes(size, where);
        if (content.length < size)
            throw new BadCapture(where + ": cut off after " + content.length + " of " + size + " bytes");
        skip((TarWriter.BLOCK - size % TarWriter.BLOCK) % TarWriter.BLOCK, where);
        return content;
    }

    private void skip(long length, String where) {
        for (long left = length; left > 0; ) {
            int read = bytes((int) Math.min(left, 1 << 16), where).length;
            if (read == 0) throw new BadCapture(where + ": cut off");
            left -= read;
        }
    }

    /// 512 bytes, or none at the end.
    private byte[] block(String what, long at) {
        byte[] block = bytes(TarWriter.BLOCK, what);
        if (block.length > 0 && block.length < TarWriter.BLOCK)
            throw new BadCapture("offset " + at + ": cut off in the middle of a header");
        return block;
    }

    private byte[] bytes(int length, String where) {
        try {
            byte[] bytes = in.readNBytes(length);
            offset += bytes.length;
            if (offset > LONGEST_ARCHIVE)
                throw new BadCapture(where + ": unpacked, the archive has more than " + LONGEST_ARCHIVE + " bytes");
            return bytes;
        } catch (IOException e) {
            throw new BadCapture("unpacking failed at byte " + file.count() + " of the file, offset " + offset
                    + " of the tar in it, at " + where + ": " + e.getMessage());
        }
    }

    /// Tars are padded; and a packer says only at its end whether all of it was right.
    private void drain() {
        while (true) {
            byte[] bytes = bytes(1 << 14, "the end");
            if (bytes.length == 0) return;
            if (!isZero(bytes)) throw new BadCapture("offset " + offset + ": something follows the end of the tar");
        }
    }
}
