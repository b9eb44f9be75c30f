// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.KernelEscapes;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// `/proc/self/mountinfo`: what is mounted where. Source: proc_pid_mountinfo(5).
///
/// ```
/// 27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
/// ```
/// The columns before `-` vary in number; those after it are type, source and super options.
public record Mounts(List<Mount> all) {
    /// File systems that hold nothing anybody can run out of.
    private static final Set<String> OF_THE_KERNEL = Set.of(
            "proc",
            "sysfs",
            "cgroup",
            "cgroup2",
            "devpts",
            "devtmpfs",
            "mqueue",
            "debugfs",
            "tracefs",
            "securityfs",
            "pstore",
            "bpf",
            "configfs",
            "fusectl",
            "hugetlbfs",
            "autofs",
            "binfmt_misc",
            "rpc_pipefs",
            "nsfs",
            "ramfs",
            "efivarfs",
            "selinuxfs",
            "nfsd",
            "fuse.lxcfs",
            "fuse.gvfsd-fuse",
            "fuse.portal");

    /// Full by design: made once, read-only.
    private static final Set<String> IMAGES = Set.of("squashfs", "iso9660", "erofs", "cramfs", "udf");

    private static final Set<String> NETWORK = Set.of(
            "nfs",
            "nfs4",
            "cifs",
            "smb3",
            "lustre",
            "ceph",
            "gpfs",
            "9p",
            "virtiofs",
            "afs",
            "glusterfs",
            "beegfs",
            "orangefs",
            "wekafs");

    /// @param device major:minor; `0:n` for file systems without a block device
    /// @param root the part of the file system that is mounted: `/` but for bind mounts and cgroup namespaces
    public record Mount(
            String device,
            String root,
            String point,
            String type,
            String source,
            List<String> options,
            List<String> superOptions) {
        /// Whether it holds files of people, as opposed to the kernel's own and read-only images.
        public boolean holdsFiles() {
            return !OF_THE_KERNEL.contains(type) && !IMAGES.contains(type);
        }

        /// Whether a page fault on it may cross a network, or end in a user's process (FUSE).
        public boolean isRemote() {
            return NETWORK.contains(type) || isFuse();
        }

        /// FUSE, except FUSE on a block device (ntfs-3g, exfat), which is a local disk with a detour.
        public boolean isFuse() {
            return type.equals("fuse") || type.startsWith("fuse.");
        }

        public boolean isReadOnly() {
            return options.contains("ro");
        }
    }

    public static final Fact<Host, Mounts> FACT =
            Fact.ofFile("mounts", "/proc/self/mountinfo", Cadence.ONCE, "mount /proc", Mounts::parse);

    public static Reading<Mounts> parse(String text) {
        List<Mount> mounts = new ArrayList<>();
        for (String line : text.lines().toList()) {
            int dash = line.indexOf(" - ");
            if (dash < 0) continue;
            String[] before = line.substring(0, dash).split(" ");
            String[] after = line.substring(dash + 3).split(" ");
            if (before.length < 6 || after.length < 2) continue;
            mounts.add(new Mount(
                    before[2],
                    KernelEscapes.undo(before[3]),
                    KernelEscapes.undo(before[4]),
                    after[0],
                    KernelEscapes.undo(after[1]),
                    List.of(before[5].split(",")),
                    after.length > 2 ? List.of(after[2].split(",")) : List.of()));
        }
        return mounts.isEmpty()
                ? Reading.malformed("/proc/self/mountinfo", text, "\"<id> <parent> <major:minor> … - <type> …\"")
                : Reading.of(new Mounts(List.copyOf(mounts)));
    }

    /// The mount a path lies on: the longest mount point above it, the latest when several are stacked.
    public Optional<Mount> of(String path) {
        Mount best = null;
        for (Mount mount : all) {
            String point = mount.point;
            boolean above = point.equals("/") || path.equals(point) || path.startsWith(point + "/");
            if (above && (best == null || point.length() >= best.point.length())) best = mount;
        }
        return Optional.ofNullable(best);
    }

    /// The mount of a device; the one at the shortest path when it is mounted several times.
    public Optional<Mount> ofDevice(String device) {
        return all.stream()
                .filter(m -> m.device.equals(device))
                .min((a, b) -> Integer.compare(a.point.length(), b.point.length()));
    }

    /// One mount for each file system that holds files, in mount order.
    public List<Mount> fileSystems() {
        List<Mount> visible = new ArrayList<>();
        for (Mount mount : all) {
            // A later mount at the same point hides the earlier one, whatever the two are.
            visible.removeIf(m -> m.point.equals(mount.point));
            visible.add(mount);
        }
        List<Mount> chosen = new ArrayList<>();
        for (Mount mount : visible)
            if (mount.holdsFiles() && chosen.stream().noneMatch(m -> m.device.equals(mount.device))) chosen.add(mount);
        return chosen;
    }
}
