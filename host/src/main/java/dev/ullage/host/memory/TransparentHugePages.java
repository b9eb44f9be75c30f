// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;

/// `/sys/kernel/mm/transparent_hugepage/enabled`: whether the kernel gives 2 MiB pages without being asked. Source:
/// Documentation/admin-guide/mm/transhuge.rst.
///
/// ```
/// always [madvise] never
/// ```
/// With `always` a process that touches one byte of a 2 MiB range gets all of it: sparse heaps (allocators with an
/// arena a thread, Python workers) hold more RAM than they use.
///
/// @param mode the word in brackets
public record TransparentHugePages(String mode) {
    public static final Fact<Host, TransparentHugePages> FACT = new Fact<>(
            "transparent huge pages",
            "/sys/kernel/mm/transparent_hugepage/enabled",
            Cadence.ONCE,
            "",
            (root, _) -> root.text("/sys/kernel/mm/transparent_hugepage/enabled")
                    .map(text -> new TransparentHugePages(chosen(text)))
                    .orIfThereIsNone(new TransparentHugePages("never")));

    private static String chosen(String text) {
        int open = text.indexOf('[');
        int close = text.indexOf(']', open);
        return open < 0 || close < 0 ? "" : text.substring(open + 1, close);
    }

    public boolean isAlways() {
        return mode.equals("always");
    }
}
