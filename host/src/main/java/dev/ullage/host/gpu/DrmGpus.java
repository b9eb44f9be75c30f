// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.host.HostRoot;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;

/// The GPUs that the kernel's own drivers tell of: AMD's ([AmdGpu]) and Intel's with memory of their own ([IntelGpu]).
final class DrmGpus {
    private DrmGpus() {}

    /// In the order of their cards, counted from 0; absent when the folder of cards could not be read.
    static Reading<List<Gpu>> read(HostRoot root) {
        return each(
                root,
                (card, kfd, index) ->
                        card.isAmd(root) ? AmdGpu.read(root, card, kfd, index) : IntelGpu.read(root, card, index));
    }

    /// The same GPUs, of which only the memory of AMD's was asked.
    static Reading<List<Gpu>> memory(HostRoot root) {
        return each(root, (card, kfd, index) -> {
            boolean isAmd = card.isAmd(root);
            return new Gpu(
                    index,
                    isAmd ? Vendor.AMD : Vendor.INTEL,
                    "",
                    "",
                    card.pciAddress(),
                    card.driver(),
                    false,
                    isAmd ? AmdGpu.memory(root, card) : unasked(),
                    isAmd ? kfd.on(card.pciAddress()) : unasked(),
                    unasked(),
                    unasked(),
                    new GpuHealth(unasked(), unasked(), unasked(), unasked()),
                    List.of());
        });
    }

    private static <T> Reading<T> unasked() {
        return Reading.absent(DrmCard.FOLDER, AbsentCause.NOT_RECORDED, "only memory is asked over the window");
    }

    private interface Reader {
        Gpu read(DrmCard card, Kfd kfd, int index);
    }

    private static Reading<List<Gpu>> each(HostRoot root, Reader reader) {
        return DrmCard.all(root).map(cards -> {
            List<Gpu> gpus = new ArrayList<>();
            Kfd kfd = null;
            for (DrmCard card : cards) {
                boolean isAmd = card.isAmd(root);
                if (!isAmd && !card.isIntelWithMemory()) continue;
                if (isAmd && kfd == null) kfd = Kfd.read(root);
                gpus.add(reader.read(card, kfd, gpus.size()));
            }
            return List.copyOf(gpus);
        });
    }
}
