// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenTest {
    @Test
    void colours_links_and_cursor_codes_go() {
        assertEquals(
                List.of("CUDA out of memory"),
                Reading.of("\u001b[1;31mCUDA\u001b[0m out \u001b[Kof memory\u001b[0;0m")
                        .texts());
        assertEquals(
                List.of("a link here"),
                Reading.of("a \u001b]8;;http://x\u001b\\link\u001b]8;;\u0007 here")
                        .texts());
        assertEquals(List.of("abd"), Reading.of("abc\bd").texts());
        assertEquals(List.of("text"), Reading.of("\u001b(Btex\u001b=t\u001b").texts());
    }

    @Test
    void colours_that_lost_their_escape_go_where_a_colour_ends() {
        assertEquals(
                List.of("VllmWorker rank=4 pid=555"),
                Reading.of("[1;36m(VllmWorker rank=4 pid=555)[0;0m INFO x").workers());
        assertEquals(List.of("rate(x[30m]) > 1"), Reading.of("rate(x[30m]) > 1").texts());
    }

    @Test
    void of_a_progress_bar_the_last_state_is_kept_and_what_else_was_said() {
        Reading it = Reading.of("shards:  25%|██▌   | 1/4 [00:01, 1.2s/it]\rshards:  50%|█████ | 2/4 [00:02, 2.1it/s]\r"
                + "shards:  75%|███████▌ | 3/4 [..]Killed\r\n"
                + "Downloading: 1%\rDownloading: 2%\rretrying after an error\rDownloading: 3%\n"
                + "Loading: 100%\r\u001b[K\n");
        assertEquals(
                List.of(
                        "shards:  50%|█████ | 2/4 [00:02, 2.1it/s]",
                        "shards:  75%|███████▌ | 3/4 [..]Killed",
                        "Downloading: 2%",
                        "retrying after an error",
                        "Downloading: 3%",
                        "Loading: 100%"),
                it.texts(),
                "a state that says more than the one before does not hide it");
        assertEquals(List.of(1L, 1L, 2L, 2L, 2L, 3L), it.numbers());
    }

    @Test
    void numbers_stay_as_they_were_written() {
        String line = "failed to allocate 1900,00 MiB of pinned memory: nicht genügend Speicher (os error 1455)";
        assertEquals(List.of(line), Reading.of(line).texts());
    }
}
