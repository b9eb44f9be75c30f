// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.measure.Seconds;
import java.util.Optional;
import java.util.OptionalInt;

/// A line in which a GPU's driver reports trouble with it. [GpuFaults] finds them.
///
/// @param gpu where it is, as [dev.ullage.host.gpu.Gpu#pciAddress()] has it: `0000:3b:00.0`; empty where the line does
///     not say
/// @param xid NVIDIA's number of the error; [Xid] says what it means
/// @param pid whom the driver names; of the host's root namespace
/// @param process its name, 15 characters at most; empty where none is named
/// @param text the line, for the report
public record GpuFault(
        Optional<Seconds> sinceBoot,
        String gpu,
        Kind kind,
        OptionalInt xid,
        OptionalInt pid,
        String process,
        String text) {
    /// What it means for who uses the GPU, the worst first.
    public enum Kind {
        /// It does not answer any more: fallen off the bus, its controller halted, a reset that failed, a start that
        /// failed.
        LOST("the GPU does not answer any more"),
        /// Data in its memory was lost, and the driver cannot say that only one program is concerned.
        UNCORRECTABLE("uncorrectable memory errors"),
        /// Data was lost, the program that had it was ended, and the others go on.
        CONTAINED("memory errors that ended one program"),
        /// A program's work did not end; the driver stopped it.
        HUNG("work that hung"),
        /// The driver reset it: whatever ran there has lost its memory on it.
        RESET("resets"),
        /// The driver asks for a reset of the GPU, or a restart of the host.
        RESET_NEEDED("a reset is asked for"),
        /// A bad place of its memory could not be replaced.
        REPAIR_FAILED("a bad place in its memory that could not be replaced"),
        /// Errors of the links between GPUs.
        LINK("errors of the link between GPUs"),
        /// What a program did wrong: it read memory it does not have, ended in the middle of its work. The hardware
        /// only when different programs do it.
        APPLICATION("faults of a program"),
        /// The program asked for more memory than there is. No fault of the GPU.
        NO_MEMORY("programs that asked for more memory than there is"),
        /// A bad place was replaced, correctable errors are many: it works, and should be watched.
        WATCH("repairs"),
        /// Its maker gives several reasons.
        UNCLEAR("errors of several possible causes");

        private final String shown;

        Kind(String shown) {
            this.shown = shown;
        }

        /// In a few plain words, for a report: `uncorrectable memory errors`.
        public String shown() {
            return shown;
        }
    }
}
