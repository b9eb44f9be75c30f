// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import java.util.List;

/// What the kernel log says that matters to a server, the oldest first. One fact, so that the log is read and taken
/// apart
/// once and not by everyone who asks.
///
/// @param kills of the OOM killer; see [OomReports]
/// @param storage devices that refuse reads, damaged file systems, silent file servers; see [IoErrors]
/// @param refusals allocations of contiguous pages that failed; see [AllocationFailure]
/// @param gpus what drivers say of trouble with GPUs; see [GpuFaults]
public record KernelEvents(
        List<OomKill> kills, List<IoError> storage, List<AllocationFailure> refusals, List<GpuFault> gpus) {
    /// A log in which nothing of the kind stands.
    public static final KernelEvents NONE = new KernelEvents(List.of(), List.of(), List.of(), List.of());

    public static final Fact<Host, KernelEvents> FACT = new Fact<>(
            "kernel log",
            "/dev/kmsg",
            Cadence.END,
            "run as root, or pass the log with `ullage explain`",
            (root, _) -> root.ask(Call.KERNEL_LOG, "-")
                    .flatMap(KernelLog::parse)
                    .map(log -> new KernelEvents(
                            OomReports.in(log), IoErrors.in(log), AllocationFailure.in(log), GpuFaults.in(log))));
}
