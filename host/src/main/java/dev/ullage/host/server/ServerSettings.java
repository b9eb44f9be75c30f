// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.process.CommandLine;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// What a server was told on its command line; empty where it was told nothing and its engine's default holds.
///
/// @param model name or path it was told to serve
/// @param port it was told to listen on
/// @param gpuMemoryShare of each GPU's memory it may take: `--gpu-memory-utilization`, `--mem-fraction-static`,
///     `--cuda-memory-fraction`
/// @param contextLength tokens: `--max-model-len`, `--ctx-size`, `--context-length`, `--max-total-tokens`
/// @param parallelSequences how many requests it takes at a time: `--max-num-seqs`, `--parallel`,
///     `--max-running-requests`
/// @param tensorParallel over how many GPUs each layer is split
/// @param gpuLayers how many layers lie on GPUs: `--n-gpu-layers`; `all` is the largest number
/// @param kvCacheType of its numbers: `f16`, `q8_0`, `fp8`
/// @param promptCache of host memory for prompts seen before: llama-server's `--cache-ram`; 0 = none, the largest
/// number
///     of bytes = without a limit
public record ServerSettings(
        Optional<String> model,
        OptionalInt port,
        Optional<Ratio> gpuMemoryShare,
        OptionalLong contextLength,
        OptionalInt parallelSequences,
        OptionalInt tensorParallel,
        OptionalInt gpuLayers,
        Optional<String> kvCacheType,
        Optional<Bytes> promptCache) {
    /// Told nothing.
    public static final ServerSettings NONE = new ServerSettings(
            Optional.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty());

    /// What a command line tells a server of that engine.
    public static ServerSettings of(Engine engine, CommandLine command) {
        return SettingsReader.read(engine, new Flags(command));
    }

    /// These, and where they say nothing those.
    public ServerSettings orElse(ServerSettings other) {
        return new ServerSettings(
                model.or(other::model),
                port.isPresent() ? port : other.port,
                gpuMemoryShare.or(other::gpuMemoryShare),
                contextLength.isPresent() ? contextLength : other.contextLength,
                parallelSequences.isPresent() ? parallelSequences : other.parallelSequences,
                tensorParallel.isPresent() ? tensorParallel : other.tensorParallel,
                gpuLayers.isPresent() ? gpuLayers : other.gpuLayers,
                kvCacheType.or(other::kvCacheType),
                promptCache.or(other::promptCache));
    }
}
