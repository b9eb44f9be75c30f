// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
import dev.ullage.host.Fact;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.OptionalLong;

/// How much of a file is in memory, from cachestat(2) (Linux ≥ 6.5), else mincore(2).
///
/// Mistake people make: asking mincore about a file that is not theirs. The kernel then says that every page is
/// resident; the live root therefore asks it for root or the owner only, and says `no-permission` otherwise.
///
/// @param resident pages of the file in the page cache
/// @param evictedPages pages of it that were cached once and of which the kernel still has a note; cachestat only
/// @param recentlyEvicted of these, the ones that would not have been evicted with a little more memory
/// @param call that told it: `cachestat` or `mincore`
public record PageCache(Bytes resident, OptionalLong evictedPages, OptionalLong recentlyEvicted, String call) {
    public static final Fact<ModelFile, PageCache> FACT = new Fact<>(
            "how much of a model is in memory", "cachestat", Cadence.ALWAYS, "run as root", (root, file) -> root.ask(
                            Call.PAGE_CACHE, file.via())
                    .flatMap(PageCache::parse));

    /// `cached=16384 dirty=0 writeback=0 evicted=512 recently_evicted=0 by=cachestat`, in pages.
    public static Reading<PageCache> parse(String text) {
        KeyValues pages = KeyValues.parsePairs(text);
        if (pages.get("cached").orElse(-1) < 0) return Reading.malformed("cachestat", text, "\"cached=<pages> …\"");
        return Reading.of(new PageCache(
                Bytes.ofPages(Math.min(pages.orZero("cached"), 1L << 50)),
                pages.get("evicted"),
                pages.get("recently_evicted"),
                text.contains("by=mincore") ? "mincore" : "cachestat"));
    }
}
