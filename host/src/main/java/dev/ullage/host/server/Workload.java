// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.process.ProcessId;
import dev.ullage.host.storage.ModelFile;
import java.util.List;
import java.util.Optional;

/// An LLM server with all its processes, or another process large enough to matter.
///
/// @param engine empty when it is no LLM server
/// @param name what to call it: the program's name, or what an interpreter runs
/// @param main the process that was started first
/// @param processes all of them, the main one first
/// @param models the model files they use, the largest first
public record Workload(
        Optional<Engine> engine, String name, ProcessId main, List<ProcessId> processes, List<ModelFile> models) {
    public boolean isServer() {
        return engine.isPresent();
    }

    /// As a headline names it: `llama-server (pid 812)`, `python3 (pid 900, 4 processes)`.
    public String shown() {
        return name + " (pid " + main.pid() + (processes.size() > 1 ? ", " + processes.size() + " processes)" : ")");
    }
}
