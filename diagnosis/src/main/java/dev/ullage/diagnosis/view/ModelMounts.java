// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.kernellog.IoError;
import dev.ullage.host.kernellog.KernelEvents;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.FileSystemSpace;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.ModelFiles;
import dev.ullage.host.storage.Mounts;
import dev.ullage.host.storage.Mounts.Mount;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading.Absent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The network file systems that a workload's models lie on, by device number: a path of a container says nothing about
/// the host's mounts.
///
/// @param remote the mounts, the one that does not answer first
/// @param silent whether one of them does not answer
public record ModelMounts(List<Mount> remote, boolean silent) {
    public static ModelMounts of(Evidence evidence, Workload workload) {
        Mounts mounts = evidence.latest(Mounts.FACT).orElse(new Mounts(List.of()));
        Set<Mount> remote = new LinkedHashSet<>();
        for (ModelFile file : workload.models())
            mounts.ofDevice(file.device()).or(() -> mounts.of(file.path())).ifPresent(remote::add);
        for (String path : unreadable(evidence, workload)) mounts.of(path).ifPresent(remote::add);
        remote.removeIf(mount -> !mount.isRemote());
        Optional<Mount> silent =
                remote.stream().filter(mount -> isSilent(evidence, mount)).findFirst();
        List<Mount> ordered = new ArrayList<>(remote);
        silent.ifPresent(mount -> {
            ordered.remove(mount);
            ordered.addFirst(mount);
        });
        return new ModelMounts(List.copyOf(ordered), silent.isPresent());
    }

    /// Models that could not be looked at in time, and what the command line names: on a mount that hangs nothing can
    /// be
    /// identified.
    private static Set<String> unreadable(Evidence evidence, Workload workload) {
        Set<String> paths = new LinkedHashSet<>();
        for (ProcessId id : workload.processes()) {
            evidence.lastSeen(ModelFiles.FACT, id).map(ModelFiles::unreadable).orElse(List.of()).stream()
                    .filter(absent -> absent.cause() == AbsentCause.TIMED_OUT)
                    .map(Absent::source)
                    .forEach(paths::add);
            if (workload.models().isEmpty())
                evidence.latest(CommandLine.FACT, id).map(CommandLine::arguments).orElse(List.of()).stream()
                        .skip(1)
                        .map(argument -> argument.substring(argument.indexOf('=') + 1))
                        .filter(argument -> argument.startsWith("/"))
                        .forEach(paths::add);
        }
        return paths;
    }

    private static boolean isSilent(Evidence evidence, Mount mount) {
        boolean hung = evidence.latest(FileSystemSpace.FACT, mount) instanceof Absent<FileSystemSpace> absent
                && absent.cause() == AbsentCause.TIMED_OUT;
        String server = serverOf(mount.source());
        return hung
                || !server.isEmpty()
                        && evidence.latest(KernelEvents.FACT).map(KernelEvents::storage).orElse(List.of()).stream()
                                .anyMatch(error -> isSilence(evidence, error, server));
    }

    /// `10.0.0.5:/models` → `10.0.0.5`, `[fd00::5]:/models` → `[fd00::5]`.
    private static String serverOf(String source) {
        int end = source.indexOf(":/");
        return end < 0 ? "" : source.substring(0, end);
    }

    /// `nfs: server 10.0.0.5 not responding`, and no `OK` after it; long ago it may have been unmounted and mounted
    /// anew.
    private static boolean isSilence(Evidence evidence, IoError error, String server) {
        double age = error.sinceBoot()
                .map(at -> evidence.to().monotonic().seconds() - at.seconds())
                .orElse(Double.MAX_VALUE);
        return error.trouble() instanceof IoError.Trouble.OfServer(String name, boolean answersAgain)
                && name.equals(server)
                && !answersAgain
                && age <= evidence.focus().since().seconds();
    }
}
