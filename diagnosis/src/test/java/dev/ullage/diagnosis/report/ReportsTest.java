// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.Status;
import dev.ullage.diagnosis.rules.CalmHost;
import dev.ullage.diagnosis.rules.ExampleHosts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportsTest {
    @Test
    void a_calm_host_gets_two_lines_of_eighty_columns() {
        String report = TerminalReport.of(new CalmHost().diagnosis(), false, 80, false);
        assertEquals("""
                healthy: llama-server (pid 812) lacks neither memory nor disk
                50.0 GiB RAM available, no GPU, disk wait 0 %; 17 ruled out in 3.0 s (-v)
                """, report);
    }

    @Test
    void a_sick_host_gets_at_most_24_lines_of_80_columns_and_commands_stay_whole() throws IOException {
        for (Map<String, String> host : ExampleHosts.all()) {
            Diagnosis diagnosis = CalmHost.diagnosisOf(host);
            String report = TerminalReport.of(diagnosis, false, 80, false);
            assertTrue(report.lines().count() <= 24, report);
            for (String line : report.lines().toList())
                assertTrue(line.length() <= 80 || line.startsWith("         ") || line.contains("/sys/"), line);
        }
    }

    @Test
    void colours_are_there_only_when_wanted() {
        Diagnosis diagnosis = new CalmHost().diagnosis();
        assertFalse(TerminalReport.of(diagnosis, false, 80, true).contains("\u001b"));
        assertTrue(TerminalReport.of(diagnosis, true, 80, false).contains("\u001b[1;32m"));
    }

    @Test
    void the_json_report_has_the_fields_of_the_schema_in_order() throws IOException {
        String json = JsonReport.of(new CalmHost().diagnosis());
        assertEquals(
                List.of("schema", "subject", "verdict", "layers", "servers", "findings", "ruledOut", "couldNotSee"),
                topFields(json));
        assertTrue(json.contains("\"schema\" : \"ullage-report/1\""), json);
        assertTrue(json.contains("\"from\" : \"2026-03-01T10:00:00Z\""), json);
    }

    @Test
    void every_json_report_can_be_read_and_holds_no_number_that_json_lacks() throws IOException {
        for (Map<String, String> host : ExampleHosts.all()) {
            String json = JsonReport.of(CalmHost.diagnosisOf(host));
            assertEquals(8, topFields(json).size());
            assertFalse(json.contains("NaN") || json.contains("Infinity"), json);
        }
    }

    @Test
    void a_sick_host_says_what_where_and_how_to_undo() {
        Diagnosis diagnosis = new CalmHost()
                .with("recorded/statfs", "/\ttype=0xef53 bsize=4096 blocks=1000 bfree=0 bavail=0 files=1 ffree=1\n")
                .diagnosis();
        assertEquals(Status.CRITICAL, diagnosis.status());
        String json = JsonReport.of(diagnosis);
        for (String field : List.of(
                "\"rule\" : \"disk-full\"",
                "\"layer\" : \"storage\"",
                "\"when\" : \"now\"",
                "\"cost\" : \"none\"",
                "\"risk\" : \"data-loss\"",
                "\"verify\" : \"df -h /\"",
                "\"path\" : \"/\"")) assertTrue(json.contains(field), field + " in " + json);
    }

    private static List<String> topFields(String json) throws IOException {
        List<String> fields = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                fields.add(parser.currentName());
                parser.nextToken();
                parser.skipChildren();
            }
        }
        return fields;
    }
}
