// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import dev.ullage.measure.Seconds;
import java.time.Instant;
import java.util.Optional;

/// One line that a program wrote, taken out of everything that others put around it.
///
/// ```
/// vllm-1  | (EngineCore_DP0 pid=316) ERROR 09-28 15:47:24 [core.py:718] ValueError: No available memory
/// └ compose └ worker                 └ text, with the program's own stamp and place
/// ```
/// worker `vllm-1 / EngineCore_DP0 pid=316`, text `ERROR 09-28 15:47:24 [core.py:718] ValueError: …`.
///
/// The text has no colours, no cursor codes, no control characters but tabs, and of a progress bar the last state. It
/// is
/// as long as the program made it, up to [#LONGEST]; its numbers are as they were written (`1900,00 MiB`). Signatures
/// match with `find`, in the middle: what could not be recognised as a prefix is still in front.
///
/// Mistake people make: comparing the time of two inputs without reading what was guessed ([ReadSummary#notes]).
///
/// @param source the name of the file or input, as it was given: `logs/server.log`, `-`
/// @param number from 1; several lines have the same number when one line of the input holds several
/// @param offset where the input's line begins, in bytes of the text once it is unpacked and UTF-8
/// @param time as far as it can be told, or could be guessed
/// @param clock what the line itself says about the time since the boot (kernel) or the start (llama.cpp)
/// @param worker who said it: from outside to inside, ` / ` between them; `kernel`, `rank3`, `ollama[6012]`; or empty
/// @param isProse whether a human wrote it: the text around the fenced parts of an issue
public record LogLine(
        String source,
        long number,
        long offset,
        Optional<Instant> time,
        Optional<Seconds> clock,
        String worker,
        String text,
        boolean isProse) {
    /// In bytes. A longer line is read as several of the same number.
    public static final int LONGEST = 1 << 16;

    /// As it is quoted: `server.log:812`.
    public String place() {
        return source + ":" + number;
    }
}
