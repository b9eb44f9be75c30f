// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import dev.ullage.host.kernel.HostPrograms.Ran;
import dev.ullage.host.kernel.nvml.Nvml;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.util.List;
import java.util.Optional;

/// Runs `nvidia-smi -q -x` where the library could not be loaded: the live answer to
/// [dev.ullage.host.Call#NVIDIA_SMI].
final class NvidiaSmi {
    private static final List<String> COMMAND = List.of("nvidia-smi", "-q", "-x");

    /// It wakes every GPU that sleeps, as the library does.
    private static final int PATIENCE_SECONDS = 10;

    /// 50 kB a GPU, most of it the clocks that it supports.
    private static final int LONGEST = 4 << 20;

    private NvidiaSmi() {}

    static Reading<String> tell() {
        return Nvml.hasDevice()
                ? tell(HostPrograms.run(COMMAND, PATIENCE_SECONDS, LONGEST))
                : absent(AbsentCause.NOT_PRESENT, "this host has no NVIDIA device");
    }

    /// What it prints when it fails is an answer as well: it says what is wrong with the driver.
    static Reading<String> tell(Optional<Ran> run) {
        if (run.isEmpty())
            return absent(
                    AbsentCause.NOT_PRESENT, "there is none in a folder of the system that only root can write to");
        Ran ran = run.get();
        if (ran.exit().isEmpty())
            return absent(
                    AbsentCause.TIMED_OUT, "it did not end within " + PATIENCE_SECONDS + " s: the driver is stuck");
        return ran.output().isBlank()
                ? absent(
                        AbsentCause.MALFORMED,
                        "it printed nothing and ended with status " + ran.exit().getAsInt())
                : Reading.of(ran.output());
    }

    private static Reading<String> absent(AbsentCause cause, String detail) {
        return Reading.absent(String.join(" ", COMMAND), cause, detail);
    }
}
