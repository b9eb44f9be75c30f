// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
import dev.ullage.host.Fact;
import dev.ullage.host.HostRoot;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Which engine's libraries an interpreter has mapped: what `python3 app.py` really is.
///
/// A script that keeps its weights on a GPU has no model file open and little memory; its command line says nothing.
/// What it has loaded does:
///
/// ```
/// …/site-packages/vllm/_C.abi3.so              it runs vLLM itself
/// …/site-packages/torch/lib/libtorch_cuda.so   PyTorch on a GPU
/// …/tokenizers/tokenizers.abi3.so              that takes text apart: a language model
/// ```
/// Asked of interpreters only whose command line names no engine: a map of thousands of lines is not read for nothing.
///
/// Mistake people make: taking libtorch for an LLM. PyTorch without a tokenizer may do anything.
///
/// @param names of [Library]
public record MappedLibraries(Set<String> names) {
    /// A name for each, and what its path contains.
    public enum Library {
        // A virtual environment may lie in a folder of that name: the package in it counts.
        VLLM("-packages/vllm/", "/vllm/_"),
        SGLANG("-packages/sgl_kernel/"),
        LLAMA("libllama.so"),
        LLAMA_CPP_PYTHON("-packages/llama_cpp/"),
        TENSORRT_LLM("-packages/tensorrt_llm/"),
        DEEPSPEED("-packages/deepspeed/"),
        TORCH_CUDA("libtorch_cuda.so"),
        TORCH_HIP("libtorch_hip.so"),
        TORCH_CPU("libtorch_cpu.so"),
        CUDART("libcudart"),
        TOKENIZERS("-packages/tokenizers/"),
        SAFETENSORS("-packages/safetensors/"),
        SENTENCEPIECE("-packages/sentencepiece/");

        private final List<String> marks;

        Library(String... marks) {
            this.marks = List.of(marks);
        }

        /// Whether a line of maps is a mapping of it: only files that are libraries count.
        public boolean isIn(String line) {
            return line.contains(".so") && marks.stream().anyMatch(line::contains);
        }
    }

    public static final Fact<ProcessId, MappedLibraries> FACT =
            new Fact<>("libraries of a script", "/proc/<pid>/maps", Cadence.ENDS, "run as root", MappedLibraries::read);

    private static Reading<MappedLibraries> read(HostRoot root, ProcessId id) {
        return CommandLine.FACT.read(root, id).flatMap(command -> read(root, id, command));
    }

    private static Reading<MappedLibraries> read(HostRoot root, ProcessId id, CommandLine command) {
        boolean isInterpreter =
                command.program().startsWith("python") || command.program().startsWith("ray::");
        boolean isAsked = isInterpreter && Engine.of(command).isEmpty();
        if (!isAsked)
            return Reading.absent(id.file("maps"), AbsentCause.NOT_PRESENT, "its command line says what it is");
        return root.ask(Call.LIBRARIES, String.valueOf(id.pid())).map(MappedLibraries::parse);
    }

    /// `TORCH_CUDA TOKENIZERS CUDART`.
    static MappedLibraries parse(String text) {
        return new MappedLibraries(
                new LinkedHashSet<>(Arrays.asList(text.strip().split(" "))));
    }

    private boolean has(Library library) {
        return names.contains(library.name());
    }

    /// The engine that a process with these libraries is.
    Optional<Engine> engine() {
        if (has(Library.VLLM)) return Optional.of(Engine.VLLM);
        if (has(Library.SGLANG)) return Optional.of(Engine.SGLANG);
        if (has(Library.TENSORRT_LLM)) return Optional.of(Engine.TENSORRT_LLM);
        if (has(Library.LLAMA) || has(Library.LLAMA_CPP_PYTHON)) return Optional.of(Engine.LLAMA_CPP);
        boolean isOnGpu = has(Library.TORCH_CUDA) || has(Library.TORCH_HIP);
        if (isOnGpu && has(Library.DEEPSPEED)) return Optional.of(Engine.DEEPSPEED);
        boolean isOfText = has(Library.TOKENIZERS) || has(Library.SAFETENSORS) || has(Library.SENTENCEPIECE);
        return isOnGpu && isOfText ? Optional.of(Engine.TRANSFORMERS) : Optional.empty();
    }
}
