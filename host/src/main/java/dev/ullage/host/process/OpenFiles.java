// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.measure.Count;

/// How many descriptors a process holds: the entries of `/proc/<pid>/fd`. Needs to be root or the owner. Compare with
/// [ProcessLimits#openFiles()].
public record OpenFiles(Count open) {
    public static final Fact<ProcessId, OpenFiles> FACT = new Fact<>(
            "open files", "/proc/<pid>/fd", Cadence.ENDS, "run as root", (root, id) -> root.names(id.file("fd"))
                    .map(names -> new OpenFiles(new Count(names.size()))));
}
