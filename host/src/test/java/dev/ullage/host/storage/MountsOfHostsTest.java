// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.storage.Mounts.Mount;
import dev.ullage.measure.AbsentCause;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Mount tables as real hosts and containers have them.
class MountsOfHostsTest {
    private static Mounts mounts(String text) {
        return Mounts.parse(text).orThrow();
    }

    private static List<String> points(Mounts mounts) {
        return mounts.fileSystems().stream().map(Mount::point).toList();
    }

    /// Fedora 41 (Linux 6.11): btrfs with two subvolumes, one number for both.
    private static final String BTRFS = """
            66 1 0:35 /root / rw,relatime shared:1 - btrfs /dev/nvme0n1p3 rw,seclabel,compress=zstd:1,ssd,discard=async,space_cache=v2,subvolid=257,subvol=/root
            35 66 0:5 / /dev rw,nosuid shared:2 - devtmpfs devtmpfs rw,seclabel,size=4096k,nr_inodes=4096,mode=755,inode64
            60 66 0:35 /home /home rw,relatime shared:33 - btrfs /dev/nvme0n1p3 rw,seclabel,compress=zstd:1,subvolid=256,subvol=/home
            63 66 259:2 / /boot rw,relatime shared:35 - ext4 /dev/nvme0n1p2 rw,seclabel
            """;

    /// Inside a Docker container on Linux 5.15.
    private static final String DOCKER = """
            611 553 0:63 / / rw,relatime master:300 - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/A:/var/lib/docker/overlay2/l/B,upperdir=/var/lib/docker/overlay2/x/diff,workdir=/var/lib/docker/overlay2/x/work
            612 611 0:66 / /proc rw,nosuid,nodev,noexec,relatime - proc proc rw
            613 611 0:67 / /dev rw,nosuid - tmpfs tmpfs rw,size=65536k,mode=755,inode64
            616 613 0:64 / /dev/shm rw,nosuid,nodev,noexec,relatime - tmpfs shm rw,size=65536k,inode64
            617 611 8:2 /srv/models /models ro,relatime - ext4 /dev/sda2 rw,errors=remount-ro
            618 611 8:2 /var/lib/docker/containers/3f1c/hosts /etc/hosts rw,relatime - ext4 /dev/sda2 rw,errors=remount-ro
            """;

    @Test
    void subvolumes_are_one_file_system_and_their_paths_two_mounts() {
        Mounts mounts = mounts(BTRFS);
        assertEquals(List.of("/", "/boot"), points(mounts));
        assertEquals("/home", mounts.of("/home/me/a.gguf").orElseThrow().point());
        assertEquals("/dev/nvme0n1p3", mounts.ofDevice("0:35").orElseThrow().source());
        assertEquals("/", mounts.ofDevice("0:35").orElseThrow().point());
    }

    @Test
    void in_a_container_a_bind_mount_shows_the_disk_and_the_root_is_an_overlay() {
        Mounts mounts = mounts(DOCKER);
        Mount models = mounts.of("/models/a.gguf").orElseThrow();
        assertEquals("8:2", models.device());
        assertEquals("/srv/models", models.root());
        assertTrue(models.isReadOnly());
        assertFalse(models.isRemote());
        assertEquals(
                "overlay", mounts.of("/root/.cache/huggingface").orElseThrow().type());
        assertEquals("tmpfs", mounts.of("/dev/shm/nccl-1").orElseThrow().type());
        assertEquals(List.of("/", "/dev", "/dev/shm", "/models"), points(mounts));
    }

    @Test
    void a_type_with_a_subtype_is_fuse_and_a_block_device_under_fuse_is_local() {
        Mounts mounts = mounts("""
                50 27 0:44 / /a rw - fuse.gcsfuse gcsfuse rw
                51 27 0:45 / /b rw - fuse.juicefs JuiceFS:models rw
                52 27 8:33 / /c rw - fuseblk /dev/sdc1 rw
                53 27 0:46 / /d rw - nfs4 10.0.0.5:/models rw,vers=4.2,hard
                54 27 0:47 / /e rw - virtiofs models rw
                55 27 0:48 / /f rw - lustre 10.0.0.1@tcp:/fsx rw
                56 27 259:1 / /g rw - xfs /dev/nvme0n1 rw
                """);
        List<Boolean> remote = mounts.all().stream().map(Mount::isRemote).toList();
        assertEquals(List.of(true, true, false, true, true, true, false), remote);
        assertEquals(7, mounts.fileSystems().size());
    }

    @Test
    void a_path_is_on_a_mount_by_whole_names() {
        Mounts mounts = mounts("27 1 254:0 / / rw - ext4 /dev/vda rw\n28 27 8:1 / /models rw - ext4 /dev/sda1 rw\n");
        assertEquals("254:0", mounts.of("/models-old/a").orElseThrow().device());
        assertEquals("8:1", mounts.of("/models").orElseThrow().device());
        assertEquals("254:0", mounts.of("/").orElseThrow().device());
        assertEquals(
                Optional.empty(),
                mounts("28 27 8:1 / /models rw - ext4 /dev/sda1 rw\n").of("/x"));
    }

    @Test
    void a_file_that_breaks_off_gives_its_whole_lines() {
        Mounts mounts = mounts("27 1 254:0 / / rw - ext4 /dev/vda rw\n28 27 8:1 / /mod");
        assertEquals(1, mounts.all().size());
        for (String text : List.of("", "\0", "/dev/vda / ext4 rw 0 0\n", "27 1 254:0 / / rw"))
            assertEquals(AbsentCause.MALFORMED, causeOf(Mounts.parse(text)), text);
    }
}
