// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.logs.packing.UnpackedStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PackedLogsTest {
    private static byte[] packed(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream zstd = Zstd.packed(out)) {
            zstd.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    @Test
    void a_log_packed_with_zstd_is_unpacked_as_far_as_it_goes() throws IOException {
        byte[] whole = packed("Killed\n".repeat(100_000));
        UnpackedStream read = UnpackedStream.of(new ByteArrayInputStream(whole), PackedLogs.unpackers());
        assertEquals(700_000, read.readAllBytes().length);
        byte[] half = Arrays.copyOf(whole, whole.length - 8);
        UnpackedStream cut = UnpackedStream.of(new ByteArrayInputStream(half), PackedLogs.unpackers());
        cut.readAllBytes();
        assertTrue(cut.loss().isPresent());
    }
}
