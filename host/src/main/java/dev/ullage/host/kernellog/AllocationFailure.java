// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An allocation of several contiguous pages that the kernel could not serve. Source: mm/page_alloc.c, warn_alloc().
///
/// ```
/// vllm: page allocation failure: order:5, mode:0x40cc0(GFP_KERNEL|__GFP_COMP), nodemask=(null),cpuset=/,mems_allowed=0
/// vllm: page allocation failure. order:5, mode:0x20                     3.x
/// ```
/// Order 5 is 2^5 pages together, 128 KiB. Order 0 is no fragmentation but no memory at all.
///
/// @param task name of the task that asked, 15 characters at most
public record AllocationFailure(Optional<Seconds> sinceBoot, String task, int order) {
    private static final Pattern FAILURE =
            Pattern.compile("(.{1,64}): page allocation failure[.:] order:(\\d{1,2}),.*");

    static List<AllocationFailure> in(KernelLog log) {
        List<AllocationFailure> failures = new ArrayList<>();
        for (KernelLog.Entry entry : log.entries()) {
            if (!entry.text().contains("page allocation failure")) continue;
            Matcher matcher = FAILURE.matcher(entry.text());
            if (matcher.matches())
                failures.add(
                        new AllocationFailure(entry.sinceBoot(), matcher.group(1), Integer.parseInt(matcher.group(2))));
        }
        return List.copyOf(failures);
    }
}
