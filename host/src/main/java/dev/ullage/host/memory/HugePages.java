// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;

/// `/sys/kernel/mm/hugepages`: RAM set aside for huge pages, one pool a size. Source:
/// Documentation/admin-guide/mm/hugetlbpage.rst.
///
/// ```
/// /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages      1024
/// /sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages    1024
/// /sys/kernel/mm/hugepages/hugepages-2048kB/resv_hugepages    0
/// ```
/// Mistake people make: looking at `HugePages_Total` of /proc/meminfo only. It counts pages of the default size; a pool
/// of 1 GiB pages shows in `Hugetlb:` alone. And MemAvailable does not tell that the pool is why so little is left:
/// no page cache and no process can have what lies in it.
public record HugePages(List<Pool> pools) {
    /// The pages of one size.
    ///
    /// @param free nobody uses them now
    /// @param reserved of the free ones, promised to a mapping that has not touched them yet
    public record Pool(Bytes pageSize, long total, long free, long reserved) {
        public Bytes setAside() {
            return size(total);
        }

        /// What nobody uses nor has been promised: RAM that is lost to everybody.
        public Bytes idle() {
            return size(Math.max(0, free - reserved));
        }

        private Bytes size(long pages) {
            return new Bytes(pageSize.bytes()).times(Math.max(0, pages));
        }

        /// Where its size is set.
        public String folder() {
            return "/sys/kernel/mm/hugepages/hugepages-" + pageSize.bytes() / 1024 + "kB";
        }
    }

    private static final String FOLDER = "/sys/kernel/mm/hugepages";

    public static final Fact<Host, HugePages> FACT =
            new Fact<>("huge pages set aside", FOLDER, Cadence.END, "", (root, _) -> read(root));

    private static Reading<HugePages> read(HostRoot root) {
        return root.names(FOLDER)
                .<HugePages>map(names -> {
                    List<Pool> pools = new ArrayList<>();
                    for (String name : names) {
                        if (!name.startsWith("hugepages-") || !name.endsWith("kB")) continue;
                        long kib = KeyValues.number(name.substring("hugepages-".length(), name.length() - 2))
                                .orElse(0);
                        String folder = FOLDER + "/" + name + "/";
                        long total = number(root, folder + "nr_hugepages");
                        if (kib <= 0 || total <= 0) continue;
                        long free = Math.min(total, number(root, folder + "free_hugepages"));
                        pools.add(new Pool(Bytes.ofKiB(kib), total, free, number(root, folder + "resv_hugepages")));
                    }
                    return new HugePages(List.copyOf(pools));
                })
                .orIfThereIsNone(new HugePages(List.of()));
    }

    private static long number(HostRoot root, String path) {
        return Math.max(0, KeyValues.number(root.text(path).orElse("").strip()).orElse(0));
    }

    public Bytes setAside() {
        return Bytes.sum(pools.stream().map(Pool::setAside).toList());
    }

    public Bytes idle() {
        return Bytes.sum(pools.stream().map(Pool::idle).toList());
    }
}
