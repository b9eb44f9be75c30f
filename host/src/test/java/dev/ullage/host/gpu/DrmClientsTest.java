// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.ullage.host.HostileText;
import dev.ullage.host.Recorded;
import dev.ullage.host.gpu.DrmClients.Client;
import dev.ullage.host.process.ProcessId;
import dev.ullage.measure.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrmClientsTest {
    private static final String AMDGPU = """
            pos:	0
            flags:	02100002
            mnt_id:	26
            drm-driver:	amdgpu
            drm-client-id:	42
            drm-pdev:	0000:03:00.0
            pasid:	32770
            drm-memory-vram:	1048576 KiB
            drm-memory-gtt: 	2048 KiB
            drm-memory-cpu: 	0 KiB
            drm-engine-gfx:	1000 ns
            drm-engine-compute:	500 ns
            """;
    private static final String XE = """
            drm-driver:	xe
            drm-client-id:	7
            drm-pdev:	0000:04:00.0
            drm-total-system:	0
            drm-total-gtt:	192 KiB
            drm-total-vram0:	23992 KiB
            drm-shared-vram0:	16 MiB
            drm-active-vram0:	0
            drm-resident-vram0:	20 MiB
            drm-cycles-rcs:	28257900
            drm-engine-capacity-bcs:	9
            """;
    private static final String I915 = """
            drm-driver:	i915
            drm-client-id:	3
            drm-pdev:	0000:05:00.0
            drm-total-system0:	4 MiB
            drm-total-local0:	128 MiB
            drm-total-stolen-local0:	1 GiB
            """;

    private static Client client(String text) {
        return DrmClients.parse(text).orThrow();
    }

    @Test
    void amdgpu_tells_memory_of_the_card_apart_from_memory_it_maps() {
        assertEquals(new Client(42, "0000:03:00.0", "amdgpu", Bytes.ofGiB(1), 1500), client(AMDGPU));
    }

    @Test
    void what_is_resident_counts_before_what_is_allocated() {
        assertEquals(Bytes.ofMiB(20), client(XE).vram());
        assertEquals(0, client(XE).busyNanos(), "a capacity is no time");
    }

    @Test
    void i915_calls_it_local_and_stolen_memory_is_not_it() {
        assertEquals(Bytes.ofMiB(128), client(I915).vram());
    }

    @Test
    void a_client_that_is_open_twice_counts_once_and_other_devices_are_not_read() {
        DrmClients clients = DrmClients.FACT
                .read(
                        Recorded.host(
                                "proc/812/fd/3",
                                "/dev/dri/renderD128",
                                "proc/812/fdinfo/3",
                                AMDGPU,
                                "proc/812/fd/4",
                                "/dev/dri/renderD128",
                                "proc/812/fdinfo/4",
                                AMDGPU,
                                "proc/812/fd/5",
                                "/dev/dri/renderD129",
                                "proc/812/fdinfo/5",
                                XE,
                                "proc/812/fd/6",
                                "/dev/null",
                                "proc/812/fdinfo/6",
                                I915),
                        new ProcessId(812, 1))
                .orThrow();
        assertEquals(
                List.of(42L, 7L), clients.clients().stream().map(Client::id).toList());
    }

    @Test
    void a_descriptor_of_something_else_or_of_nonsense_is_no_client() {
        assertFalse(DrmClients.parse("pos:\t0\nflags:\t02\n").isPresent());
        for (String text : HostileText.ALL) DrmClients.parse(text);
        assertEquals(
                Bytes.NONE, client("drm-driver: x\ndrm-memory-vram: lots\n").vram());
        assertEquals(
                new Bytes(Long.MAX_VALUE),
                client("drm-driver: x\ndrm-memory-vram: 99999999999999999999 KiB\n")
                        .vram());
    }
}
