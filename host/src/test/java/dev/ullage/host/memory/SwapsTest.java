// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.memory.Swaps.Kind;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class SwapsTest {
    private static final String HEADER = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n";

    @Test
    void columns_are_read_with_the_blanks_of_old_and_new_kernels() {
        // Linux 3.10 pads with spaces to column 40, since 5.x there is a tab more where the path is short.
        String old = "Filename\t\t\t\tType\t\tSize\tUsed\tPriority\n"
                + "/dev/dm-1                               partition\t8257532\t5632\t-1\n";
        String now = HEADER + "/dev/dm-1                               partition\t8257532\t\t5632\t\t-1\n";
        assertEquals(Swaps.parse(old), Swaps.parse(now));
        Swaps.Swap area = Swaps.parse(now).orThrow().areas().getFirst();
        assertEquals(new Swaps.Swap("/dev/dm-1", Kind.PARTITION, Bytes.ofKiB(8_257_532), Bytes.ofKiB(5632), -1), area);
    }

    @Test
    void no_swap_was_looked_at_and_is_none() {
        assertEquals(List.of(), Swaps.parse(HEADER).orThrow().areas());
    }

    @Test
    void a_file_that_is_no_list_of_swaps_does_not_say_that_there_is_no_swap() {
        for (String text : List.of("", "\0\1\2", "half a li", "/swap.img file 1 1 1\n"))
            assertEquals(AbsentCause.MALFORMED, causeOf(Swaps.parse(text)), text);
    }

    @Test
    void only_a_zram_device_is_compressed_ram() {
        List<Kind> kinds = Swaps.parse(HEADER
                        + "/dev/zram0                              partition\t4194300\t\t0\t\t100\n"
                        + "/mnt/zram-backup/swap.img               file\t\t4194300\t\t0\t\t-2\n")
                .orThrow()
                .areas()
                .stream()
                .map(Swaps.Swap::kind)
                .toList();
        assertEquals(List.of(Kind.ZRAM, Kind.FILE), kinds);
    }

    @Test
    void a_path_is_shown_as_it_is_on_disk() {
        assertEquals(
                "/mnt/my disk/swap",
                Swaps.parse(HEADER + "/mnt/my\\040disk/swap                   file\t\t1024\t\t0\t\t-2\n")
                        .orThrow()
                        .areas()
                        .getFirst()
                        .path());
    }

    @Test
    void a_broken_line_hides_no_other_area() {
        List<Swaps.Swap> areas = Swaps.parse(HEADER
                        + "/dev/sda2 partition many none -2\n/dev/sdb2 partition\n"
                        + "/dev/sdc2 partition 99999999999999999999 12 -3\n")
                .orThrow()
                .areas();
        assertEquals(List.of("/dev/sdc2"), areas.stream().map(Swaps.Swap::path).toList());
        assertTrue(areas.getFirst().size().isMoreThan(areas.getFirst().used()));
    }
}
