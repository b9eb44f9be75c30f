// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.server.Engine;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.ModelFiles;
import dev.ullage.measure.Bytes;
import java.util.ArrayList;
import java.util.List;
/// llama.cpp on a CPU keeps a second, repacked copy of the weights beside the mapped file.

public final class RepackedCopy implements Rule {
    /// Of what is mapped: not every tensor is repacked, and a KV cache comes on top.
    private static final double LEAST = 0.6;

    private static final double MOST = 1.7;

    /// Of so small a model the copy does not matter.
    private static final Bytes LITTLE = Bytes.ofMiB(256);

    @Override
    public String name() {
        return "repacked-copy";
    }

    @Override
    public Cause cause() {
        return Cause.DUPLICATE_COPIES;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(MemInfo.FACT);
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no server keeps a second copy of a mapped model";
        for (Workload server : evidence.servers()) {
            if (!mayRepack(evidence, server)) continue;
            for (ProcessId id : server.processes()) {
                Bytes mapped = Bytes.sum(
                        evidence.lastSeen(ModelFiles.FACT, id).map(ModelFiles::uses).orElse(List.of()).stream()
                                .filter(use -> use.how() == ModelFiles.How.MAPPED)
                                .map(ModelFiles.Use::mapped)
                                .toList());
                Bytes own = evidence.lastSeen(ProcessMemory.FACT, id)
                        .map(ProcessMemory::anonymousAndSwapped)
                        .orElse(Bytes.NONE);
                if (mapped.bytes() == 0) continue;
                clear = "pid " + id.pid() + " maps " + mapped.shown() + " and holds " + own.shown() + " of its own";
                boolean alike = own.isMoreThan(mapped.times(LEAST))
                        && mapped.times(MOST).isMoreThan(own);
                if (alike && own.isMoreThan(LITTLE)) findings.add(finding(evidence, server, id, mapped, own));
            }
        }
        return Verdict.of(findings, clear);
    }

    /// Whether it is llama.cpp, was not told not to, and maps a file.
    private static boolean mayRepack(Evidence evidence, Workload server) {
        boolean isLlama = server.engine()
                .map(e -> e == Engine.LLAMA_CPP || e == Engine.OLLAMA || e == Engine.UNKNOWN)
                .orElse(false);
        boolean isGguf =
                server.models().stream().anyMatch(file -> file.format().word().equals("GGUF"));
        boolean told = server.processes().stream().anyMatch(id -> evidence.latest(CommandLine.FACT, id)
                .map(command -> command.arguments().stream().anyMatch(a -> a.equals("--no-repack") || a.equals("-nr")))
                .orElse(false));
        return isLlama && isGguf && !told;
    }

    private Finding finding(Evidence evidence, Workload server, ProcessId id, Bytes mapped, Bytes own) {
        MemInfo mem = evidence.latest(MemInfo.FACT).orThrow();
        return new Finding(
                this,
                Severity.ADVICE,
                // A KV cache can be as large as the weights; only the server's own log tells them apart.
                new Signs().sign(true).sign(true).doubt(true, 0.3).confidence(),
                server.shown() + " maps " + mapped.shown() + " of its model and holds " + own.shown()
                        + " of its own: as it repacks the weights for this CPU, two copies of them",
                List.of(
                        Saw.of("mapped of the model", mapped, id.file("maps")),
                        Saw.of("own memory", own, id.file("status") + " RssAnon + VmSwap"),
                        Saw.of("available", mem.available(), "/proc/meminfo MemAvailable")),
                "the copy is faster to compute with and costs the model's size again; without it the mapped file serves alone",
                Subject.of(server),
                List.of(Remedy.medium(
                        "start it without repacking where memory is short",
                        "llama-server --no-repack …",
                        Remedy.Cost.RESTART,
                        Remedy.Risk.SLOWER,
                        "grep RssAnon /proc/<new pid>/status",
                        "start it as before")));
    }
}
