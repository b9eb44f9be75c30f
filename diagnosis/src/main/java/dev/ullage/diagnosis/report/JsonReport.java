// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Death;
import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.view.ServerMemory;
import dev.ullage.diagnosis.view.ServerTold;
import dev.ullage.host.Clock;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.server.Workload;
import dev.ullage.host.service.Service;
import dev.ullage.host.storage.ModelFile;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;

/// The report other programs rely on: schema `ullage-report/1`. Fields are added, never renamed or removed.
public final class JsonReport {
    private JsonReport() {}

    public static String of(Diagnosis diagnosis) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            write(json, diagnosis);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return text.append('\n').toString();
    }

    private static void write(JsonGenerator json, Diagnosis d) throws IOException {
        json.writeStartObject();
        json.writeStringField("schema", "ullage-report/1");
        json.writeObjectFieldStart("subject");
        json.writeStringField("kind", d.subjectKind());
        json.writeStringField("name", d.subjectName());
        json.writeStringField("from", time(d.evidence().from()));
        json.writeStringField("to", time(d.evidence().to()));
        json.writeEndObject();
        json.writeObjectFieldStart("verdict");
        json.writeStringField("status", d.status().word());
        json.writeStringField("layer", d.layerWord());
        json.writeStringField("cause", d.causeWord());
        json.writeNumberField("confidence", d.confidence());
        json.writeStringField("headline", d.fullHeadline());
        strings(json, "also", d.also().stream().map(Cause::word).toList());
        strings(json, "explains", d.explains());
        json.writeEndObject();
        json.writeArrayFieldStart("layers");
        for (Diagnosis.LayerStatus layer : d.layers()) {
            json.writeStartObject();
            json.writeStringField("layer", layer.layer().word());
            json.writeStringField("status", layer.status().word());
            json.writeStringField("because", layer.because());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("servers");
        for (Workload server : d.evidence().servers()) server(json, d, server);
        json.writeEndArray();
        json.writeArrayFieldStart("findings");
        for (Finding finding : d.findings()) finding(json, finding);
        json.writeEndArray();
        json.writeArrayFieldStart("ruledOut");
        for (Diagnosis.RuledOut ruledOut : d.ruledOut()) {
            json.writeStartObject();
            json.writeStringField("rule", ruledOut.rule().name());
            json.writeStringField("cause", ruledOut.rule().cause().word());
            json.writeStringField("because", ruledOut.because());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("couldNotSee");
        for (Diagnosis.CouldNotSee unseen : d.couldNotSee()) {
            json.writeStartObject();
            json.writeStringField("what", unseen.what());
            json.writeStringField("source", unseen.source());
            json.writeStringField("cause", unseen.cause());
            json.writeStringField("wouldHelp", unseen.wouldHelp());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("died");
        for (Death death : d.died()) {
            json.writeStartObject();
            json.writeStringField("kind", death.end().kind());
            json.writeStringField("name", death.end().name());
            json.writeStringField("exit", death.end().exit());
            if (death.end().at().isPresent())
                json.writeStringField("at", death.end().at().get().toString());
            json.writeNumberField("restarts", death.end().restarts());
            json.writeBooleanField("running", death.end().running());
            json.writeStringField("next", death.next());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void server(JsonGenerator json, Diagnosis d, Workload server) throws IOException {
        json.writeStartObject();
        json.writeStringField("engine", server.engine().map(e -> e.word()).orElse("unknown"));
        ServerTold told = ServerTold.of(d.evidence(), server);
        ServerMemory memory = ServerMemory.of(d.evidence(), server);
        json.writeStringField("version", told.version());
        json.writeNumberField("pid", server.main().pid());
        String runsAs = d.evidence()
                .latest(Service.FACT, server.main())
                .orElse(Service.NONE)
                .shown();
        if (!runsAs.isEmpty()) json.writeStringField("runsAs", runsAs);
        json.writeStringField("model", told.modelPathOf(server));
        json.writeArrayFieldStart("gpus");
        for (Gpu gpu : memory.gpus()) json.writeNumber(gpu.index());
        json.writeEndArray();
        json.writeArrayFieldStart("memory");
        for (ServerMemory.Part part : memory.parts()) {
            json.writeStartObject();
            json.writeStringField("where", part.where());
            json.writeStringField("what", part.what());
            json.writeNumberField("bytes", part.bytes().bytes());
            json.writeEndObject();
        }
        json.writeEndArray();
        strings(json, "symptoms", ServerLine.troubles(d.evidence(), server));
        strings(json, "tells", ServerLine.tells(d.evidence(), server));
        json.writeArrayFieldStart("files");
        for (ModelFile file : server.models()) json.writeString(file.path());
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void finding(JsonGenerator json, Finding finding) throws IOException {
        json.writeStartObject();
        json.writeStringField("rule", finding.rule().name());
        json.writeStringField("cause", finding.cause().word());
        json.writeStringField("layer", finding.layer().word());
        json.writeStringField("severity", finding.severity().word());
        json.writeNumberField("confidence", finding.confidence());
        json.writeStringField("headline", finding.headline());
        json.writeArrayFieldStart("saw");
        for (Saw saw : finding.saw()) {
            json.writeStartObject();
            json.writeStringField("what", saw.what());
            // JSON has no infinity; "never" is in the text.
            json.writeNumberField("value", Double.isFinite(saw.value()) ? saw.value() : Double.MAX_VALUE);
            json.writeStringField("unit", saw.unit());
            json.writeStringField("text", saw.text());
            json.writeStringField("source", saw.source());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeStringField("so", finding.so());
        strings(
                json,
                "accountsFor",
                finding.rule().accountsFor().stream().sorted().toList());
        strings(json, "explains", finding.explains());
        subject(json, finding.subject());
        json.writeArrayFieldStart("remedies");
        for (Remedy remedy : finding.remedies()) {
            json.writeStartObject();
            json.writeStringField("when", remedy.when().word());
            json.writeStringField("action", remedy.action());
            json.writeStringField("command", remedy.command());
            json.writeStringField("cost", remedy.cost().word());
            json.writeStringField("risk", remedy.risk().word());
            json.writeStringField("verify", remedy.verify());
            json.writeStringField("undo", remedy.undo());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /// Only what the finding is about: no `"gpu": -1`.
    private static void subject(JsonGenerator json, Subject subject) throws IOException {
        json.writeObjectFieldStart("subject");
        if (subject.pid().isPresent())
            json.writeNumberField("pid", subject.pid().getAsInt());
        if (!subject.command().isEmpty()) json.writeStringField("command", subject.command());
        if (!subject.cgroup().isEmpty()) json.writeStringField("cgroup", subject.cgroup());
        if (!subject.device().isEmpty()) json.writeStringField("device", subject.device());
        if (!subject.path().isEmpty()) json.writeStringField("path", subject.path());
        json.writeEndObject();
    }

    private static void strings(JsonGenerator json, String name, List<String> values) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) json.writeString(value);
        json.writeEndArray();
    }

    private static String time(Clock clock) {
        return clock.wall().map(Instant::toString).orElse("");
    }
}
