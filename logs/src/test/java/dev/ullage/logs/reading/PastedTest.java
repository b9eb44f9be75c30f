// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PastedTest {
    private static String wrapped(int width, List<String> lines) {
        StringBuilder out = new StringBuilder();
        for (String line : lines)
            for (int at = 0; at < Math.max(1, line.length()); at += width)
                out.append(line, at, Math.min(line.length(), at + width)).append('\n');
        return out.toString();
    }

    private static final List<String> ENGINE = List.of(
            "(EngineCore_DP0 pid=316) INFO 09-28 15:47:20 [gpu_model_runner.py:2338] Starting to load model /models/qwen-72b-awq",
            "(EngineCore_DP0 pid=316) ERROR 09-28 15:47:24 [core.py:718] ValueError: Free memory on device (12.44/23.38 GiB) on startup is less than desired GPU memory utilization (0.95, 22.21 GiB).",
            "(EngineCore_DP0 pid=316) INFO 09-28 15:47:25 short",
            "ERROR 09-28 15:47:31 [api.py:9] RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}");

    @Test
    void lines_that_a_terminal_broke_are_whole_again_at_any_width() {
        for (int width : new int[] {79, 80, 97, 100}) {
            Reading it = Reading.of(wrapped(width, ENGINE));
            assertEquals(ENGINE.size(), it.lines.size(), "width " + width + ": " + it.texts());
            assertTrue(it.texts().get(1).endsWith("is less than desired GPU memory utilization (0.95, 22.21 GiB)."));
            assertTrue(it.summary.notes().contains("lines that were broken at " + width + " columns are joined"));
        }
    }

    @Test
    void a_wrapped_line_has_the_number_of_its_first_part() {
        Reading it = Reading.of(wrapped(80, ENGINE));
        assertEquals(List.of(1L, 3L, 6L, 7L), it.numbers());
    }

    @Test
    void real_lines_that_happen_to_be_as_long_are_never_joined() {
        List<String> tracebacks = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            tracebacks.add(
                    "ERROR 09-28 15:47:2" + i + " [worker_base.py:145] Error executing method initialize_cache " + i);
            tracebacks.add("this might cause a deadlock in distributed execution");
        }
        unchanged(tracebacks, "the same message again and again");
        unchanged(
                List.of(
                        "+-----------------------------------------------------------------------------+",
                        "| NVIDIA-SMI 550.54    Driver Version: 550.54       CUDA Version: 12.4        |",
                        "|===============================+======================+======================|",
                        "|   0  NVIDIA L4           On   | 00000000:65:00.0 Off |                    0 |"),
                "a table with borders");
        unchanged(
                List.of(
                        "uid  tgid total_vm      rss pgtables_bytes swapents oom name aaaa",
                        "100  4159   812345   712345         654321        0   0 pythonab",
                        "100  4160   812346   712346         654322        0   0 pythonbc",
                        "100  4161   812347   712347         654323        0   0 pythoncd"),
                "a table without");
        unchanged(
                List.of(
                        "The server was started with the largest context that it can have here,",
                        "and then it died. We tried the same with half of it, which went well, b",
                        "ut not with three quarters."),
                "one broken line is not enough to know");
    }

    private static void unchanged(List<String> lines, String why) {
        Reading it = Reading.of(String.join("\n", lines) + "\n");
        assertEquals(lines.size(), it.lines.size(), why);
        assertEquals(
                List.of(),
                it.summary.notes().stream()
                        .filter(note -> note.contains("broken"))
                        .toList(),
                why);
    }

    @Test
    void of_an_issue_what_humans_wrote_is_told_from_what_programs_said() {
        Reading it = Reading.of("""
                ### Your environment
                I get an out of memory error. It was killed?
                ```text
                INFO 09-28 15:47:25 starting
                Killed
                ```
                Any idea?
                """);
        assertEquals(
                List.of(true, true, false, false, true),
                it.lines.stream().map(LogLine::isProse).toList());
        assertEquals(List.of(1L, 2L, 4L, 5L, 7L), it.numbers());
    }

    @Test
    void a_server_that_logs_a_prompt_with_fences_wrote_all_of_it() {
        Reading it = Reading.of("""
                INFO 09-28 15:47:25 prompt: write code
                ```python
                print(1)
                ```
                INFO 09-28 15:47:26 done
                ERROR 09-28 15:47:27 CUDA out of memory
                """);
        assertFalse(it.lines.stream().anyMatch(LogLine::isProse));
        assertEquals(6, it.lines.size());
    }

    @Test
    void wrapped_lines_in_a_fence_are_joined_and_the_prose_is_not() {
        Reading it = Reading.of("Hello,\n```\n" + wrapped(80, ENGINE) + "```\nbye\n");
        assertEquals(ENGINE.size() + 2, it.lines.size(), () -> it.texts().toString());
    }
}
