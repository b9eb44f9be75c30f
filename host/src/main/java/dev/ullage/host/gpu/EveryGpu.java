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

    /// @param presence which are there, where that could be seen
    /// @param nvidia what its library or its program told
    static Reading<Gpus> of(HostRoot root, Reading<GpuPresence> presence, Reading<List<Gpu>> nvidia) {
        List<Gpu> all = new ArrayList<>();
        for (Gpu gpu : nvidia.orElse(List.of()))
            all.add(SHARES_MEMORY.matcher(gpu.name()).find() ? gpu.sharingMemory() : gpu);
        if (all.isEmpty() && GpuPresence.isJetson(root)) all.add(jetson(root));
        boolean hasCards =
                presence.map(there -> there.amd() + there.intel() > 0).orElse(true);
        if (hasCards) for (Gpu gpu : DrmGpus.read(root).orElse(List.of())) all.add(gpu.at(all.size()));
        // Nobody told of a GPU: that is the truth only where none is. A driver that hangs or fails is news even there.
        boolean isStuck = nvidia instanceof Absent<List<Gpu>> stuck && !meansNone(stuck.cause());
        boolean hasNone = presence.map(there -> there.count() == 0).orElse(false) && !isStuck;
        if (!all.isEmpty() || hasNone) return Reading.of(new Gpus(List.copyOf(all)));
        return nvidia instanceof Absent<List<Gpu>> silent
                ? silent.as()
                : Reading.absent(
                        "libnvidia-ml.so.1",
                        AbsentCause.NOT_PRESENT,
                        "it lists none of " + presence.map(GpuPresence::shown).orElse("the GPUs")
                                + ": lost, or given to others");
    }

    /// Where no compute driver of AMD's is, which one look tells, only NVIDIA's are asked.
    static Reading<Gpus> course(HostRoot root, Reading<List<Gpu>> nvidia) {
        if (!root.names(Kfd.PROCESSES).isPresent()) return nvidia.map(Gpus::new);
        List<Gpu> all = new ArrayList<>(nvidia.orElse(List.of()));
        for (Gpu gpu : DrmGpus.memory(root).orElse(List.of())) all.add(gpu.at(all.size()));
        return all.isEmpty() ? nvidia.map(Gpus::new) : Reading.of(new Gpus(List.copyOf(all)));
    }

    private static boolean meansNone(AbsentCause cause) {
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
