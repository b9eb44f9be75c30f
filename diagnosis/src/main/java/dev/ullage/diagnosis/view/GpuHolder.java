// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.Optional;

/// A process with memory on a GPU.
///
/// @param pid as the driver counts; see [GpuHolders#ofAnotherNamespace()]
/// @param workload the server it belongs to, or the large process it is; empty for others and for strangers
/// @param name `vllm`, `train.py`, `Xorg`; `pid 4123 of the host` when nobody here has that number
/// @param memory absent when the driver does not say how much
/// @param ended the driver still lists it, and the host has no such process any more
public record GpuHolder(int pid, Optional<Workload> workload, String name, Reading<Bytes> memory, boolean ended) {
    /// `vllm (pid 812)`, `pid 4123, which has ended`.
    public String shown() {
        if (ended) return "pid " + pid + ", which has ended";
        return name.startsWith("pid ") ? name : name + " (pid " + pid + ")";
    }
}
