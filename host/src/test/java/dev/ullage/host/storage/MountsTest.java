// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.KernelEscapes;
import dev.ullage.host.storage.Mounts.Mount;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading.Absent;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MountsTest {
    private static Mounts mounts(String text) {
        return Mounts.parse(text).orThrow();
    }

    private static List<String> points(String text) {
        return mounts(text).fileSystems().stream().map(Mount::point).toList();
    }

    @Test
    void octal_escapes_are_undone_and_other_backslashes_left_alone() {
        assertEquals("a b\tc\nd\\e", KernelEscapes.undo("a\\040b\\011c\\012d\\134e"));
        assertEquals("\\9\\04", KernelEscapes.undo("\\9\\04"));
        assertEquals("\\040", KernelEscapes.undo("\\134040"));
        Mount mount = mounts("90 27 8:17 /a\\040b /mnt/my\\040disk rw - cifs //nas/my\\040share rw\n")
                .all()
                .getFirst();
        assertEquals("/a b", mount.root());
        assertEquals("/mnt/my disk", mount.point());
        assertEquals("//nas/my share", mount.source());
    }

    @Test
    void any_number_of_optional_fields_is_passed_over() {
        for (String optional : List.of("", "shared:1 ", "shared:1 master:2 ", "shared:1 master:2 propagate_from:3 ")) {
            Mount mount = mounts("27 1 254:0 / /m rw,noatime " + optional + "- xfs /dev/vda rw,attr2\n")
                    .all()
                    .getFirst();
            assertEquals("xfs", mount.type(), optional);
            assertEquals("/dev/vda", mount.source(), optional);
            assertEquals(List.of("rw", "noatime"), mount.options(), optional);
            assertEquals(List.of("rw", "attr2"), mount.superOptions(), optional);
        }
    }

    @Test
    void an_empty_source_and_no_super_options_are_allowed() {
        assertEquals(
                "", mounts("27 1 0:40 / /m rw - tmpfs  rw\n").all().getFirst().source());
        assertEquals(
                List.of(),
                mounts("27 1 0:40 / /m rw - tmpfs x\n").all().getFirst().superOptions());
    }

    @Test
    void a_path_lies_on_the_upper_of_stacked_mounts() {
        Mounts mounts = mounts("""
                27 1 254:0 / / rw - ext4 /dev/vda rw
                28 27 0:40 / /models rw - autofs systemd-1 rw
                29 28 0:41 / /models rw - nfs4 nas:/models rw
                """);
        assertEquals("nfs4", mounts.of("/models").orElseThrow().type());
        assertEquals("nfs4", mounts.of("/models/a.gguf").orElseThrow().type());
        assertEquals("ext4", mounts.of("/modelsx/a.gguf").orElseThrow().type());
        assertEquals(List.of("/", "/models"), points("""
                27 1 254:0 / / rw - ext4 /dev/vda rw
                28 27 0:40 / /models rw - autofs systemd-1 rw
                29 28 0:41 / /models rw - nfs4 nas:/models rw
                """));
    }

    @Test
    void what_a_mount_of_files_hides_is_no_file_system() {
        List<Mount> mounts = mounts("""
                27 1 254:0 / / rw - ext4 /dev/vda rw
                28 27 8:1 / /models rw - ext4 /dev/sda1 rw
                29 28 8:2 / /models rw - xfs /dev/sda2 rw
                """).fileSystems();
        assertEquals(List.of("254:0", "8:2"), mounts.stream().map(Mount::device).toList());
    }

    @Test
    void what_an_image_hides_is_no_file_system_either() {
        // statfs of /models would tell about the image, which is full by design.
        assertEquals(List.of("/"), points("""
                27 1 254:0 / / rw - ext4 /dev/vda rw
                28 27 8:1 / /models rw - ext4 /dev/sda1 rw
                29 28 7:0 / /models ro - squashfs /dev/loop0 ro
                """));
    }

    @Test
    void a_file_system_that_is_hidden_at_one_place_is_seen_at_another() {
        assertEquals(List.of("/", "/srv", "/data"), points("""
                27 1 254:0 / / rw - ext4 /dev/vda rw
                28 27 8:1 / /data rw - ext4 /dev/sda1 rw
                29 27 8:1 / /srv rw - ext4 /dev/sda1 rw
                30 28 8:2 / /data rw - ext4 /dev/sda2 rw
                """));
    }

    @Test
    void bind_mounts_are_counted_once_and_overlays_for_themselves() {
        String text = """
                700 600 0:65 / / rw,relatime - overlay overlay rw,lowerdir=/l/A:/l/B,upperdir=/u,workdir=/w
                701 700 0:68 / /proc rw - proc proc rw
                702 700 0:69 / /dev rw - tmpfs tmpfs rw,size=65536k
                710 700 254:1 /var/lib/docker/containers/3f/hosts /etc/hosts rw - ext4 /dev/vda1 rw
                711 700 254:1 /models /models ro - ext4 /dev/vda1 rw
                """;
        assertEquals(List.of("/", "/dev", "/etc/hosts"), points(text));
        assertEquals("/models", mounts(text).of("/models/a.gguf").orElseThrow().root());
        assertEquals("/models", mounts(text).ofDevice("254:1").orElseThrow().point());
        assertEquals(Optional.empty(), mounts(text).ofDevice("8:0"));
    }

    @Test
    void a_fuse_file_system_is_remote_but_not_one_on_a_block_device() {
        for (String type : List.of("fuse", "fuse.s3fs", "fuse.rclone", "fuse.juicefs")) {
            Mount mount = mounts("1 1 0:50 / /m rw - " + type + " x rw\n").all().getFirst();
            assertTrue(mount.isFuse() && mount.isRemote() && mount.holdsFiles(), type);
        }
        Mount ntfs = mounts("1 1 8:1 / /m rw - fuseblk /dev/sda1 rw\n").all().getFirst();
        assertFalse(ntfs.isFuse());
        assertFalse(ntfs.isRemote());
        assertTrue(ntfs.holdsFiles());
        Mount nfs = mounts("1 1 0:51 / /m rw - nfs4 nas:/m rw\n").all().getFirst();
        assertTrue(nfs.isRemote());
        assertFalse(nfs.isFuse());
    }

    @Test
    void images_and_the_kernels_own_hold_no_files_of_people() {
        for (String type : List.of("squashfs", "iso9660", "erofs", "proc", "sysfs", "cgroup2", "fuse.lxcfs", "autofs"))
            assertFalse(
                    mounts("1 1 0:50 / /m rw - " + type + " x rw\n")
                            .all()
                            .getFirst()
                            .holdsFiles(),
                    type);
        assertTrue(mounts("1 1 0:50 / /dev/shm rw - tmpfs tmpfs rw\n")
                .all()
                .getFirst()
                .holdsFiles());
    }

    @Test
    void lines_of_no_sense_are_passed_over_and_nothing_but_them_is_malformed() {
        assertEquals(List.of("/m"), points("\nx\n1 2 3 - \n1 1 8:1 / /m rw - ext4 /dev/sda1 rw\n1 1 8:1 - ext4"));
        assertEquals(AbsentCause.MALFORMED, ((Absent<?>) Mounts.parse("")).cause());
        assertEquals(AbsentCause.MALFORMED, ((Absent<?>) Mounts.parse(" - ")).cause());
    }
}
