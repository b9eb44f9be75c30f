// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.ullage.host.gpu.NvmlText;
import dev.ullage.measure.AbsentCause;
import java.util.ArrayList;
import java.util.List;

/// Asks one GPU everything, a line of the transcript a thing. What decides comes first: should the driver get stuck
/// half
/// way, memory and who has it are known.
final class NvmlGpu {
    /// nvml.h `nvmlClockType_t`.
    private static final int CLOCK_SM = 1;

    private static final int CLOCK_MEMORY = 2;

    /// nvml.h `nvmlPcieUtilCounter_t`, and its unit.
    private static final int SENT = 0;

    private static final int RECEIVED = 1;
    private static final long KB = 1024;

    /// nvml.h NVML_NVLINK_MAX_LINKS.
    private static final int MOST_LINKS = 18;

    /// More than any GPU is divided into.
    private static final long MOST_INSTANCES = 64;

    private static final String[] COMPUTE_MODES = {"default", "exclusive-thread", "prohibited", "exclusive-process"};
    private static final String[] ADDRESSING = {"none", "hmm", "ats"};

    private final NvmlHandle gpu;
    private final NvmlTranscript transcript;

    NvmlGpu(NvmlHandle gpu, NvmlTranscript transcript) {
        this.gpu = gpu;
        this.transcript = transcript;
    }

    void tell() {
        String name = gpu.askText(NvmlFunction.NAME) ? gpu.text() : "";
        boolean isLost = NvmlReturn.cause(gpu.returned()) == AbsentCause.VANISHED;
        String why = gpu.why();
        transcript.gpu(name);
        if (isLost) {
            transcript.absent("everything", AbsentCause.VANISHED, why);
        } else {
            tellWho();
            tellMemory(name);
            tellProcesses();
            tellLoad();
            tellHealth();
            tellSetup();
            tellLinks();
        }
        transcript.gpuDone();
    }

    /// What changes from instant to instant and costs little: no link, which is measured for 40 ms.
    void tellMemoryAlone() {
        transcript.gpu("");
        String memory = NvmlMemory.of(gpu);
        if (!memory.isEmpty()) transcript.line("memory " + memory);
        tellProcesses();
        transcript.gpuDone();
    }

    private void tellWho() {
        if (gpu.askText(NvmlFunction.UUID)) transcript.line("uuid " + gpu.text());
        if (gpu.askInto(NvmlFunction.PCI)) {
            int domain = field("domain");
            int bus = field("bus");
            transcript.line("pci " + String.format("%04x:%02x:%02x.0", domain, bus, field("device")));
        }
    }

    private int field(String name) {
        return gpu.out().get(JAVA_INT, NvmlLayout.offset(NvmlLayout.PCI, name));
    }

    private void tellMemory(String name) {
        String memory = NvmlMemory.of(gpu);
        boolean isUnified = memory.isEmpty() && gpu.returned() == NvmlReturn.NOT_SUPPORTED.code();
        if (isUnified || NvmlText.isUnified(name)) transcript.line("unified");
        if (!memory.isEmpty()) transcript.line("memory " + memory);
        else if (gpu.returned() == NvmlReturn.SUCCESS)
            transcript.absent("memory", AbsentCause.NOT_CONFIGURED, "the driver does not say how much there is");
        else absent("memory");
        if (gpu.askInto(NvmlFunction.BAR1))
            transcript.line("bar1 total=" + gpu.wide(NvmlLayout.BAR1, "bar1Total") + " used="
                    + gpu.wide(NvmlLayout.BAR1, "bar1Used"));
        else absent("bar1");
    }

    private void tellProcesses() {
        NvmlProcesses processes = new NvmlProcesses();
        if (gpu.askNumbers(NvmlFunction.MIG_MODE, 2)) {
            boolean isDivided = gpu.number(0) == 1;
            transcript.line("mig current=" + gpu.number(0) + " pending=" + gpu.number(1));
            if (isDivided) tellInstances(processes);
        } else absent("mig");
        processes.ask(gpu, -1);
        if (!processes.wasAnswered()) {
            absent("processes");
            return;
        }
        for (String line : processes.lines(NvmlProcessLoads.of(gpu))) transcript.line(line);
        transcript.line("processes");
    }

    private void tellInstances(NvmlProcesses processes) {
        long most = gpu.askInto(NvmlFunction.MAX_MIG_DEVICES) ? Math.min(gpu.number(0), MOST_INSTANCES) : 0;
        List<NvmlHandle> instances = new ArrayList<>();
        for (int i = 0; i < most; i++)
            if (gpu.askInto(NvmlFunction.MIG_HANDLE, i)) instances.add(gpu.sibling(gpu.wide()));
        for (NvmlHandle instance : instances) {
            long number = instance.askInto(NvmlFunction.GPU_INSTANCE) ? instance.number(0) : processes.instances();
            String uuid = instance.askText(NvmlFunction.UUID) ? instance.text() : "-";
            transcript.line(("instance " + number + " " + uuid + " " + NvmlMemory.of(instance)).strip());
            processes.instance(number);
        }
        for (int i = 0; i < instances.size(); i++) processes.ask(instances.get(i), i);
    }

    private void tellLoad() {
        if (gpu.askInto(NvmlFunction.LOAD))
            transcript.line("load compute=" + gpu.number(0) + " memory=" + gpu.number(1));
        else absent("load");
        long milliwatts = gpu.askInto(NvmlFunction.POWER) ? gpu.number(0) : -1;
        if (milliwatts < 0) absent("power");
        else {
            boolean isLimited = gpu.askInto(NvmlFunction.POWER_LIMIT);
            transcript.line("power milliwatts=" + milliwatts + (isLimited ? " limit=" + gpu.number(0) : ""));
        }
    }

    private void tellHealth() {
        tellEcc();
        tellRepairs();
        if (gpu.askInto(NvmlFunction.THROTTLING)) {
            long reasons = gpu.wide();
            transcript.line("throttling reasons=" + reasons + clocks(CLOCK_SM, ""));
        } else absent("throttling");
        String memoryClocks = clocks(CLOCK_MEMORY, "memory-");
        if (!memoryClocks.isEmpty()) transcript.line("clocks" + clocks(CLOCK_SM, "") + memoryClocks);
        else absent("clocks");
        if (gpu.has(NvmlFunction.TEMPERATURE_V)
                && gpu.askVersioned(NvmlFunction.TEMPERATURE_V, NvmlLayout.TEMPERATURE, 1))
            transcript.line("celsius " + (int) gpu.number(2));
        else if (gpu.askInto(NvmlFunction.TEMPERATURE, 0)) transcript.line("celsius " + gpu.number(0));
        else absent("celsius");
    }

    /// ` clock=1980 max-clock=1980`, with what of it is told.
    private String clocks(int of, String prefix) {
        String text = gpu.askInto(NvmlFunction.CLOCK, of) ? " " + prefix + "clock=" + gpu.number(0) : "";
        return gpu.askInto(NvmlFunction.MAX_CLOCK, of) ? text + " max-" + prefix + "clock=" + gpu.number(0) : text;
    }

    private void tellEcc() {
        if (!gpu.askNumbers(NvmlFunction.ECC_MODE, 2)) {
            absent("ecc");
            return;
        }
        boolean isOn = gpu.number(0) == 1;
        transcript.line("ecc-mode current=" + gpu.number(0) + " pending=" + gpu.number(1));
        if (!isOn) {
            transcript.absent("ecc", AbsentCause.NOT_CONFIGURED, "ECC is switched off");
            return;
        }
        StringBuilder line = new StringBuilder("ecc");
        for (int counter = 0; counter < 2; counter++)
            for (int type = 0; type < 2; type++) {
                if (!gpu.askInto(NvmlFunction.ECC_ERRORS, type, counter)) {
                    absent("ecc");
                    return;
                }
                line.append(type == 0 ? " corrected-" : " uncorrected-")
                        .append(counter == 0 ? "volatile=" : "aggregate=")
                        .append(gpu.wide());
            }
        transcript.line(line.toString());
    }

    /// Cards until Turing retire pages, later ones remap rows; none does both.
    private void tellRepairs() {
        if (gpu.askNumbers(NvmlFunction.REMAPPED_ROWS, 4)) {
            long rows = gpu.number(0) + gpu.number(1);
            transcript.line(
                    "repairs retired=0 remapped=" + rows + " pending=" + gpu.number(2) + " failed=" + gpu.number(3));
            return;
        }
        long retired = 0;
        for (int cause = 0; cause < 2; cause++) {
            // A list of no length: only how many there are comes back.
            gpu.out().fill((byte) 0);
            boolean isNone =
                    gpu.ask(NvmlFunction.RETIRED_PAGES, cause, gpu.out().address(), 0);
            if (!isNone && gpu.returned() != NvmlReturn.INSUFFICIENT_SIZE.code()) {
                absent("repairs");
                return;
            }
            retired += gpu.number(0);
        }
        long pending = gpu.askInto(NvmlFunction.RETIRED_PENDING) ? gpu.number(0) : 0;
        transcript.line("repairs retired=" + retired + " remapped=0 pending=" + pending + " failed=0");
    }

    private void tellSetup() {
        if (gpu.askInto(NvmlFunction.PERSISTENCE)) transcript.line("persistence " + gpu.number(0));
        else absent("persistence");
        if (gpu.askInto(NvmlFunction.COMPUTE_MODE))
            transcript.line("compute-mode " + word(COMPUTE_MODES, gpu.number(0)));
        else absent("compute-mode");
        if (gpu.askVersioned(NvmlFunction.ADDRESSING, NvmlLayout.ADDRESSING, 1))
            transcript.line("addressing " + word(ADDRESSING, gpu.number(1)));
        else absent("addressing");
    }

    private static String word(String[] words, long index) {
        return index < words.length ? words[(int) index] : "number-" + index;
    }

    private void tellLinks() {
        int links = 0;
        int up = 0;
        for (int i = 0; i < MOST_LINKS && gpu.askInto(NvmlFunction.NVLINK_STATE, i); i++, links++)
            if (gpu.number(0) == 1) up++;
        if (links > 0) transcript.line("nvlink links=" + links + " up=" + up);
        else absent("nvlink");

        StringBuilder line = new StringBuilder("pcie");
        NvmlFunction[] functions = {
            NvmlFunction.LINK_GENERATION,
            NvmlFunction.LINK_WIDTH,
            NvmlFunction.MAX_LINK_GENERATION,
            NvmlFunction.MAX_LINK_WIDTH
        };
        String[] words = {" generation=", " width=", " max-generation=", " max-width="};
        for (int i = 0; i < functions.length; i++) {
            if (!gpu.askInto(functions[i])) {
                absent("pcie");
                return;
            }
            line.append(words[i]).append(gpu.number(0));
        }
        if (gpu.askInto(NvmlFunction.THROUGHPUT, RECEIVED))
            line.append(" received=").append(gpu.number(0) * KB);
        if (gpu.askInto(NvmlFunction.THROUGHPUT, SENT)) line.append(" sent=").append(gpu.number(0) * KB);
        transcript.line(line.toString());
    }

    private void absent(String word) {
        transcript.absent(word, gpu.cause(), gpu.why());
    }
}
