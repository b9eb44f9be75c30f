// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.Diagnostician;
import dev.ullage.diagnosis.Status;
import dev.ullage.diagnosis.report.TerminalReport;
import dev.ullage.host.Focus;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.Sampler;
import dev.ullage.host.TextTree;
import dev.ullage.host.capture.CaptureNote;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Whole hosts, captured from real faults, and the report each must get. With `-Dullage.hosts.update=true` the reports
/// are
/// written anew; then a person reads them.
class RecordedHostsTest {
    private static final Path STORIES = Path.of("../recorded-hosts");
    private static final boolean UPDATE = Boolean.getBoolean("ullage.hosts.update");

    static List<Path> stories() throws IOException {
        try (Stream<Path> files = Files.list(STORIES)) {
            return files.filter(f -> f.toString().endsWith(".host")).sorted().toList();
        }
    }

    static Map<String, String> filesOf(Path story) {
        return PageExample.hostIn(story);
    }

    private static Diagnosis diagnosis(Path story) {
        Map<String, String> files = filesOf(story);
        Focus focus = Optional.ofNullable(files.get(CaptureNote.FILE))
                .map(note -> CaptureNote.parse(note).focus())
                .orElse(Focus.EVERYTHING);
        return new Diagnostician(Rules.ALL)
                .diagnose(Sampler.replay(new RecordedHost(TextTree.of(files)), focus), "capture", "recorded");
    }

    @TestFactory
    Stream<DynamicTest> each_story_gets_its_report() throws IOException {
        return stories().stream()
                .map(story -> dynamicTest(story.getFileName().toString(), () -> {
                    Path expected = Path.of(story.toString().replaceFirst("\\.host$", ".report"));
                    String report = TerminalReport.of(diagnosis(story), false, 80, false);
                    if (UPDATE) Files.writeString(expected, report);
                    assertEquals(Files.readString(expected), report);
                }));
    }

    @Test
    void there_are_a_dozen_stories_and_healthy_ones_among_them() throws IOException {
        List<Path> stories = stories();
        assertTrue(stories.size() >= 12, stories::toString);
        long healthy = stories.stream()
                .filter(story -> diagnosis(story).status() == Status.HEALTHY)
                .count();
        assertTrue(healthy >= 3 && healthy < stories.size(), healthy + " healthy of " + stories.size());
    }
}
