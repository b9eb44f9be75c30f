// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.server.Engine;
import dev.ullage.host.server.ServerSettings;
import dev.ullage.host.server.ServerState;
import dev.ullage.host.server.ServerState.LoadedModel;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.ModelFormat;
import java.util.List;
import java.util.Optional;

/// What a server was told on its command line and what it says of itself, with what to call it and its model.
///
/// @param state empty when it was not asked or did not answer
public record ServerTold(ServerSettings settings, Optional<ServerState> state) {
    public static ServerTold of(Evidence evidence, Workload server) {
        return ServerStates.of(evidence, server)
                .map(states -> new ServerTold(states.settings(), Optional.of(states.now())))
                .orElse(new ServerTold(ServerStates.settings(evidence, server), Optional.empty()));
    }

    /// Of the engine; empty when it does not say.
    public String version() {
        return state.map(ServerState::version).orElse("");
    }

    /// What a person calls the model: the file of a GGUF, else the name it is served under. Ollama's files are called
    /// `sha256-…`, and a shard (`model-00001-of-00004.safetensors`) says nothing.
    public String modelOf(Workload server) {
        Optional<String> loaded = loaded().stream().map(LoadedModel::name).findFirst();
        if (loaded.isPresent() && server.engine().equals(Optional.of(Engine.OLLAMA))) return loaded.get();
        Optional<ModelFile> largest = server.models().stream().findFirst();
        if (largest.isPresent() && largest.get().format() == ModelFormat.GGUF)
            return largest.get().name();
        return settings.model()
                .or(() -> state.flatMap(s -> s.models().stream().findFirst()))
                .map(ServerTold::withoutFolders)
                .or(() -> largest.map(ModelFile::name))
                .orElse("");
    }

    /// `/models/qwen3-8b` is `qwen3-8b`; `Qwen/Qwen3-8B` is a name with its maker's, and stays.
    private static String withoutFolders(String model) {
        String path = model.endsWith("/") ? model.substring(0, model.length() - 1) : model;
        return path.startsWith("/") || path.startsWith("./") ? path.substring(path.lastIndexOf('/') + 1) : model;
    }

    /// As a program wants it: a path where there is one.
    public String modelPathOf(Workload server) {
        return server.models().isEmpty()
                ? modelOf(server)
                : server.models().getFirst().path();
    }

    List<LoadedModel> loaded() {
        return state.map(s -> s.loaded().orElse(List.of())).orElse(List.of());
    }
}
