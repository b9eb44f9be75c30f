// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.modelfiles.MemoryDump;
import dev.ullage.modelfiles.Python;
import java.io.ByteArrayInputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// No torch runs where these tests do: the snapshots have the shape its documentation and source give.
class TorchSnapshotTest {
    private static final String SHAPE = """
            import pickle, sys
            MiB = 1 << 20
            kv = [{'filename': '/opt/torch/csrc/alloc.cpp', 'line': 9, 'name': 'malloc'},
                  {'filename': '/lib/torch/nn/module.py', 'line': 5, 'name': '__call__'},
                  {'filename': '/app/cache.py', 'line': 88, 'name': 'allocate'}]
            act = [{'filename': '/app/model.py', 'line': 12, 'name': 'forward'}]
            def block(size, state, frames, requested=None):
                return {'address': 0, 'size': size * MiB, 'requested_size': (requested or size) * MiB, 'state': state,
                        'frames': list(frames)}
            def segment(device, blocks, **more):
                return {'device': device, 'address': 1 << 45, 'total_size': sum(b['size'] for b in blocks), 'stream': 0,
                        'segment_type': 'large', 'segment_pool_id': (0, 0), 'is_expandable': False, 'frames': [],
                        'blocks': blocks, **more}
            def event(action, size, at, frames=act, **more):
                return {'action': action, 'size': size * MiB, 'stream': 0, 'time_us': 1_700_000_000_000_000 + at * 10**6,
                        'addr': 1 << 45, 'frames': list(frames), 'user_metadata': str('N') + '/A', **more}
            segments = [segment(0, [block(1024, 'active_allocated', kv), block(256, 'inactive', []),
                                    block(512, 'active_allocated', act, 500), block(64, 'active_pending_free', act)]),
                        segment(0, [block(128, 'inactive', [])]),
                        segment(0, [block(20, 'active_allocated', kv), block(700, 'inactive', [])],
                                segment_pool_id=(1, 0))]
            trace = [event('segment_alloc', 1856, 0), event('alloc', 1024, 1, kv), event('alloc', 500, 2),
                     event('alloc', 300, 3), event('free_requested', 300, 4), event('free_completed', 300, 4),
                     event('oom', 600, 6, device_free=90 * MiB), event('snapshot', 0, 8)]
            data = {'segments': segments, 'device_traces': [trace, []], 'external_annotations': [],
                    'allocator_settings': {'PYTORCH_CUDA_ALLOC_CONF': 'max_split_size_mb:128',
                                           'expandable_segments': False, 'roundup_power2_divisions': {'1': 0}}}
            """;

    private static MemoryDump read(String script) {
        byte[] bytes = Python.run(script);
        return MemoryDump.read("snapshot.pickle", new ByteArrayInputStream(bytes))
                .orThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void a_snapshot_gives_who_holds_what_and_what_the_failed_request_met(int protocol) {
        TorchSnapshot snapshot = assertInstanceOf(
                TorchSnapshot.class,
                read(SHAPE + "sys.stdout.buffer.write(pickle.dumps(data, %d))".formatted(protocol)));
        DeviceMemory gpu = snapshot.devices().getFirst();
        assertEquals(1, snapshot.devices().size());
        assertEquals(Bytes.ofMiB(2704), gpu.reserved());
        assertEquals(Bytes.ofMiB(1556), gpu.allocated());
        assertEquals(Bytes.ofMiB(64), gpu.pending());
        assertEquals(Bytes.ofMiB(1544), gpu.requested());
        assertEquals(Bytes.ofMiB(956), gpu.stuck());
        assertEquals(Bytes.ofMiB(128), gpu.releasable());
        assertEquals(Bytes.ofMiB(700), gpu.largestFree());
        // The piece of 700 MiB is in a CUDA graph's pool: the request of 600 could not have it.
        assertEquals(Bytes.ofMiB(256), gpu.largestFreeFor(0));
        assertEquals(
                "/app/cache.py:88 allocate", gpu.biggest().getFirst().stack().shown());
        assertEquals(Bytes.ofMiB(1044), gpu.biggest().getFirst().held());
        assertEquals(2, gpu.biggest().getFirst().blocks().count());

        History history = gpu.history().orThrow();
        assertEquals(8, history.events().count());
        assertEquals(8, history.length().orThrow().seconds());
        assertEquals(Bytes.ofMiB(1844), history.peakAllocated());
        FailedRequest failed = history.failures().getFirst();
        assertEquals(Bytes.ofMiB(600), failed.asked());
        assertEquals(Bytes.ofMiB(90), failed.deviceFree().orThrow());
        assertEquals(Bytes.ofMiB(1544), failed.allocatedThen());
        assertEquals(Bytes.ofMiB(1160), failed.unallocatedThen());
        assertEquals(0, failed.movesAfter());
        assertEquals(2, failed.beforeEnd().orThrow().seconds());
        assertEquals("max_split_size_mb:128", snapshot.settings().get("PYTORCH_CUDA_ALLOC_CONF"));
        assertEquals("false", snapshot.settings().get("expandable_segments"));
        assertTrue(snapshot.shown().contains("    largest free piece it could use: 256.0 MiB"));
        for (String line : snapshot.shown()) assertTrue(line.length() <= 80, line);
    }

    @Test
    void a_list_of_segments_as_old_versions_dump_it_is_read_too() {
        TorchSnapshot snapshot = assertInstanceOf(TorchSnapshot.class, read(SHAPE + """
                        old = [{'device': 3, 'address': 0, 'total_size': 20 * MiB, 'allocated_size': 8 * MiB,
                                'active_size': 8 * MiB, 'stream': 0, 'segment_type': 'large',
                                'blocks': [{'size': 8 * MiB, 'state': 'active_allocated', 'history': [
                                               {'addr': 1, 'real_size': 7 * MiB, 'frames': kv}]},
                                           {'size': 12 * MiB, 'state': 'inactive'}]}]
                        sys.stdout.buffer.write(pickle.dumps(old, 4))
                        """));
        DeviceMemory gpu = snapshot.devices().getFirst();
        assertEquals(3, gpu.device());
        assertEquals(Bytes.ofMiB(7), gpu.requested());
        assertEquals(
                "/app/cache.py:88 allocate", gpu.biggest().getFirst().stack().shown());
        assertFalse(gpu.history().isPresent());
        assertTrue(((Reading.Absent<History>) gpu.history()).detail().contains("_record_memory_history"));
    }

    @Test
    void millions_of_events_pass_through_a_few_megabytes() {
        byte[] bytes = Python.run(SHAPE + """
                        data['device_traces'][0] = [event('alloc' if i % 2 == 0 else 'free_requested', 1 + i % 2, i,
                            kv * 20) for i in range(60000)]
                        sys.stdout.buffer.write(pickle.dumps(data, 4))
                        """);
        assertTrue(bytes.length > 8_000_000, () -> bytes.length + " bytes");
        MemoryDump dump = MemoryDump.read("big.pickle", new ByteArrayInputStream(bytes), Bytes.ofMiB(4))
                .orThrow();
        History history = assertInstanceOf(TorchSnapshot.class, dump)
                .devices()
                .getFirst()
                .history()
                .orThrow();
        assertEquals(60000, history.events().count());
        assertTrue(history.points().size() <= 512);
    }

    @Test
    void libtorch_writes_all_events_before_it_appends_the_first_and_they_need_no_more_memory() {
        byte[] bytes = Python.run("""
                import sys, struct
                out = bytearray(b'\\x80\\x02}(')
                def text(s): return b'X' + struct.pack('<I', len(s)) + s.encode()
                memo = {}
                def shared(s):
                    if s in memo: return b'h' + bytes([memo[s]])
                    memo[s] = len(memo)
                    return text(s) + b'q' + bytes([memo[s]])
                out += shared('segments') + b']' + shared('device_traces') + b']('
                out += b']('
                for i in range(200000):
                    out += b'}(' + shared('action') + shared('alloc') + shared('size') + b'M\\x00\\x02'
                    out += shared('frames') + b'](eu'
                out += b'ee' + b'u.'
                sys.stdout.buffer.write(out)
                """);
        MemoryDump dump = MemoryDump.read("jit.pickle", new ByteArrayInputStream(bytes), Bytes.ofMiB(1))
                .orThrow();
        List<DeviceMemory> devices = assertInstanceOf(TorchSnapshot.class, dump).devices();
        assertEquals(200_000, devices.getFirst().history().orThrow().events().count());
        assertEquals(
                new Bytes(200_000L * 512),
                devices.getFirst().history().orThrow().peakAllocated());
    }
}
