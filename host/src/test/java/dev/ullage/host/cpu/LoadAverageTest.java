// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cpu;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.measure.AbsentCause;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadAverageTest {
    @Test
    void three_averages_are_read() {
        // Linux 6.18; and a host with a dead NFS server on Linux 4.18
        assertEquals(
                new LoadAverage(1.43, 2.22, 2.49),
                LoadAverage.parse("1.43 2.22 2.49 6/126 8527\n").orThrow());
        assertEquals(
                new LoadAverage(1204.00, 1203.98, 1190.11),
                LoadAverage.parse("1204.00 1203.98 1190.11 1/9417 301188\n").orThrow());
    }

    @Test
    void what_is_no_load_is_malformed() {
        for (String text : List.of("", "1.43 2.22", "load: 1.43 2.22 2.49", "a b c", "NaN NaN NaN", "1e999 0 0"))
            assertEquals(AbsentCause.MALFORMED, causeOf(LoadAverage.parse(text)), text);
    }
}
