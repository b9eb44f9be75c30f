// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import java.util.Optional;

/// One cgroup, as a folder of one mounted hierarchy.
///
/// @param version whose file names it uses
/// @param mountPoint where its hierarchy is mounted: `/sys/fs/cgroup/memory` (v1), `/sys/fs/cgroup` (v2)
/// @param path its path below the mount point: `/kubepods/pod1/c1`; `/` is the root of what we can see
public record CgroupId(Version version, String mountPoint, String path) implements Comparable<CgroupId> {
    /// The two interfaces: other file names, other units, other rules about who is limited by whom.
    public enum Version {
        V1,
        V2
    }

    /// One of its files, by the path it has on the host.
    public String file(String name) {
        return mountPoint + (path.equals("/") ? "" : path) + "/" + name;
    }

    public boolean isRoot() {
        return path.equals("/");
    }

    public boolean isV2() {
        return version == Version.V2;
    }

    /// The cgroup above, if this is not the root.
    public Optional<CgroupId> parent() {
        if (isRoot()) return Optional.empty();
        int slash = path.lastIndexOf('/');
        return Optional.of(new CgroupId(version, mountPoint, slash <= 0 ? "/" : path.substring(0, slash)));
    }

    /// Whether this cgroup is `other` or lies below it.
    public boolean isWithin(CgroupId other) {
        return mountPoint.equals(other.mountPoint)
                && (other.isRoot() || path.equals(other.path) || path.startsWith(other.path + "/"));
    }

    @Override
    public int compareTo(CgroupId other) {
        int byMount = mountPoint.compareTo(other.mountPoint);
        return byMount != 0 ? byMount : path.compareTo(other.path);
    }

    @Override
    public String toString() {
        return path;
    }
}
