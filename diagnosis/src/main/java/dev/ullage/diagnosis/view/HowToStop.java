// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.diagnosis.Shell;
import dev.ullage.host.Evidence;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.service.Service;

/// How a process is stopped so that it stays stopped: whoever started it is told. A unit whose process is killed is
/// started again.
///
/// @param undo how to have it back
public record HowToStop(String command, String undo) {
    /// @param beside a process that must not be stopped with it
    public static HowToStop of(Evidence evidence, int pid, ProcessId beside) {
        Service service = evidence.subjects(ProcessStat.FACT).stream()
                .filter(id -> id.pid() == pid)
                .findFirst()
                .map(id -> evidence.latest(Service.FACT, id).orElse(Service.NONE))
                .orElse(Service.NONE);
        boolean isShared = service.equals(evidence.latest(Service.FACT, beside).orElse(Service.NONE));
        if (!isShared && !service.name().isEmpty() && service.pod().isEmpty()) {
            String name = Shell.word(service.name());
            switch (service.runtime()) {
                case "systemd" -> {
                    return new HowToStop("systemctl stop " + name, "systemctl start " + name);
                }
                case "docker", "podman" -> {
                    return new HowToStop(service.runtime() + " stop " + name, service.runtime() + " start " + name);
                }
                default -> {}
            }
        }
        return new HowToStop("kill " + pid, "start it again");
    }
}
