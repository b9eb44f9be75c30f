// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading.Absent;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PageCacheTest {
    @Test
    void cachestat_tells_what_was_evicted_and_mincore_does_not() {
        PageCache cachestat = PageCache.parse(
                        "cached=256 dirty=1 writeback=2 evicted=30 recently_evicted=4 by=cachestat")
                .orThrow();
        assertEquals(new PageCache(Bytes.ofMiB(1), OptionalLong.of(30), OptionalLong.of(4), "cachestat"), cachestat);
        PageCache mincore = PageCache.parse("cached=256 by=mincore").orThrow();
        assertEquals(new PageCache(Bytes.ofMiB(1), OptionalLong.empty(), OptionalLong.empty(), "mincore"), mincore);
    }

    @Test
    void a_file_of_which_nothing_is_in_memory_is_no_absence() {
        assertEquals(
                Bytes.NONE, PageCache.parse("cached=0 by=mincore").orThrow().resident());
    }

    @Test
    void answers_of_no_sense_are_malformed_and_absurd_ones_do_not_wrap_around() {
        for (String text : List.of("", "cached", "cached=many", "evicted=3"))
            assertEquals(AbsentCause.MALFORMED, ((Absent<?>) PageCache.parse(text)).cause(), text);
        assertTrue(PageCache.parse("cached=18446744073709551615")
                .orThrow()
                .resident()
                .isMoreThan(Bytes.NONE));
    }

    @Test
    void it_is_asked_by_the_path_by_which_we_can_open_the_file() {
        ModelFile file = new ModelFile(
                "/models/a.gguf", "/proc/812/root/models/a.gguf", "254:0", 7, Bytes.ofMiB(64), ModelFormat.GGUF, false);
        assertEquals(
                Bytes.ofPages(2),
                PageCache.FACT
                        .read(
                                Recorded.host(
                                        "recorded/cachestat",
                                        "/models/a.gguf\tcached=1\n/proc/812/root/models/a.gguf\tcached=2\n"),
                                file)
                        .orThrow()
                        .resident());
    }
}
