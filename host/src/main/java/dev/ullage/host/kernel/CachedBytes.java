// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.ullage.host.storage.HeaderBytes;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Reads of a file what lies in the page cache, and makes the disk fetch nothing.
///
/// preadv2 with RWF_NOWAIT alone does not do that. It does not *wait*, but since Linux 5.9 it starts read-ahead for
/// what
/// is missing (mm/filemap.c, filemap_get_pages) before it says EAGAIN. So the kernel is asked first what is there, by
/// cachestat(2), or mincore(2) where that is missing.
final class CachedBytes implements HeaderBytes.Source {
    private static final int BLOCK = 1 << 16;
    /// The smallest page there is. Where pages are larger, they are only asked about more often.
    private static final int PAGE = 4096;

    private static final int PROT_READ = 1;
    private static final int MAP_SHARED = 1;

    private final Arena arena;
    private final String path;
    private final long fd;
    private final long size;
    private final boolean mayTrustMincore;
    private final MemorySegment bytes;
    private final MemorySegment vector;
    private final MemorySegment range;
    private final MemorySegment counts;
    private boolean hasCachestat;

    /// @param hasCachestat false where the kernel is known to be older than 6.5
    /// @param mayTrustMincore whether we are root or the file's owner; to others mincore lies
    CachedBytes(Arena arena, String path, long fd, long size, boolean hasCachestat, boolean mayTrustMincore) {
        this.hasCachestat = hasCachestat;
        this.arena = arena;
        this.path = path;
        this.fd = fd;
        this.size = size;
        this.mayTrustMincore = mayTrustMincore;
        bytes = arena.allocate(BLOCK);
        // struct iovec { void *base; size_t length; }
        vector = arena.allocate(16, 8);
        vector.set(JAVA_LONG_UNALIGNED, 0, bytes.address());
        // struct cachestat_range { off, len }; struct cachestat: five 64-bit counts, the first of pages in the cache.
        range = arena.allocate(16, 8);
        counts = arena.allocate(40, 8);
    }

    /// Why there is nothing to read.
    static final class Refused extends IOException {
        private static final long serialVersionUID = 1;
        private final transient Reading<String> reading;

        Refused(Reading<String> reading) {
            this.reading = reading;
        }

        Reading<String> reading() {
            return reading;
        }
    }

    @Override
    public int read(long position, byte[] buffer) throws IOException {
        long most = Math.min(Math.min(buffer.length, BLOCK), size - position);
        if (most <= 0) return 0;
        long length = areAllCached(position, most) ? most : 0;
        while (length < most && isCached(position + length)) length += PAGE - (position + length) % PAGE;
        length = Math.min(length, most);
        if (length <= 0)
            throw new Refused(Reading.absent(
                    path,
                    AbsentCause.NOT_PRESENT,
                    "its header is not in memory beyond byte " + position + ", and was not fetched"));
        vector.set(JAVA_LONG_UNALIGNED, 8, length);
        long read = Syscalls.call(arena, Syscalls.PREADV2, fd, vector.address(), 1, position, 0, Syscalls.RWF_NOWAIT);
        // Some file systems (NFS, older tmpfs) know no reads that do not wait; what is in memory takes no waiting.
        if (read == -95 || read == -38)
            read = Syscalls.call(arena, Syscalls.PREAD, fd, bytes.address(), length, position);
        if (read < 0) throw new Refused(Errno.absent(path, "reading its header", read));
        MemorySegment.copy(bytes, JAVA_BYTE, 0, buffer, 0, (int) read);
        return (int) read;
    }

    /// Seventeen questions in one, on the way that is taken nearly always.
    private boolean areAllCached(long position, long length) throws Refused {
        long pages = (position + length - 1) / PAGE - position / PAGE + 1;
        return hasCachestat && cachedPages(position, length) >= pages;
    }

    private boolean isCached(long position) throws Refused {
        return hasCachestat ? cachedPages(position, 1) > 0 : isCachedByMincore(position);
    }

    private long cachedPages(long position, long length) throws Refused {
        range.set(JAVA_LONG_UNALIGNED, 0, position);
        range.set(JAVA_LONG_UNALIGNED, 8, length);
        long result = Syscalls.call(arena, Syscalls.CACHESTAT, fd, range.address(), counts.address(), 0);
        if (result == 0) return counts.get(JAVA_LONG_UNALIGNED, 0);
        if (result != -38) throw new Refused(Errno.absent(path, "cachestat", result));
        hasCachestat = false;
        if (!mayTrustMincore)
            throw new Refused(
                    Reading.absent(path, AbsentCause.NO_PERMISSION, "mincore tells only root and the owner the truth"));
        return 0;
    }

    /// By a mapping of one page that is never touched.
    private boolean isCachedByMincore(long position) throws Refused {
        long page = position / PAGE * PAGE;
        long address = Syscalls.call(arena, Syscalls.MMAP, 0, PAGE, PROT_READ, MAP_SHARED, fd, page);
        if (address < 0 && address > -4096) throw new Refused(Errno.absent(path, "mmap", address));
        try {
            long result = Syscalls.call(arena, Syscalls.MINCORE, address, PAGE, counts.address(), 0);
            if (result < 0) throw new Refused(Errno.absent(path, "mincore", result));
            return (counts.get(JAVA_BYTE, 0) & 1) != 0;
        } finally {
            Syscalls.call(arena, Syscalls.MUNMAP, address, PAGE, 0, 0);
        }
    }
}
