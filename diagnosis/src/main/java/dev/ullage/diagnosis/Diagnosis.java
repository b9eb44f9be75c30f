// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import dev.ullage.diagnosis.Differential.Ranked;
import dev.ullage.host.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Everything there is to say about a host, before it is put into words for one medium or another.
///
/// @param cause the verdict's cause; empty when there is none, or none of the catalogue
/// @param also causes that stand beside it
/// @param died units and containers that ended badly lately
/// @param headline one line, with the number that decides
/// @param numbers of a calm host: RAM available, GPU, disk wait; empty when something is wrong
public record Diagnosis(
        Evidence evidence,
        String subjectKind,
        String subjectName,
        Status status,
        Optional<Cause> cause,
        double confidence,
        String headline,
        String numbers,
        List<Cause> also,
        List<LayerStatus> layers,
        Ranked ranked,
        List<RuledOut> ruledOut,
        List<CouldNotSee> couldNotSee,
        List<Death> died) {
    /// The state of one layer.
    public record LayerStatus(Layer layer, Status status, String because) {}

    /// A cause that was looked for and is not there, with the number that says so.
    ///
    /// @param couldBe whether there was anything here that it could be about: without a GPU no rule of GPUs has
    /// ruled
    ///     out anything
    public record RuledOut(Rule rule, String because, boolean couldBe) {}

    /// A thing that would have helped and could not be seen.
    public record CouldNotSee(String what, String source, String cause, String wouldHelp) {}

    /// The word of the verdict's cause: `unknown` when something is wrong that no cause explains, `none` when nothing
    /// is.
    public String causeWord() {
        return cause.map(Cause::word).orElse(status == Status.UNKNOWN ? "unknown" : "none");
    }

    /// Where the verdict's trouble lies; `none` when there is none.
    public String layerWord() {
        return ranked.causes().stream()
                .filter(f -> cause.filter(c -> c == f.cause()).isPresent())
                .findFirst()
                .map(Finding::layer)
                .or(() -> cause.map(Cause::layer))
                .map(Layer::word)
                .orElse("none");
    }

    /// The headline with its numbers, as the JSON report has it.
    public String fullHeadline() {
        return numbers.isEmpty() ? headline : headline + "; " + numbers;
    }

    /// The symptoms that the verdict explains.
    public List<String> explains() {
        return Diagnostician.worst(ranked).map(Finding::explains).orElse(List.of());
    }

    /// All findings, causes before symptoms before advice.
    public List<Finding> findings() {
        List<Finding> all = new ArrayList<>(ranked.causes());
        ranked.symptoms().forEach(s -> all.add(s.finding()));
        return all;
    }
}
