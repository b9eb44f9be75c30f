// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.host.HostRoot;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Puts together what the vendors' drivers tell: NVIDIA's GPUs first, then the kernel's.
final class EveryGpu {
    /// NVIDIA's chips without memory of their own, by the names the driver has for them: `NVIDIA GB10`, `Orin (nvgpu)`.
    /// GH200 and GB200 have memory of their own.
    private static final Pattern SHARES_MEMORY = Pattern.compile("\\b(?:GB10|Orin|Xavier|Thor|Tegra)\\b");

    private EveryGpu() {}

    /// @param presence which are there; one at least, or nobody knows
    /// @param nvidia what its library or its program told
    static Reading<Gpus> of(HostRoot root, Reading<GpuPresence> presence, Reading<List<Gpu>> nvidia) {
        List<Gpu> all = new ArrayList<>();
        for (Gpu gpu : nvidia.orElse(List.of()))
            all.add(SHARES_MEMORY.matcher(gpu.name()).find() ? gpu.sharingMemory() : gpu);
        if (all.isEmpty() && GpuPresence.isJetson(root)) all.add(jetson(root));
        for (Gpu gpu : DrmGpus.read(root).orElse(List.of())) all.add(gpu.at(all.size()));
        if (!all.isEmpty()) return Reading.of(new Gpus(List.copyOf(all)));
        if (presence instanceof Absent<GpuPresence> unseen)
            return nvidia instanceof Absent<List<Gpu>> silent && !meansNone(silent.cause()) ? silent.as() : unseen.as();
        return nvidia instanceof Absent<List<Gpu>> silent
                ? silent.as()
                : Reading.absent(
                        "libnvidia-ml.so.1",
                        AbsentCause.NOT_PRESENT,
                        "it lists none of " + presence.map(GpuPresence::shown).orElse("the GPUs")
                                + ": lost, or given to others");
    }

    static boolean meansNone(AbsentCause cause) {
        return cause == AbsentCause.NOT_PRESENT
                || cause == AbsentCause.NOT_ON_THIS_KERNEL
                || cause == AbsentCause.NOT_RECORDED;
    }

    /// The GPU of a Jetson, of which NVIDIA's library tells nothing before JetPack 6.
    private static Gpu jetson(HostRoot root) {
        String board =
                root.text(GpuPresence.BOARD).orElse("").replace('\0', ' ').strip();
        return new Gpu(
                0,
                Vendor.NVIDIA,
                board.length() > 80 ? board.substring(0, 80) : board,
                "",
                "",
                "",
                true,
                DrmCard.untold(GpuPresence.BOARD, "it has no memory of its own"),
                untold(),
                untold(),
                untold(),
                new GpuHealth(untold(), untold(), untold(), untold()),
                List.of());
    }

    private static <T> Reading<T> untold() {
        return DrmCard.untold("libnvidia-ml.so.1", "it lists no GPU on this board");
    }
}
