// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.host.HostRoot;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;

/// The GPUs that the kernel's own drivers tell of: AMD's ([AmdGpu]) and Intel's with memory of their own ([IntelGpu]).
final class DrmGpus {
    private DrmGpus() {}

    /// In the order of their cards, counted from 0; absent when the folder of cards could not be read.
    static Reading<List<Gpu>> read(HostRoot root) {
        return DrmCard.all(root).map(cards -> {
            List<Gpu> gpus = new ArrayList<>();
            Kfd kfd = null;
            for (DrmCard card : cards) {
                if (card.isAmd(root)) {
                    if (kfd == null) kfd = Kfd.read(root);
                    gpus.add(AmdGpu.read(root, card, kfd, gpus.size()));
                } else if (card.isIntelWithMemory()) {
                    gpus.add(IntelGpu.read(root, card, gpus.size()));
                }
            }
            return List.copyOf(gpus);
        });
    }
}
