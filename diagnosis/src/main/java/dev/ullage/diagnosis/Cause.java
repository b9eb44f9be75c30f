// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

/// The closed catalogue of what can be wrong. A rule belongs to one cause; several rules may share it.
public enum Cause {
    HOST_RAM("host-ram", Layer.HOST_MEMORY, "the host has too little RAM for what runs on it"),
    CGROUP_LIMIT(
            "cgroup-limit", Layer.HOST_MEMORY, "a cgroup (container, unit) may use less memory than its server needs"),
    SWAP_THRASH("swap-thrash", Layer.HOST_MEMORY, "memory in use is swapped out and in again"),
    PAGE_CACHE_THRASH("page-cache-thrash", Layer.HOST_MEMORY, "a mapped model is larger than what is left to cache it"),
    DUPLICATE_COPIES("duplicate-copies", Layer.HOST_MEMORY, "each worker holds its own copy of the model"),
    MEMORY_LEAK("memory-leak", Layer.HOST_MEMORY, "a process grows until something breaks"),
    COLD_START("cold-start", Layer.STORAGE, "the model is being read for the first time"),
    SLOW_DISK("slow-disk", Layer.STORAGE, "the disk delivers less than such a disk should"),
    DISK_CONTENTION("disk-contention", Layer.STORAGE, "somebody else keeps the disk busy"),
    IO_THROTTLED("io-throttled", Layer.STORAGE, "a cgroup limits how fast the server may read"),
    DISK_FULL("disk-full", Layer.STORAGE, "a file system is full"),
    NOT_MEMORY("not-memory", Layer.OTHER, "it looks like memory or storage, and is not");

    private final String word;
    private final Layer layer;
    private final String meaning;

    Cause(String word, Layer layer, String meaning) {
        this.word = word;
        this.layer = layer;
        this.meaning = meaning;
    }

    /// Its name in the report's schema.
    public String word() {
        return word;
    }

    public Layer layer() {
        return layer;
    }

    /// One clause for a person.
    public String meaning() {
        return meaning;
    }
}
