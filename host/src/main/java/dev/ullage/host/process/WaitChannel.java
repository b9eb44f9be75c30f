// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;

/// `/proc/<pid>/wchan`: the kernel function a sleeping task waits in (`folio_wait_bit_common`, `io_schedule`,
/// `fuse_simple_request`); `0` when it runs or when the kernel hides it.
public record WaitChannel(String function) {
    public static final Fact<ProcessId, WaitChannel> FACT = new Fact<>(
            "where in the kernel it waits", "/proc/<pid>/wchan", Cadence.ENDS, "run as root", (root, id) -> root.text(
                            id.file("wchan"))
                    .map(WaitChannel::parse));

    public static WaitChannel parse(String text) {
        String function = text.strip();
        return new WaitChannel(function.equals("0") ? "" : function);
    }

    /// Whether the kernel named a function.
    public boolean isKnown() {
        return !function.isEmpty();
    }
}
