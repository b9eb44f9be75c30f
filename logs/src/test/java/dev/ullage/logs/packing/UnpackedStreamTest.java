// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.packing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class UnpackedStreamTest {
    /// A damaged run length can be taken for a block of long runs: 255 for 5, and a MiB of them.
    private static final long MOST = 64 << 20;

    private static final byte[] TEXT = text();
    /// `(echo CUDA out of memory; yes oom | head -300) | bzip2`, then the same once more: two streams.
    private static final byte[] BZIP2 = Base64.getDecoder()
            .decode(
                    "QlpoOTFBWSZTWXuzsaAAAJjXgAAQQAAsAAIAAwKWICAAVEAAARURtMmo0goh/X0TFVNoohy8ZBRCAUQ98Ti7xdyRThQkHuzsaAA=");

    private static byte[] text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20_000; i++)
            text.append("line ").append(i * 7919 % 20_011).append(" of a log\n");
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    private static byte[] joined(byte[] one, byte[] other) {
        byte[] joined = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, joined, one.length, other.length);
        return joined;
    }

    private static UnpackedStream open(byte[] bytes) throws IOException {
        return UnpackedStream.of(new ByteArrayInputStream(bytes), Unpackers.ofJava());
    }

    @Test
    void plain_gzip_and_xz_are_told_by_their_bytes() throws IOException {
        assertArrayEquals(TEXT, open(TEXT).readAllBytes());
        assertArrayEquals(TEXT, open(gzip(TEXT)).readAllBytes());
        ByteArrayOutputStream xz = new ByteArrayOutputStream();
        try (XZOutputStream out = new XZOutputStream(xz, new LZMA2Options(2))) {
            out.write(TEXT);
        }
        UnpackedStream unpacked = open(xz.toByteArray());
        assertEquals(List.of(Packing.XZ), unpacked.packings());
        assertArrayEquals(TEXT, unpacked.readAllBytes());
    }

    @Test
    void bzip2_is_unpacked_stream_after_stream() throws IOException {
        String once = "CUDA out of memory\n" + "oom\n".repeat(300);
        UnpackedStream unpacked = open(joined(BZIP2, BZIP2));
        assertEquals(once + once, new String(unpacked.readAllBytes(), StandardCharsets.US_ASCII));
        assertTrue(unpacked.loss().isEmpty());
    }

    @Test
    void members_behind_each_other_and_one_packing_inside_another_are_unpacked() throws IOException {
        byte[] two = joined(gzip(TEXT), gzip(TEXT));
        assertEquals(2 * TEXT.length, open(two).readAllBytes().length);
        assertArrayEquals(TEXT, open(gzip(gzip(TEXT))).readAllBytes());
        byte[] thrice = gzip(gzip(gzip(TEXT)));
        assertTrue(assertThrows(CannotUnpack.class, () -> open(thrice))
                .getMessage()
                .startsWith("is packed more than twice"));
    }

    @Test
    void what_was_read_before_the_cut_counts_and_the_loss_has_its_place() throws IOException {
        byte[] whole = gzip(TEXT);
        UnpackedStream unpacked = open(Arrays.copyOf(whole, whole.length / 2));
        byte[] read = unpacked.readAllBytes();
        assertTrue(read.length > TEXT.length / 4);
        assertArrayEquals(Arrays.copyOf(TEXT, read.length), read);
        UnpackedStream.Loss loss = unpacked.loss().orElseThrow();
        assertEquals(read.length, loss.offset());
        assertEquals(whole.length / 2, loss.packedOffset());
        assertEquals("it ends in the middle: cut short, or still being written", loss.why());
    }

    @Test
    void zstd_that_cannot_be_unpacked_here_says_what_can() {
        byte[] zstd = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, 0, 0, 0, 0, 0, 0};
        assertTrue(assertThrows(CannotUnpack.class, () -> open(zstd))
                .getMessage()
                .contains("zstd -dc FILE | ullage explain -"));
    }

    @Test
    void damaged_bytes_end_the_stream_and_do_nothing_else() throws IOException {
        Random random = new Random(5);
        byte[] gzip = gzip(Arrays.copyOf(TEXT, 5_000));
        for (int i = 0; i < 3_000; i++) {
            byte[] damaged = (i % 2 == 0 ? BZIP2 : gzip).clone();
            for (int k = 0; k <= i % 3; k++)
                damaged[10 + random.nextInt(damaged.length - 10)] = (byte) random.nextInt();
            UnpackedStream unpacked = open(damaged);
            long length = unpacked.skip(MOST);
            assertTrue(length < MOST, "it ends");
        }
    }
}
