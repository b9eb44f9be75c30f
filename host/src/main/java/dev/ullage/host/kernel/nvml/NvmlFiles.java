// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Where the library lies, and whether it may be loaded.
///
/// Its code runs with our rights, and those are mostly root's. So it is taken from fixed folders only, by its whole
/// path
/// (never through `LD_LIBRARY_PATH`), and as root only a file that nobody but root can write to.
final class NvmlFiles {
    private static final String NAME = "libnvidia-ml.so.1";

    /// Distributions, then where container toolkits, GPU operators and node images mount it.
    private static final List<String> FOLDERS = List.of(
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64",
            "/usr/lib",
            "/lib64",
            "/usr/lib/x86_64-linux-gnu/nvidia/current",
            "/usr/lib/aarch64-linux-gnu/nvidia",
            "/usr/lib64/nvidia",
            "/usr/lib/wsl/lib",
            "/usr/local/nvidia/lib64",
            "/usr/local/nvidia/lib",
            "/run/nvidia/driver/usr/lib/x86_64-linux-gnu",
            "/run/nvidia/driver/usr/lib/aarch64-linux-gnu",
            "/run/nvidia/driver/usr/lib64",
            "/home/kubernetes/bin/nvidia/lib64",
            "/run/opengl-driver/lib",
            "/opt/nvidia/lib64");

    /// What a host with an NVIDIA driver has, one of them: the driver's folder, its device, those of WSL and of Jetson.
    private static final List<String> SIGNS =
            List.of("/proc/driver/nvidia", "/dev/nvidiactl", "/dev/dxg", "/dev/nvgpu", "/dev/nvhost-gpu");

    private NvmlFiles() {}

    static boolean hasDevice() {
        return SIGNS.stream().anyMatch(sign -> new File(sign).exists());
    }

    /// Those that are there.
    static List<Path> found() {
        List<Path> found = new ArrayList<>();
        for (String folder : FOLDERS) {
            Path file = Path.of(folder, NAME);
            if (Files.exists(file)) found.add(file);
        }
        return found;
    }

    /// The folders, for a message.
    static String folders() {
        return String.join(", ", FOLDERS.subList(0, 3)) + " and " + (FOLDERS.size() - 3) + " more folders";
    }

    /// Why this file is not loaded; empty when it may be.
    static Optional<String> refusal(Path file) {
        return refusal(file, isRootOfTheHost());
    }

    static Optional<String> refusal(Path file, boolean isRoot) {
        if (!isRoot) return Optional.empty();
        try {
            for (Path part = file.toRealPath(); part != null; part = part.getParent()) {
                Set<PosixFilePermission> mode = Files.getPosixFilePermissions(part, LinkOption.NOFOLLOW_LINKS);
                if (!Integer.valueOf(0).equals(Files.getAttribute(part, "unix:uid"))
                        || mode.contains(PosixFilePermission.GROUP_WRITE)
                        || mode.contains(PosixFilePermission.OTHERS_WRITE))
                    return Optional.of(part + " can be written to by others than root, so its code is not run as root");
            }
            return Optional.empty();
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.of("looking at the owner of " + file + " failed: " + e.getMessage());
        }
    }

    /// In a user namespace of its own (rootless Podman, Apptainer) root is an ordinary user, and the host's root is
    /// "nobody": `/proc/self/uid_map` is `0 1000 1` there, and `0 0 4294967295` on a host.
    private static boolean isRootOfTheHost() {
        try {
            if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) return false;
            String[] map =
                    Files.readString(Path.of("/proc/self/uid_map")).strip().split("\\s+");
            return map.length >= 3 && map[0].equals("0") && map[1].equals("0");
        } catch (IOException e) {
            return true;
        }
    }
}
