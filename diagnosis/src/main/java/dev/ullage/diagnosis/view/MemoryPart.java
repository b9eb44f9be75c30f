// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.measure.Bytes;

/// A piece of an amount of memory: of the host's RAM, of what a cgroup may hold.
///
/// @param name in a few plain words; names of processes and files stand as the host gives them
/// @param detail what else there is to say: a path; may be empty
public record MemoryPart(Kind kind, String name, String detail, Bytes bytes) {
    /// What it is, in the order in which a picture shows them: from what nobody gives back to what is free.
    public enum Kind {
        /// Memory of processes that is backed by no file: heaps, weights that were copied, KV caches in RAM.
        ANONYMOUS,
        /// tmpfs, /dev/shm and shared segments.
        SHARED,
        /// Huge pages that somebody has in use.
        HUGE_PAGES_USED,
        /// Huge pages that were set aside and that nobody uses: nothing else can have them.
        HUGE_PAGES_UNUSED,
        /// The kernel's own objects, a part of which it gives back.
        SLAB,
        /// What no counter names: page tables, stacks, network buffers, drivers, ZFS's ARC.
        OTHER,
        /// Page cache of model files.
        MODEL_CACHE,
        /// Page cache of all other files.
        OTHER_CACHE,
        FREE
    }
}
