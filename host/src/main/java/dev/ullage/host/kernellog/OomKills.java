// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import java.util.List;

/// The kills of the kernel's OOM killer that its log still holds, the oldest first. A fact of its own, so that the
/// reports are put together once and not by everyone who asks.
public record OomKills(List<OomKill> all) {
    public static final Fact<Host, OomKills> FACT = new Fact<>(
            "kernel log",
            "/dev/kmsg",
            Cadence.END,
            "run as root, or pass the log with `ullage explain`",
            (root, _) -> root.ask(Call.KERNEL_LOG, "-")
                    .flatMap(KernelLog::parse)
                    .map(log -> new OomKills(OomReports.in(log))));
}
