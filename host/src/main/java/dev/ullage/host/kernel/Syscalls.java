// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/// The kernel's calls, all through one C function: `long syscall(long number, …six longs)`.
///
/// Why one shape: the first call of each *distinct* signature costs 15–18 ms (measured), a further call of the same
/// signature nothing. Pointers go as addresses. The class is touched only by roots that really call, so that
/// `ullage --version` and a diagnosis of a captured host never pay for it.
final class Syscalls {
    /// Numbers differ by architecture; the calls since 5.1 have the same everywhere.
    private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");

    static final long OPENAT = ARM ? 56 : 257;
    static final long CLOSE = ARM ? 57 : 3;
    static final long READ = ARM ? 63 : 0;
    static final long PREAD = ARM ? 67 : 17;
    static final long STATFS = ARM ? 43 : 137;
    static final long FADVISE = ARM ? 223 : 221;
    static final long MMAP = ARM ? 222 : 9;
    static final long MUNMAP = ARM ? 215 : 11;
    static final long MINCORE = ARM ? 232 : 27;
    static final long PREADV2 = ARM ? 286 : 327;
    static final long CACHESTAT = 451;
    /// Of preadv2: only what is in memory already.
    static final long RWF_NOWAIT = 8;

    static final long AT_FDCWD = -100;
    static final int O_CLOEXEC = 0x80000;
    static final int O_NONBLOCK = 0x800;
    static final int O_RDONLY = 0;

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle SYSCALL = bind();

    private Syscalls() {}

    @SuppressWarnings("restricted")
    private static MethodHandle bind() {
        Linker linker = Linker.nativeLinker();
        ValueLayout.OfLong n = ValueLayout.JAVA_LONG;
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("syscall"),
                FunctionDescriptor.of(n, n, n, n, n, n, n, n),
                Linker.Option.captureCallState("errno"));
    }

    /// What the call returned, or minus the errno when it failed.
    static long call(Arena arena, long number, long a, long b, long c, long d, long e, long f) {
        MemorySegment state = arena.allocate(STATE);
        try {
            long result = (long) SYSCALL.invokeExact(state, number, a, b, c, d, e, f);
            return result == -1 ? -(int) ERRNO.get(state, 0L) : result;
        } catch (Throwable t) {
            // A downcall declares Throwable but throws nothing of its own.
            throw new AssertionError("syscall " + number, t);
        }
    }

    static long call(Arena arena, long number, long a, long b, long c, long d) {
        return call(arena, number, a, b, c, d, 0, 0);
    }

    /// A descriptor, or minus the errno.
    static long open(Arena arena, String path, int flags) {
        return call(arena, OPENAT, AT_FDCWD, arena.allocateFrom(path).address(), flags | O_CLOEXEC, 0);
    }

    static void close(Arena arena, long fd) {
        call(arena, CLOSE, fd, 0, 0, 0);
    }
}
