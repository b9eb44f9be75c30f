// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.Diagnostician;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.rules.CalmHost;
import dev.ullage.diagnosis.rules.ExampleHosts;
import dev.ullage.diagnosis.rules.Rules;
import dev.ullage.diagnosis.view.LongWindow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// What the page holds; how it looks and behaves is looked at in a browser (`app/src/test/browser/run`).
class HtmlReportTest {
    private static String page(Diagnosis diagnosis) {
        return HtmlReport.of(diagnosis, "1.2.3");
    }

    /// What follows the styles and precedes the data: all that comes from the host, but for the title.
    private static String body(String page) {
        return page.substring(page.indexOf("<body>"), page.indexOf("<script type=application/json"));
    }

    @TestFactory
    Stream<DynamicTest> everything_of_every_example_host_is_in_it() throws IOException {
        return ExampleHosts.examples().stream()
                .map(example -> dynamicTest(example.toString(), () -> isWhole(CalmHost.diagnosisOf(example.files()))));
    }

    private static void isWhole(Diagnosis diagnosis) {
        String page = page(diagnosis);
        String title = diagnosis.status().word() + ": " + diagnosis.headline() + " — " + diagnosis.subjectName();
        assertTrue(page.contains("<title>" + Html.escaped(title) + "</title>"), title);
        String text = body(page).replaceAll("<[^>]*>", "\n").replace('\u00a0', ' ');
        for (Finding finding : diagnosis.findings()) {
            assertTrue(page.contains(Html.escaped(finding.rule().name())), finding.rule()::name);
            finding.saw().forEach(saw -> assertTrue(text.contains(Html.escaped(saw.text())), saw::toString));
        }
        for (Finding finding : diagnosis.ranked().causes())
            for (Remedy remedy : finding.remedies()) {
                assertTrue(page.contains("<code>" + Html.escaped(remedy.command()) + "</code>")
                        || remedy.command().isEmpty());
                assertTrue(text.contains(Html.escaped(remedy.verify())), remedy::verify);
            }
        for (Diagnosis.RuledOut ruledOut : diagnosis.ruledOut())
            assertTrue(text.contains(Html.escaped(ruledOut.because())), ruledOut::because);
        for (Diagnosis.CouldNotSee unseen : diagnosis.couldNotSee())
            assertTrue(text.contains(Html.escaped(unseen.what())), unseen::what);
        assertTrue(page.getBytes(StandardCharsets.UTF_8).length <= 250_000, "it is too large");
        assertFalse(text.contains("NaN") || text.contains("Infinity"), text);
    }

    @Test
    void it_asks_the_network_for_nothing_and_its_policy_says_so() {
        String page = page(new CalmHost().diagnosis());
        assertTrue(page.contains("default-src 'none'"));
        assertFalse(page.contains("unsafe-inline"));
        assertFalse(Pattern.compile("(?i)<(link|img|iframe|object|embed|base)\\b| (src|href|style|on[a-z]+)=")
                .matcher(body(page))
                .find());
        assertFalse(page.contains("@import") || page.contains("url(http"));
    }

    @Test
    void its_policy_lets_in_what_it_holds_to_the_byte() throws NoSuchAlgorithmException {
        String page = page(new CalmHost().diagnosis());
        for (String element : List.of("style", "script")) {
            Matcher inline = Pattern.compile("(?s)<" + element + ">(.*?)</" + element + ">")
                    .matcher(page);
            assertTrue(inline.find(), element);
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(inline.group(1).getBytes(StandardCharsets.UTF_8));
            assertTrue(
                    page.contains(
                            element + "-src 'sha256-" + Base64.getEncoder().encodeToString(hash) + "'"),
                    element);
        }
    }

    @Test
    void the_licence_of_the_library_goes_with_it() {
        String page = page(new CalmHost().diagnosis());
        assertTrue(page.contains("MIT License") && page.contains("Leon Sorokin"));
    }

    @Test
    void names_of_a_host_are_text_everywhere() {
        String evil = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>\u202e\u001b[31m-->";
        Diagnosis diagnosis = new Diagnostician(Rules.ALL)
                .diagnose(
                        new CalmHost()
                                .with(
                                        "proc/812/cmdline",
                                        "llama-server" + evil.replace('/', '_')
                                                + "\0-m\0/models/qwen3-8b-q4_k_m.gguf\0")
                                .evidence(),
                        "capture",
                        evil);
        String page = page(diagnosis);
        assertEquals(2, page.split("<script").length - 1, "the data and the script");
        assertFalse(page.contains("<img") || page.contains("\u202e") || page.contains("\u001b"));
        assertTrue(body(page).contains("&lt;img src=x onerror=alert(1)&gt;\\u202e\\x1b[31m--&gt;"), body(page));
    }

    @Test
    void a_disk_whose_name_ends_the_script_does_not() {
        String disk = "</script><b>";
        String page = page(new CalmHost()
                .withoutAtAnyInstant("proc/812/")
                .with("sys/block/" + disk.replace("/", "!") + "/dev", "8:0\n")
                .with("at-0.000/proc/diskstats", " 8 0 " + disk + " 1 0 1 1 0 0 0 0 0 1 2\n")
                .with("at-3.000/proc/diskstats", " 8 0 " + disk + " 9 0 999999 1 0 0 0 0 0 1 2\n")
                .diagnosis());
        assertEquals(2, page.split("</script>", -1).length - 1);
        assertTrue(page.contains("&lt;/script&gt;&lt;b&gt; throughput"));
    }

    @Test
    void the_picture_of_a_limit_is_there_when_a_server_has_one() {
        assertTrue(page(new CalmHost().diagnosis()).contains("<h3>What <code>/system.slice/llama.service</code>"));
    }

    @Test
    void one_instant_has_a_picture_and_says_why_it_has_no_lines() {
        String page = page(new CalmHost().atOneInstant().diagnosis());
        assertTrue(page.contains("<svg class=bar"));
        assertTrue(page.contains("one instant was looked at"));
        assertFalse(page.contains("class=plot"));
    }

    @Test
    void what_did_not_happen_is_a_sentence_and_no_empty_diagram() {
        String page = page(new CalmHost().diagnosis());
        assertTrue(page.contains("nothing was swapped in or out"));
        assertTrue(page.contains("no task waited for memory, IO or a CPU"));
        assertEquals(1, page.split("class=plot ").length - 1, "memory");
        assertTrue(page(new CalmHost().without("proc/pressure/").diagnosis()).contains("pressure: not seen"));
    }

    @Test
    void a_long_window_has_all_its_points_and_a_table_that_can_be_read() {
        Diagnosis diagnosis = new Diagnostician(Rules.ALL).diagnose(LongWindow.ofSeconds(1200), "live", "long");
        String page = page(diagnosis);
        Matcher x = Pattern.compile("\"x\":\\[([^]]*)]").matcher(data(page));
        assertTrue(x.find());
        assertEquals(1201, x.group(1).split(",").length);
        String table = page.substring(page.indexOf("as a table, 1 row in 21"));
        table = table.substring(0, table.indexOf("</table>"));
        assertTrue(table.split("<tr>").length <= 62, table);
        assertTrue(table.contains("20 min"), "the end of the window is in it");
        assertTrue(page.length() < 300_000, "bytes: " + page.length());
    }

    private static String data(String page) {
        String mark = "id=courses>";
        int begin = page.indexOf(mark) + mark.length();
        return page.substring(begin, page.indexOf("</script>", begin));
    }

    @Test
    void in_steps_the_first_interval_begins_at_the_first_instant() {
        String page = page(new Diagnostician(Rules.ALL).diagnose(LongWindow.ofSeconds(3), "live", "x"));
        assertTrue(data(page).contains("\"unit\":\"ratio\",\"steps\":true,\"x\":[0,1,2,3]"), data(page));
        assertTrue(
                data(page).contains("\"name\":\"io some\",\"colour\":1,\"dashed\":false,\"y\":[0.25,0.25,0.25,0.25]"));
    }
}
