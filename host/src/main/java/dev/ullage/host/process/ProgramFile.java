// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;

/// The file a process runs, `/proc/<pid>/exe → /usr/bin/llama-server`: what it is when it calls itself something else.
///
/// Mistake people make: reading it for a script. It is the interpreter's: `/usr/bin/python3.11`.
///
/// @param path in the process's own root, without ` (deleted)`, which the kernel adds when it was replaced
public record ProgramFile(String path) {
    private static final String DELETED = " (deleted)";

    public static final Fact<ProcessId, ProgramFile> FACT = new Fact<>(
            "program file of a process", "/proc/<pid>/exe", Cadence.ENDS, "run as root", (root, id) -> root.link(
                            id.file("exe"))
                    .map(ProgramFile::parse));

    static ProgramFile parse(String target) {
        return new ProgramFile(
                target.endsWith(DELETED) ? target.substring(0, target.length() - DELETED.length()) : target);
    }
}
