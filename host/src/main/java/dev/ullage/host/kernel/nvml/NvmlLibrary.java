// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/// NVIDIA's management library, loaded; and how its functions are called.
///
/// All through one shape, that of `syscall`: seven longs in, a long out, errno kept. Java prepares a call of a shape
/// once
/// (15–18 ms) and keeps it, and the statfs of the first mount has paid for this one already. It fits: on x86-64 and
/// arm64
/// pointers and integers of up to 64 bits go in the same registers, a callee reads the half it declared and does not
/// see
/// the arguments it has no use for; of what comes back the low 32 bits are the `nvmlReturn_t`.
final class NvmlLibrary {
    private static final FunctionDescriptor SHAPE = FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private final SymbolLookup symbols;
    private NvmlTranscript transcript = new NvmlTranscript();
    private final Map<NvmlFunction, Optional<Bound>> bound = new EnumMap<>(NvmlFunction.class);
    private final MemorySegment state;

    private record Bound(String name, MethodHandle handle) {}

    private NvmlLibrary(SymbolLookup symbols, Arena arena) {
        this.symbols = symbols;
        this.state = arena.allocate(Linker.Option.captureStateLayout());
    }

    /// Never unloaded: a library with threads of its own does not survive that, and this process is short.
    ///
    /// @throws IllegalArgumentException when the linker refuses it: another processor's, broken, a dependency
    /// missing
    @SuppressWarnings("restricted")
    static NvmlLibrary load(Path file) {
        return new NvmlLibrary(SymbolLookup.libraryLookup(file, Arena.global()), Arena.global());
    }

    /// One all of whose functions are libc's `sched_yield`: it takes nothing, returns 0, which means success, and
    /// leaves
    /// zeros where an answer would be.
    static NvmlLibrary ofZeros() {
        return new NvmlLibrary(_ -> Linker.nativeLinker().defaultLookup().find("sched_yield"), Arena.global());
    }

    /// Where the name of each function is told before it is called.
    void tell(NvmlTranscript transcript) {
        this.transcript = transcript;
    }

    boolean has(NvmlFunction function) {
        return bound(function).isPresent();
    }

    /// The name under which this library has it, or the newest there is.
    String name(NvmlFunction function) {
        return bound(function).map(Bound::name).orElse(function.names().getFirst());
    }

    /// @param arguments up to seven; pointers as addresses
    /// @return an `nvmlReturn_t`; FUNCTION_NOT_FOUND when this library does not have the function
    int call(NvmlFunction function, long... arguments) {
        Optional<Bound> found = bound(function);
        if (found.isEmpty()) return NvmlReturn.FUNCTION_NOT_FOUND.code();
        transcript.asking(found.get().name);
        long[] a = new long[7];
        System.arraycopy(arguments, 0, a, 0, arguments.length);
        try {
            return (int) (long) found.get().handle.invokeExact(state, a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
        } catch (Throwable t) {
            // A downcall declares Throwable but throws nothing of its own.
            throw new AssertionError(found.get().name, t);
        }
    }

    private Optional<Bound> bound(NvmlFunction function) {
        return bound.computeIfAbsent(function, this::bind);
    }

    @SuppressWarnings("restricted")
    private Optional<Bound> bind(NvmlFunction function) {
        for (String name : function.names()) {
            Optional<MemorySegment> address = symbols.find(name);
            if (address.isPresent())
                return Optional.of(new Bound(
                        name,
                        Linker.nativeLinker()
                                .downcallHandle(address.get(), SHAPE, Linker.Option.captureCallState("errno"))));
        }
        return Optional.empty();
    }
}
