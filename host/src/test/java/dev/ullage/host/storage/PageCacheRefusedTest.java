// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageCacheRefusedTest {
    private static final ModelFile MODEL =
            new ModelFile("/m/a.gguf", "/proc/812/root/m/a.gguf", "254:0", 7, Bytes.ofGiB(1), ModelFormat.GGUF, false);

    @Test
    void who_may_not_look_is_told_so_and_not_that_everything_is_there() {
        var host = Recorded.host(
                "recorded/absent",
                "/recorded/cachestat:/proc/812/root/m/a.gguf\tno-permission\tcachestat said EPERM\n");
        assertEquals(AbsentCause.NO_PERMISSION, causeOf(PageCache.FACT.read(host, MODEL)));
    }

    @Test
    void answers_without_a_count_are_malformed_and_absurd_ones_stay_positive() {
        for (String text : List.of("", "cached=", "cached=all", "evicted=5"))
            assertEquals(AbsentCause.MALFORMED, causeOf(PageCache.parse(text)), text);
        assertTrue(PageCache.parse("cached=18446744073709551615")
                .orThrow()
                .resident()
                .isMoreThan(Bytes.NONE));
        assertEquals(AbsentCause.MALFORMED, causeOf(PageCache.parse("cached=-5 by=cachestat")));
    }
}
