// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import dev.ullage.diagnosis.view.ServerMemory;
import dev.ullage.diagnosis.view.ServerMemory.Part;
import dev.ullage.diagnosis.view.ServerTold;
import dev.ullage.diagnosis.view.Symptom;
import dev.ullage.diagnosis.view.Symptoms;
import dev.ullage.host.Evidence;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.server.Engine;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// A server in words: `llama.cpp b6123 (pid 812), qwen3-8b-q4_k_m.gguf; host: 4.6 GiB of the model cached, 1.1 GiB of
/// its own`.
final class ServerLine {
    private ServerLine() {}

    static String of(Evidence evidence, Workload server) {
        ServerTold told = ServerTold.of(evidence, server);
        String model = told.modelOf(server);
        List<String> parts = new ArrayList<>();
        parts.add(engine(server, told) + " (pid " + server.main().pid() + ")" + (model.isEmpty() ? "" : ", " + model));
        parts.addAll(places(ServerMemory.of(evidence, server)));
        return String.join("; ", parts);
    }

    static List<String> troubles(Evidence evidence, Workload server) {
        return Symptoms.troubles(evidence, server).stream().map(Symptom::words).toList();
    }

    /// What it says of itself and nobody suffers from: `3 requests running, 0 waiting`, `writes 41 tokens/s`.
    static List<String> tells(Evidence evidence, Workload server) {
        return Symptoms.of(evidence, server).stream()
                .filter(symptom -> !symptom.isTrouble())
                .filter(symptom -> switch (symptom) {
                    case Symptom.FirstToken _,
                            Symptom.NextToken _,
                            Symptom.Queue _,
                            Symptom.Loading _,
                            Symptom.Writes _ -> true;
                    case Symptom.Waits _,
                            Symptom.KernelWork _,
                            Symptom.Preempted _,
                            Symptom.Silent _,
                            Symptom.Failing _,
                            Symptom.Killed _,
                            Symptom.Died _ -> false;
                })
                .map(Symptom::words)
                .toList();
    }

    /// `vllm 0.11.0`; of an unknown engine the program.
    static String engine(Workload server, ServerTold told) {
        String engine = server.engine()
                .filter(e -> e != Engine.UNKNOWN)
                .map(Engine::word)
                .orElse(server.name());
        return told.version().isEmpty() ? engine : engine + " " + told.version();
    }

    /// One text a place; GPUs together, since a server splits itself evenly over them.
    private static List<String> places(ServerMemory memory) {
        List<String> places = new ArrayList<>();
        List<Part> host = memory.in(ServerMemory.HOST);
        if (!host.isEmpty()) places.add("host: " + amounts(host));
        if (memory.gpus().isEmpty()) return places;
        List<Part> onGpus = memory.parts().stream()
                .filter(part -> !part.where().equals(ServerMemory.HOST))
                .toList();
        String which = (memory.gpus().size() == 1 ? "GPU " : "GPUs ")
                + memory.gpus().stream().map(gpu -> "" + gpu.index()).collect(Collectors.joining(","));
        places.add(which + ": " + (onGpus.isEmpty() ? "how much is not told" : amounts(onGpus)));
        return places;
    }

    private static String amounts(List<Part> parts) {
        Map<String, Bytes> byWhat = new LinkedHashMap<>();
        for (Part part : parts) byWhat.merge(part.what(), part.bytes(), Bytes::plus);
        // A model that went to a GPU leaves no page in the cache: nothing is no news beside the rest.
        if (byWhat.values().stream().anyMatch(amount -> amount.bytes() > 0))
            byWhat.values().removeIf(amount -> amount.bytes() == 0);
        return byWhat.entrySet().stream()
                .map(e -> e.getValue().shown() + " " + words(e.getKey()))
                .collect(Collectors.joining(", "));
    }

    /// The schema's word for a part, for a person.
    static String words(String what) {
        return switch (what) {
            case "weights-page-cache" -> "of the model cached";
            case ServerMemory.KV_CACHE -> "KV cache";
            default -> what;
        };
    }

    /// `GPU 0`, `host`.
    static String place(ServerMemory memory, String where) {
        return memory.gpus().stream()
                .filter(gpu -> gpu.word().equals(where))
                .map(Gpu::index)
                .map(index -> "GPU " + index)
                .findFirst()
                .orElse(where);
    }
}
