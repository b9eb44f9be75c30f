// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.diagnosis.rules.CalmHost;
import dev.ullage.diagnosis.view.MemoryPart.Kind;
import dev.ullage.measure.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class WhereVramWentTest {
    private static WhereVramWent of(String memory, String... processes) {
        return WhereVramWent.in(CalmHost.named("gpu")
                        .with(
                                "recorded/nvml",
                                "gpu 0 X\npci 0000:3b:00.0\nmemory " + memory + "\nprocesses\n"
                                        + String.join("\n", processes) + "\n")
                        .evidence())
                .getFirst();
    }

    private static Bytes part(WhereVramWent went, String name) {
        return Bytes.sum(went.parts().stream()
                .filter(p -> p.name().contains(name))
                .map(MemoryPart::bytes)
                .toList());
    }

    private static void isWhole(WhereVramWent went) {
        assertEquals(
                went.total(),
                Bytes.sum(went.parts().stream().map(MemoryPart::bytes).toList()),
                went::toString);
        List<Kind> kinds = went.parts().stream().map(MemoryPart::kind).toList();
        assertEquals(kinds.stream().sorted().toList(), kinds);
        assertTrue(went.parts().stream().allMatch(p -> p.bytes().bytes() > 0), went::toString);
    }

    @Test
    void servers_others_driver_and_what_is_free_are_all_of_it() {
        WhereVramWent went = of(
                "total=80000000000 used=60000000000 free=19000000000 reserved=1000000000",
                "process pid=812 kind=compute memory=50000000000",
                "process pid=7777 kind=compute memory=5000000000");
        isWhole(went);
        assertEquals(new Bytes(50_000_000_000L), part(went, "llama-server (pid 812)"));
        assertEquals(new Bytes(5_000_000_000L), part(went, "pid 7777, which has ended"));
        assertEquals(new Bytes(1_000_000_000L), part(went, "reserved"));
        assertEquals(new Bytes(5_000_000_000L), part(went, "no living process"));
        assertEquals(new Bytes(19_000_000_000L), part(went, "free"));
    }

    @Test
    void processes_that_say_more_than_is_in_use_do_not_make_the_card_larger() {
        WhereVramWent went = of(
                "total=80000000000 used=60000000000 free=20000000000",
                "process pid=812 kind=compute memory=90000000000");
        isWhole(went);
        assertEquals(new Bytes(60_000_000_000L), part(went, "llama-server"));
    }

    @Test
    void a_process_of_which_the_driver_does_not_say_how_much_is_named_all_the_same() {
        WhereVramWent went = of("total=80000000000 used=60000000000 free=20000000000", "process pid=812 kind=compute");
        isWhole(went);
        assertEquals(
                new Bytes(60_000_000_000L),
                part(went, "in use by llama-server (pid 812), the driver does not say how much"));
    }

    @Test
    void numbers_that_contradict_each_other_still_make_one_card() {
        isWhole(of(
                "total=100 used=9223372036854775807 free=5 reserved=9223372036854775807", "process pid=812 memory=7"));
        isWhole(of("total=100 used=-5 free=5 reserved=-7"));
    }

    @Test
    void a_hundred_processes_are_a_few_names_and_the_rest() {
        String[] many = new String[100];
        for (int i = 0; i < many.length; i++) many[i] = "process pid=" + (5000 + i) + " memory=" + (1_000_000 + i);
        WhereVramWent went = of("total=80000000000 used=1000000000 free=79000000000", many);
        isWhole(went);
        assertTrue(went.parts().size() < 14, went::toString);
        assertTrue(part(went, "other processes").bytes() > 90_000_000, went::toString);
    }
}
