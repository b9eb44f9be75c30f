// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import dev.ullage.host.gpu.NvmlText;
import dev.ullage.host.kernel.KernelCalls;
import java.nio.file.Path;
import java.util.Arrays;

/// What asking the library costs, as `bench/gpu` prints it: not a test, run by hand.
final class NvmlBench {
    private static final int SAMPLES = 400;

    private NvmlBench() {}

    public static void main(String[] arguments) {
        // In a diagnosis the mounts have been asked for their space by then, and with that a call of this shape is
        // paid.
        KernelCalls.statfs("/");
        Nvml nvml = FakeNvml.patient(Path.of(arguments[0]));
        long begun = System.nanoTime();
        nvml.open();
        long opened = System.nanoTime();
        nvml.ask().orThrow();
        long first = System.nanoTime();
        long[] later = new long[SAMPLES];
        long[] parsed = new long[SAMPLES];
        for (int i = 0; i < SAMPLES; i++) {
            long from = System.nanoTime();
            String text = nvml.ask().orThrow();
            later[i] = System.nanoTime() - from;
            NvmlText.parse(text).orThrow();
            parsed[i] = System.nanoTime() - from - later[i];
        }
        Arrays.sort(later);
        Arrays.sort(parsed);
        System.out.printf(
                "%.1f %.1f %.2f %.2f%n",
                (opened - begun) / 1e6, (first - opened) / 1e6, later[SAMPLES / 2] / 1e6, parsed[SAMPLES / 2] / 1e6);
    }
}
