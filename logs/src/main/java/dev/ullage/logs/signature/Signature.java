// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.signature;

import java.util.List;
import java.util.Optional;

/// Lines of a log that mean something, as its page tells them.
///
/// @param name states what happened; read it after "the log says": `torch-out-of-memory`
/// @param title one sentence for a person
/// @param engine whose words they are: `vllm`, `kernel`, `pytorch`; empty for anybody's
/// @param causes of the catalogue that it can mean, the likeliest first; the numbers decide among them
/// @param sentences one of which a line must have
/// @param numbers sentences that may stand in the same message and tell its numbers
/// @param reach lines after the first in which numbers are looked for; 0 when the message is one line
public record Signature(
        String name,
        String title,
        Role role,
        String engine,
        List<String> causes,
        List<Sentence> sentences,
        List<Sentence> numbers,
        int reach) {
    /// What a message says when it is of this signature.
    ///
    /// @param following lines after it, of which as many are looked at as the page says
    public Optional<Captures> in(String line, List<String> following) {
        for (Sentence sentence : sentences) {
            Optional<Captures> found = sentence.in(line);
            if (found.isEmpty()) continue;
            Captures all = found.get();
            for (Sentence number : numbers) {
                Optional<Captures> more = number.in(line);
                for (int i = 0; i < Math.min(reach, following.size()) && more.isEmpty(); i++)
                    more = number.in(following.get(i));
                if (more.isPresent()) all = all.and(more.get());
            }
            return Optional.of(all);
        }
        return Optional.empty();
    }
}
