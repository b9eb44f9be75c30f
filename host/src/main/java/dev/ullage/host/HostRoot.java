// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import dev.ullage.measure.Reading;
import java.util.List;

/// One host at one instant, as text: the live machine, a captured folder, a recording, an example on a rule's page.
///
/// Everything Ullage knows came through these four methods, so whatever can be diagnosed live can also be captured,
/// replayed and tested, to the byte. A method never throws for what it finds on the host; it says why there is nothing.
public interface HostRoot {
    /// The whole text of a file, by the path it has on the host: `/proc/meminfo`.
    Reading<String> text(String path);

    /// The names in a directory, sorted; without `.` and `..`.
    Reading<List<String>> names(String directory);

    /// Where a symbolic link points: `/proc/812/exe` → `/usr/bin/python3.11`.
    Reading<String> link(String path);

    /// What the kernel tells only to those who call it.
    ///
    /// @param about what the call is about, usually a path; `-` for calls about nothing in particular
    Reading<String> ask(Call call, String about);

    /// Tells the root which processes to keep an eye on between this instant and the next; see
    /// [Call#THREAD_STATES]. A recorded root has nothing to watch.
    default void watch(List<Integer> pids) {}
}
