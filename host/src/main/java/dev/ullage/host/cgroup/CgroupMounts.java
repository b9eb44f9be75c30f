// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.storage.Mounts;
import dev.ullage.host.storage.Mounts.Mount;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which cgroup hierarchies are mounted where: v1 (one a controller), v2 (one for all), or hybrid (v1 for some, v2 for
/// the rest).
///
/// ```
/// 35 31 0:31 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
/// 41 31 0:37 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
/// ```
/// The fourth column is the root of what is mounted. In a container without a cgroup namespace it is
/// `/docker/<id>`: paths in `/proc/<pid>/cgroup` begin with it, files lie below the mount point without it.
public record CgroupMounts(Map<String, Mounted> byController, Optional<Mounted> unified) {
    /// @param root the part of the hierarchy that is visible at the mount point
    public record Mounted(CgroupId.Version version, String mountPoint, String root) {}

    public static final Fact<Host, CgroupMounts> FACT = new Fact<>(
            "cgroup hierarchies",
            "/proc/self/mountinfo",
            Cadence.ONCE,
            "mount the cgroup file system at /sys/fs/cgroup",
            (root, host) -> Mounts.FACT.read(root, host).flatMap(CgroupMounts::of));

    private static Reading<CgroupMounts> of(Mounts mounts) {
        Map<String, Mounted> byController = new HashMap<>();
        Optional<Mounted> unified = Optional.empty();
        for (Mount mount : mounts.all()) {
            if (mount.type().equals("cgroup")) {
                Mounted mounted = new Mounted(CgroupId.Version.V1, mount.point(), mount.root());
                for (String option : mount.superOptions()) byController.putIfAbsent(option, mounted);
            } else if (mount.type().equals("cgroup2") && unified.isEmpty()) {
                unified = Optional.of(new Mounted(CgroupId.Version.V2, mount.point(), mount.root()));
            }
        }
        if (byController.isEmpty() && unified.isEmpty())
            return Reading.absent("/proc/self/mountinfo", AbsentCause.NOT_PRESENT, "no cgroup file system is mounted");
        return Reading.of(new CgroupMounts(byController, unified));
    }

    /// Where a controller's hierarchy is mounted: its own in v1, the unified one in v2.
    public Optional<Mounted> of(String controller) {
        Mounted v1 = byController.get(controller);
        return v1 != null ? Optional.of(v1) : unified;
    }

    /// Where hierarchies are mounted.
    public List<String> mountPoints() {
        List<String> points = new ArrayList<>();
        byController.values().forEach(m -> points.add(m.mountPoint()));
        unified.ifPresent(m -> points.add(m.mountPoint()));
        return points.stream().distinct().toList();
    }

    /// The cgroup of a member, for one controller; empty when that controller is mounted nowhere or the cgroup lies
    /// outside of what we can see (`/../..` in a cgroup namespace).
    public Optional<CgroupId> locate(CgroupMembership membership, String controller) {
        Mounted v1 = byController.get(controller);
        if (v1 != null) return membership.v1Path(controller).flatMap(path -> below(v1, path));
        return locateUnified(membership);
    }

    /// The cgroup in the v2 hierarchy, which on a hybrid host has pressure files though v1 has the controllers.
    public Optional<CgroupId> locateUnified(CgroupMembership membership) {
        return unified.flatMap(mounted -> membership.v2Path().flatMap(path -> below(mounted, path)));
    }

    private static Optional<CgroupId> below(Mounted mounted, String path) {
        if (path.startsWith("/..")) return Optional.empty();
        String root = mounted.root();
        String relative = path;
        if (!root.equals("/")) {
            if (path.equals(root)) relative = "/";
            else if (path.startsWith(root + "/")) relative = path.substring(root.length());
            else return Optional.empty();
        }
        return Optional.of(new CgroupId(mounted.version(), mounted.mountPoint(), relative));
    }

    /// A cgroup and everything above it, the innermost first.
    public static List<CgroupId> chain(CgroupId innermost) {
        List<CgroupId> chain = new ArrayList<>();
        for (Optional<CgroupId> at = Optional.of(innermost);
                at.isPresent();
                at = at.get().parent()) chain.add(at.get());
        return chain;
    }

    static List<String> controllersOf(String commaSeparated) {
        return Arrays.asList(commaSeparated.split(","));
    }
}
