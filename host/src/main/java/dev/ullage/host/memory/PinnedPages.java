// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;

/// Memory that drivers, RDMA and io_uring hold pinned for devices: it can be neither swapped nor moved. Source:
/// Documentation/core-api/pin_user_pages.rst; counted in `/proc/vmstat` since 5.7.
///
/// ```
/// nr_foll_pin_acquired 524288
/// nr_foll_pin_released 0
/// ```
/// The difference is pinned now; a page that is pinned twice counts twice.
///
/// Mistake people make: looking for CUDA's page-locked memory in VmLck, VmPin or Mlocked. What a program registers
/// (cudaHostRegister, `pin_memory=True` of newer versions, RDMA) shows here and nowhere else; what the NVIDIA driver
/// allocates itself (cudaMallocHost) shows in no counter of the kernel at all.
public record PinnedPages(Bytes pinned) {
    private static final String SOURCE = "/proc/vmstat nr_foll_pin_acquired − nr_foll_pin_released";

    public static final Fact<Host, PinnedPages> FACT = new Fact<>(
            "memory pinned for devices", "/proc/vmstat nr_foll_pin_acquired", Cadence.END, "", (root, _) -> root.text(
                            "/proc/vmstat")
                    .flatMap(PinnedPages::parse));

    static Reading<PinnedPages> parse(String text) {
        KeyValues counters = KeyValues.parse(text);
        if (counters.get("nr_foll_pin_acquired").isEmpty())
            return Reading.absent(
                    "/proc/vmstat nr_foll_pin_acquired", AbsentCause.NOT_ON_THIS_KERNEL, "counted since Linux 5.7");
        long pages = counters.orZero("nr_foll_pin_acquired") - counters.orZero("nr_foll_pin_released");
        return Reading.of(new PinnedPages(Bytes.ofPages(Math.max(0, pages))));
    }

    /// Where the number can be looked up.
    public static String source() {
        return SOURCE;
    }
}
