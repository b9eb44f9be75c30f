// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.diagnosis.view.MemoryPart.Kind;
import dev.ullage.host.Evidence;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.Mounts;
import dev.ullage.host.storage.Mounts.Mount;
import dev.ullage.host.storage.PageCache;
import dev.ullage.measure.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How much of each model is in memory, the parts of a split model taken together
/// (`model-00001-of-00030.safetensors`, `qwen-00001-of-00003.gguf`).
///
/// @param inPageCache models on a disk, whose pages can be given back
/// @param inTmpfs models that lie in a tmpfs: the kernel counts their pages as shared memory, and they stay
record ModelCache(List<MemoryPart> inPageCache, List<MemoryPart> inTmpfs) {
    private static final String PART_NUMBER = "-\\d{5}-of-(\\d{5})";

    static ModelCache of(Evidence evidence) {
        Mounts mounts = evidence.latest(Mounts.FACT).orElse(new Mounts(List.of()));
        Map<String, List<ModelFile>> models = new LinkedHashMap<>();
        for (ModelFile file : evidence.subjects(PageCache.FACT))
            models.computeIfAbsent(
                            file.path().matches(".*" + PART_NUMBER + ".*")
                                    ? file.path().replaceAll(PART_NUMBER, "-*-of-$1")
                                    // Two containers may each have a /models/model.gguf.
                                    : file.path() + " " + file.device() + " " + file.inode(),
                            _ -> new ArrayList<>())
                    .add(file);
        List<MemoryPart> inPageCache = new ArrayList<>();
        List<MemoryPart> inTmpfs = new ArrayList<>();
        models.values().forEach(files -> {
            ModelFile first = files.getFirst();
            boolean tmpfs = isInTmpfs(first, mounts);
            MemoryPart part = new MemoryPart(
                    tmpfs ? Kind.SHARED : Kind.MODEL_CACHE,
                    files.size() == 1
                            ? first.name()
                            : first.name().replaceAll(PART_NUMBER, "-*-of-$1") + " (" + files.size() + " files)",
                    first.path().replaceAll(PART_NUMBER, "-*-of-$1"),
                    Bytes.sum(files.stream()
                            .map(file -> evidence.lastSeen(PageCache.FACT, file)
                                    .map(PageCache::resident)
                                    .orElse(Bytes.NONE))
                            .toList()));
            (tmpfs ? inTmpfs : inPageCache).add(part);
        });
        return new ModelCache(List.copyOf(inPageCache), List.copyOf(inTmpfs));
    }

    private static boolean isInTmpfs(ModelFile file, Mounts mounts) {
        Optional<Mount> mount = mounts.ofDevice(file.device());
        return mount.map(m -> m.type().equals("tmpfs") || m.type().equals("ramfs"))
                .orElse(false);
    }
}
