// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Host;
import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading.Absent;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StorageFactsTest {
    private static Mounts mounts(String text) {
        return Mounts.parse(text).orThrow();
    }

    @Test
    void mounts_with_spaces_and_optional_fields_are_read() {
        Mounts mounts = mounts("""
                27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
                90 27 8:17 / /mnt/my\\040disk ro,relatime shared:7 master:2 - xfs /dev/sdb1 rw
                91 27 0:50 / /mnt/s3 rw - fuse.s3fs s3fs rw,user_id=0
                92 27 0:51 / /snap/x ro - squashfs /dev/loop3 ro
                93 27 0:5 / /proc rw - proc proc rw
                """);
        assertEquals("/mnt/my disk", mounts.all().get(1).point());
        assertTrue(mounts.all().get(1).isReadOnly());
        assertTrue(mounts.all().get(2).isFuse() && mounts.all().get(2).isRemote());
        assertEquals(
                List.of("/", "/mnt/my disk", "/mnt/s3"),
                mounts.fileSystems().stream().map(Mounts.Mount::point).toList());
    }

    @Test
    void a_path_lies_on_the_longest_mount_above_it_and_the_latest_of_a_stack() {
        Mounts mounts = mounts("""
                27 1 254:0 / / rw - ext4 /dev/vda rw
                28 27 8:1 / /models rw - ext4 /dev/sda1 rw
                29 27 8:2 / /models rw - xfs /dev/sda2 rw
                """);
        assertEquals("8:2", mounts.of("/models/a.gguf").orElseThrow().device());
        assertEquals("254:0", mounts.of("/models2/a.gguf").orElseThrow().device());
    }

    @Test
    void a_bind_mount_is_no_second_file_system() {
        assertEquals(1, mounts("""
                27 1 254:0 / / rw - ext4 /dev/vda rw
                28 27 254:0 /srv /data rw - ext4 /dev/vda rw
                """).fileSystems().size());
    }

    @Test
    void what_root_may_still_write_is_not_available() {
        FileSystemSpace space = FileSystemSpace.parse(
                        "type=0xef53 bsize=4096 blocks=1000 bfree=50 bavail=0 files=100 ffree=25")
                .orThrow();
        assertEquals(Bytes.NONE, space.available());
        assertEquals(1, space.usedShare().ratio());
        assertEquals(0.75, space.usedInodesShare().ratio());
        assertEquals(AbsentCause.MALFORMED, ((Absent<?>) FileSystemSpace.parse("bsize=0")).cause());
    }

    @Test
    void disk_counters_are_read_with_14_18_and_20_columns() {
        // Linux 3.10, 4.18 and 6.18
        for (String more : List.of("", " 1 2 3 4", " 1 2 3 4 105 4")) {
            DiskStats.Disk disk = DiskStats.parse(
                            " 254       0 vda 5254 3471 500866 1707 477 3559 259936 723 2 856 2537" + more + "\n")
                    .orThrow()
                    .byNumber()
                    .get("254:0");
            assertEquals(500866L * 512, disk.readBytes());
            assertEquals(1707, disk.readMillis());
            assertEquals(2, disk.inFlight());
            assertEquals(2537, disk.queueMillis());
        }
        assertEquals(AbsentCause.MALFORMED, ((Absent<?>) DiskStats.parse("what is this\n")).cause());
    }

    @Test
    void a_file_system_on_a_loop_device_is_served_by_the_disk_under_its_file() {
        BlockDevices devices = BlockDevices.FACT
                .read(
                        Recorded.host(
                                "sys/block/vda/dev", "254:0\n",
                                "sys/block/vda/queue/rotational", "1\n",
                                "sys/block/vda/vda1/dev", "254:1\n",
                                "sys/block/loop0/dev", "7:0\n",
                                "sys/block/loop0/loop/backing_file", "/images/a.ext4\n",
                                "sys/block/loop1/dev", "7:1\n"),
                        Host.THE_HOST)
                .orThrow();
        Mounts mounts = mounts("27 1 254:1 / / rw - ext4 /dev/vda1 rw\n28 27 7:0 / /models rw - ext4 /dev/loop0 rw\n");
        assertEquals(
                List.of("loop0", "vda1", "vda"),
                devices.under("7:0", mounts).stream()
                        .map(BlockDevices.Device::name)
                        .toList());
        assertFalse(devices.byNumber().containsKey("7:1"), "a loop device without a file is none");
        assertEquals("virtual disk", devices.byNumber().get("254:0").driver());
    }

    @Test
    void a_mapped_device_is_served_by_its_parts() {
        BlockDevices devices = BlockDevices.FACT
                .read(
                        Recorded.host(
                                "sys/block/dm-0/dev", "253:0\n",
                                "sys/block/dm-0/slaves/sda", "",
                                "sys/block/dm-0/slaves/sdb", "",
                                "sys/block/sda/dev", "8:0\n",
                                "sys/block/sdb/dev", "8:16\n"),
                        Host.THE_HOST)
                .orThrow();
        assertEquals(
                List.of("dm-0", "sda", "sdb"),
                devices.under("253:0", new Mounts(List.of())).stream()
                        .map(BlockDevices.Device::name)
                        .toList());
    }

    private static Optional<ModelFormat> format(String hex, String name) {
        return ModelFormat.ofHead(HexFormat.of().parseHex(hex), name);
    }

    @Test
    void model_formats_are_told_by_their_magic() {
        assertEquals(Optional.of(ModelFormat.GGUF), format("4747554603000000", "sha256-6a0746a1ec1a"));
        assertEquals(Optional.of(ModelFormat.GGML), format("746a676703000000", "ggml-model.bin"));
        assertEquals(Optional.of(ModelFormat.SAFETENSORS), format("40000000000000007b225f5f6d657461", "model"));
        String zip = "504b030400000808" + "00".repeat(22)
                + HexFormat.of().formatHex("archive/data.pkl".getBytes(StandardCharsets.US_ASCII));
        assertEquals(Optional.of(ModelFormat.TORCH_ZIP), format(zip, "blob"));
        assertEquals(Optional.of(ModelFormat.PICKLE), format("80028a0a6cfc9c46f9", "pytorch_model.bin"));
    }

    @Test
    void what_only_looks_like_a_model_is_none() {
        String pointer = HexFormat.of()
                .formatHex("version https://git-lfs.github.com/spec/v1".getBytes(StandardCharsets.US_ASCII));
        assertEquals(Optional.empty(), format(pointer, "model.safetensors"));
        assertEquals(Optional.empty(), format("504b030414000808" + "00".repeat(22), "app.jar"));
        assertEquals(Optional.empty(), format("80028a0a", "cache.dat"));
        assertEquals(Optional.empty(), format("", "model.gguf"));
    }

    @Test
    void residency_is_counted_in_pages() {
        PageCache cache = PageCache.parse(
                        "cached=16384 dirty=0 writeback=0 evicted=512 recently_evicted=7 by=cachestat")
                .orThrow();
        assertEquals(Bytes.ofMiB(64), cache.resident());
        assertEquals(512, cache.evictedPages().orElse(-1));
        assertTrue(
                PageCache.parse("cached=1 by=mincore").orThrow().evictedPages().isEmpty());
    }
}
