// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.service;

import dev.ullage.host.Cadence;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.HostRoot;
import dev.ullage.host.cgroup.CgroupMounts;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;

/// Whether we look from inside a container, and what that hides.
///
/// In a cgroup namespace the container's own cgroup looks like the root (`0::/`): its limit can be read there, and
/// whatever limit lies above it cannot be seen at all. A real root of the v2 hierarchy has neither `memory.max`
/// nor `cgroup.type`; the second is there even where the memory controller is not handed down.
///
/// @param container whether the marks of a container runtime are there: `/.dockerenv`, `/run/.containerenv`
///     (podman, CRI-O), a Kubernetes service account, `/run/systemd/container` (systemd in LXC or nspawn)
/// @param cgroupsHidden whether there are cgroups above the ones we see
public record Confinement(boolean container, boolean cgroupsHidden) {
    /// Whether the root cgroup that can be seen is in truth some cgroup of a container: it has limits and counters of
    /// its
    /// own.
    public static boolean hasOwnRoot(Evidence evidence) {
        return evidence.latest(FACT).map(Confinement::cgroupsHidden).orElse(false);
    }

    private static final String[] MARKS = {
        "/.dockerenv",
        "/run/.containerenv",
        "/var/run/secrets/kubernetes.io/serviceaccount/namespace",
        "/run/systemd/container"
    };

    public static final Fact<Host, Confinement> FACT = new Fact<>(
            "whether this is a container", "/.dockerenv", Cadence.ONCE, "", (root, host) -> read(root, host));

    private static Reading<Confinement> read(HostRoot root, Host host) {
        boolean container = false;
        for (String mark : MARKS) container |= isThere(root, mark);
        Reading<CgroupMounts> cgroups = CgroupMounts.FACT.read(root, host);
        if (cgroups instanceof Reading.Absent<CgroupMounts> absent && absent.cause() != AbsentCause.NOT_PRESENT)
            return absent.as();
        CgroupMounts mounts = cgroups.orElse(null);
        boolean hidden = false;
        if (mounts != null) {
            hidden = mounts.unified()
                    .map(unified -> isThere(root, unified.mountPoint() + "/memory.max")
                            || isThere(root, unified.mountPoint() + "/cgroup.type"))
                    .orElse(false);
            hidden |= mounts.byController().values().stream()
                    .anyMatch(mounted -> !mounted.root().equals("/"));
        }
        return Reading.of(new Confinement(container, hidden));
    }

    private static boolean isThere(HostRoot root, String path) {
        Reading<String> text = root.text(path);
        return text.isPresent()
                || text instanceof Reading.Absent<String> absent && absent.cause() == AbsentCause.NO_PERMISSION;
    }
}
