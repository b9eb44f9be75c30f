// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.ullage.measure.AbsentCause;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.charset.StandardCharsets;

/// A GPU, or an instance of one, in the library's hands: asks one thing of it, and keeps the last answer.
///
/// A question is a function and what it is asked with; the answer is a number, a text or a structure in [#out()], valid
/// until the next question, if the question returns true. If not, [#why()] has the cause.
final class NvmlHandle {
    /// nvml.h NVML_VALUE_NOT_AVAILABLE, in a field of 64 bits.
    static final long NOT_AVAILABLE = -1;

    private static final int LONGEST_TEXT = 96;

    private final NvmlLibrary library;
    private final Arena arena;
    private final long handle;
    private final MemorySegment out;
    private NvmlFunction asked = NvmlFunction.NAME;
    private int returned;

    NvmlHandle(NvmlLibrary library, Arena arena, long handle) {
        this.library = library;
        this.arena = arena;
        this.handle = handle;
        this.out = arena.allocate(128, 8);
    }

    NvmlHandle sibling(long other) {
        return new NvmlHandle(library, arena, other);
    }

    Arena arena() {
        return arena;
    }

    boolean has(NvmlFunction function) {
        return library.has(function);
    }

    /// @param rest the arguments behind the device
    boolean ask(NvmlFunction function, long... rest) {
        long[] arguments = new long[rest.length + 1];
        arguments[0] = handle;
        System.arraycopy(rest, 0, arguments, 1, rest.length);
        asked = function;
        returned = library.call(function, arguments);
        return returned == NvmlReturn.SUCCESS;
    }

    /// Asks for a structure, or for numbers of 32 bits one behind the other.
    ///
    /// @param before the arguments between the device and the place for the answer
    boolean askInto(NvmlFunction function, long... before) {
        out.fill((byte) 0);
        return askAbove(function, before);
    }

    /// The same for a structure whose first field says its version.
    boolean askVersioned(NvmlFunction function, StructLayout layout, int version) {
        out.fill((byte) 0);
        out.set(JAVA_INT, 0, NvmlLayout.version(layout, version));
        return askAbove(function);
    }

    private boolean askAbove(NvmlFunction function, long... before) {
        long[] rest = new long[before.length + 1];
        System.arraycopy(before, 0, rest, 0, before.length);
        rest[before.length] = out.address();
        return ask(function, rest);
    }

    /// Asks for one number behind the other: `f(device, unsigned *a, unsigned *b, …)`.
    boolean askNumbers(NvmlFunction function, int count) {
        out.fill((byte) 0);
        long[] rest = new long[count];
        for (int i = 0; i < count; i++) rest[i] = out.address() + 4L * i;
        return ask(function, rest);
    }

    boolean askText(NvmlFunction function) {
        out.fill((byte) 0);
        return ask(function, out.address(), LONGEST_TEXT);
    }

    MemorySegment out() {
        return out;
    }

    /// The `index`-th number of 32 bits of the answer.
    long number(int index) {
        return Integer.toUnsignedLong(out.get(JAVA_INT, 4L * index));
    }

    long wide(StructLayout layout, String field) {
        return out.get(JAVA_LONG, NvmlLayout.offset(layout, field));
    }

    long wide() {
        return out.get(JAVA_LONG, 0);
    }

    String text() {
        return text(out, LONGEST_TEXT);
    }

    static String text(MemorySegment bytes, int longest) {
        int length = 0;
        while (length < longest && bytes.get(java.lang.foreign.ValueLayout.JAVA_BYTE, length) != 0) length++;
        byte[] text = bytes.asSlice(0, length).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        return new String(text, StandardCharsets.UTF_8)
                .replaceAll("\\p{Cntrl}", " ")
                .strip();
    }

    int returned() {
        return returned;
    }

    AbsentCause cause() {
        return NvmlReturn.cause(returned);
    }

    /// `nvmlDeviceGetEccMode said NVML_ERROR_NOT_SUPPORTED: this GPU or its mode does not have it`.
    String why() {
        return library.name(asked)
                + (library.has(asked) ? " said " + NvmlReturn.shown(returned) : " is not in this library");
    }
}
