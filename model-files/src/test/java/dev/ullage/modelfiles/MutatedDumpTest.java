// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Files as a bad disk, a cut copy or somebody with intent leaves them. Whatever comes out, it comes soon and is ours.
class MutatedDumpTest {
    private static final long SEED = 20_261_201;
    private static final int ROUNDS = 6000;

    @Test
    void mutated_dumps_are_read_or_refused_and_never_hang() {
        List<byte[]> originals = new String(Python.run("""
                                import pickle, tracemalloc, os
                                frames = [{'filename': '/app/m%d.py' % i, 'line': i, 'name': 'f'} for i in range(9)]
                                def block(i): return {'address': 2**45 + i * 512, 'size': 512, 'requested_size': 500,
                                    'state': ['active_allocated', 'inactive', 'active_pending_free'][i % 3],
                                    'frames': frames[:i]}
                                def event(i): return {'action': ['alloc', 'free_requested', 'oom', 'segment_map'][i % 4],
                                    'size': 512 * i, 'device_free': 77, 'stream': 0, 'time_us': 2**50 + i,
                                    'frames': frames[i:]}
                                data = {'segments': [{'device': d, 'total_size': 2**21, 'stream': 0,
                                    'segment_pool_id': (0, d), 'blocks': [block(i) for i in range(8)]} for d in (0, 1)],
                                    'device_traces': [[event(i) for i in range(9)], []],
                                    'allocator_settings': {'PYTORCH_CUDA_ALLOC_CONF': 'a:b', 'x': 0.5}}
                                for protocol in range(6): print(pickle.dumps(data, protocol).hex())
                                tracemalloc.start(3)
                                keep = [[str(i)] for i in range(50)]
                                print(pickle.dumps(tracemalloc.take_snapshot(), 5).hex())
                                """), StandardCharsets.US_ASCII)
                .lines()
                .map(HexFormat.of()::parseHex)
                .toList();
        Random random = new Random(SEED);
        int read = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = originals.get(round % originals.size()).clone();
            int changes = 1 + random.nextInt(6);
            for (int i = 0; i < changes; i++) mutate(bytes, random);
            long before = System.nanoTime();
            var reading = MemoryDump.read("x", new ByteArrayInputStream(bytes));
            if (reading.isPresent()) {
                read++;
                for (String line : reading.orThrow().shown()) assertTrue(line.length() < 400, line);
            }
            double seconds = (System.nanoTime() - before) / 1e9;
            assertTrue(seconds < 2, "round " + round + " took " + seconds + " s");
        }
        assertTrue(read > ROUNDS / 20, "most mutations must leave something to read: " + read);
    }

    private static void mutate(byte[] bytes, Random random) {
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(4)) {
            case 0 -> bytes[at] = (byte) random.nextInt(256);
            case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 2 -> {
                int length = random.nextInt(Math.min(40, bytes.length - at) + 1);
                System.arraycopy(bytes, at, bytes, random.nextInt(bytes.length - length + 1), length);
            }
            default -> bytes[at] = (byte) ".(th}]ues\u0094a20Q\u0085".charAt(random.nextInt(15));
        }
    }
}
