// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.ullage.host.storage.HeaderBytes;
import dev.ullage.host.storage.ModelExtent;
import dev.ullage.host.storage.ModelFormat;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Asks the running kernel and writes its answers down as the text a recorded root holds.
///
/// Any of these may hang on a mount that does not answer; the caller gives them a deadline.
public final class KernelCalls {
    private static final int POSIX_FADV_RANDOM = 1;

    private KernelCalls() {}

    /// statfs(2) of the file system that holds `path`. The struct is the same on 64-bit x86 and arm:
    /// type, bsize, blocks, bfree, bavail, files, ffree, each 64 bits.
    public static Reading<String> statfs(String path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(256, 8);
            long result = Syscalls.call(
                    arena, Syscalls.STATFS, arena.allocateFrom(path).address(), out.address(), 0, 0);
            if (result < 0) return Errno.absent("statfs " + path, "statfs", result);
            String[] names = {"bsize", "blocks", "bfree", "bavail", "files", "ffree"};
            StringBuilder text = new StringBuilder("type=0x" + Long.toHexString(out.get(JAVA_LONG_UNALIGNED, 0)));
            for (int i = 0; i < names.length; i++)
                text.append(' ').append(names[i]).append('=').append(out.get(JAVA_LONG_UNALIGNED, 8L + 8L * i));
            // Then fsid (8 bytes), namelen, and the unit the blocks are counted in, which is not always bsize.
            text.append(" frsize=").append(out.get(JAVA_LONG_UNALIGNED, 72));
            return Reading.of(text.toString());
        }
    }

    /// The first bytes of a file, in hexadecimal. Read-ahead is switched off for our descriptor first: the first bytes
    /// of
    /// a cold file must not make the disk fetch megabytes while we look for who keeps it busy.
    public static Reading<String> head(String path) {
        try (Arena arena = Arena.ofConfined()) {
            long fd = Syscalls.open(arena, path, Syscalls.O_RDONLY | Syscalls.O_NONBLOCK);
            if (fd < 0) return Errno.absent(path, "opening it", fd);
            try {
                Syscalls.call(arena, Syscalls.FADVISE, fd, 0, 0, POSIX_FADV_RANDOM);
                MemorySegment buffer = arena.allocate(ModelFormat.HEAD);
                long read = Syscalls.call(arena, Syscalls.PREAD, fd, buffer.address(), ModelFormat.HEAD, 0);
                if (read < 0) return Errno.absent(path, "reading it", read);
                return Reading.of(
                        HexFormat.of().formatHex(buffer.asSlice(0, read).toArray(JAVA_BYTE)));
            } finally {
                Syscalls.close(arena, fd);
            }
        }
    }

    /// The length a model file must have by its header, read from the page cache only.
    ///
    /// @param size the file's length
    /// @param mayTrustMincore whether we are root or the file's owner; to others mincore lies
    public static Reading<String> extent(String path, long size, boolean mayTrustMincore) {
        return extent(path, size, true, mayTrustMincore);
    }

    /// As on a kernel before 6.5.
    static Reading<String> extentByMincore(String path, long size) {
        return extent(path, size, false, true);
    }

    private static Reading<String> extent(String path, long size, boolean hasCachestat, boolean mayTrustMincore) {
        try (Arena arena = Arena.ofConfined()) {
            long fd = Syscalls.open(arena, path, Syscalls.O_RDONLY | Syscalls.O_NONBLOCK);
            if (fd < 0) return Errno.absent(path, "opening it", fd);
            try {
                HeaderBytes header =
                        new HeaderBytes(new CachedBytes(arena, path, fd, size, hasCachestat, mayTrustMincore));
                return Reading.of(ModelExtent.read(header).text());
            } catch (CachedBytes.Refused e) {
                return e.reading();
            } catch (IOException e) {
                return Reading.absent(path, AbsentCause.MALFORMED, e.getMessage());
            } finally {
                Syscalls.close(arena, fd);
            }
        }
    }

    /// cachestat(2) over a whole file, or mincore(2) where the kernel is older.
    ///
    /// @param size the file's length, which mincore needs
    /// @param mayTrustMincore whether we are root or the file's owner; to others mincore lies
    public static Reading<String> pageCache(String path, long size, boolean mayTrustMincore) {
        try (Arena arena = Arena.ofConfined()) {
            long fd = Syscalls.open(arena, path, Syscalls.O_RDONLY | Syscalls.O_NONBLOCK);
            if (fd < 0) return Errno.absent(path, "opening it", fd);
            try {
                // struct cachestat_range { off, len } with len 0 = to the end; struct cachestat: five 64-bit counts.
                MemorySegment range = arena.allocate(16, 8);
                MemorySegment counts = arena.allocate(40, 8);
                long result = Syscalls.call(arena, Syscalls.CACHESTAT, fd, range.address(), counts.address(), 0);
                if (result == 0) return Reading.of(cachestatText(counts));
                boolean tooOld = result == -38;
                if (!tooOld) return Errno.absent(path, "cachestat", result);
                if (!mayTrustMincore)
                    return Reading.absent(
                            path, AbsentCause.NO_PERMISSION, "mincore tells only root and the owner the truth");
                return mincore(arena, path, fd, size);
            } finally {
                Syscalls.close(arena, fd);
            }
        }
    }

    private static String cachestatText(MemorySegment counts) {
        String[] names = {"cached", "dirty", "writeback", "evicted", "recently_evicted"};
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.length; i++)
            text.append(names[i])
                    .append('=')
                    .append(counts.get(JAVA_LONG_UNALIGNED, 8L * i))
                    .append(' ');
        return text.append("by=cachestat").toString();
    }

    /// Counts resident pages through a mapping that is never touched: mapping a file reads nothing of it.
    static Reading<String> mincore(Arena arena, String path, long fd, long size) {
        if (size <= 0) return Reading.of("cached=0 by=mincore");
        int protRead = 1;
        int mapShared = 1;
        long address = Syscalls.call(arena, Syscalls.MMAP, 0, size, protRead, mapShared, fd, 0);
        if (address < 0 && address > -4096) return Errno.absent(path, "mmap", address);
        try {
            long pages = (size + 4095) / 4096;
            // One byte a page; a window of 1 MiB of answers covers 4 GiB and bounds our own memory.
            long window = Math.min(pages, 1L << 20);
            MemorySegment answers = arena.allocate(window);
            long cached = 0;
            for (long page = 0; page < pages; page += window) {
                long count = Math.min(window, pages - page);
                long length = Math.min(count * 4096, size - page * 4096);
                long result =
                        Syscalls.call(arena, Syscalls.MINCORE, address + page * 4096, length, answers.address(), 0);
                if (result < 0) return Errno.absent(path, "mincore", result);
                for (long i = 0; i < count; i++) cached += answers.get(JAVA_BYTE, i) & 1;
            }
            return Reading.of("cached=" + cached + " by=mincore");
        } finally {
            Syscalls.call(arena, Syscalls.MUNMAP, address, size, 0, 0);
        }
    }

    /// The kernel's ring buffer as it is now, one record a line.
    ///
    /// A stream on /dev/kmsg would wait for the next message for ever: it is opened non-blocking. Each read returns
    /// one record and needs a buffer that holds it (8 KiB; a smaller one gets EINVAL). EPIPE means that the record
    /// was overwritten while we read: the next read goes on with the oldest that is left.
    ///
    /// @param longest bytes at most; older records are dropped first
    public static Reading<String> kernelLog(int longest) {
        String path = "/dev/kmsg";
        try (Arena arena = Arena.ofConfined()) {
            long fd = Syscalls.open(arena, path, Syscalls.O_RDONLY | Syscalls.O_NONBLOCK);
            if (fd < 0) return Errno.absent(path, "opening it", fd);
            try {
                MemorySegment buffer = arena.allocate(8192);
                StringBuilder text = new StringBuilder();
                int overwritten = 0;
                while (true) {
                    long read = Syscalls.call(arena, Syscalls.READ, fd, buffer.address(), 8192, 0);
                    if (read == -32 && overwritten++ < 1000) continue;
                    if (read <= 0) break;
                    byte[] record = buffer.asSlice(0, read).toArray(JAVA_BYTE);
                    text.append(new String(record, StandardCharsets.UTF_8));
                    if (text.length() > 2 * longest) text.delete(0, text.length() - longest);
                }
                return Reading.of(end(text, longest));
            } finally {
                Syscalls.close(arena, fd);
            }
        }
    }

    /// The last `longest` characters, from the beginning of a record on.
    private static String end(StringBuilder text, int longest) {
        if (text.length() <= longest) return text.toString();
        int start = text.indexOf("\n", text.length() - longest) + 1;
        return text.substring(start);
    }
}
