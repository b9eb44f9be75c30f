// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.measure.Seconds;
import java.util.Optional;

/// A line in which the kernel says that storage failed or does not answer. [IoErrors] finds them.
///
/// @param text the line, for the report
public record IoError(Optional<Seconds> sinceBoot, Trouble trouble, String text) {

    /// What failed.
    public sealed interface Trouble {
        /// A read or write that a block device refused, or did not answer in time.
        ///
        /// @param device as the kernel names it: `nvme0n1`, `sda`, `loop0`; a swap area is `254:0`
        /// @param isMedium whether the device says its own medium is bad: it will be bad again
        record OfDevice(String device, boolean isMedium) implements Trouble {}

        /// A file system found itself damaged, or was made read-only.
        record OfFileSystem(String type, String device) implements Trouble {}

        /// A file server does not answer.
        ///
        /// @param answersAgain whether it did later in this log
        record OfServer(String server, boolean answersAgain) implements Trouble {}

        /// A task waited uninterruptibly for longer than `kernel.hung_task_timeout_secs`, mostly for storage.
        record OfStuckTask(int pid, String name, Seconds blocked) implements Trouble {}
    }
}
