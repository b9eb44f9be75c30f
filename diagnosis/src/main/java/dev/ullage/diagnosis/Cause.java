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
    TMPFS_IN_RAM("tmpfs-in-ram", Layer.HOST_MEMORY, "files in a tmpfs take the RAM"),
    SHARED_MEMORY("shared-memory", Layer.HOST_MEMORY, "/dev/shm is too small for what the server puts there"),
    PINNED_MEMORY("pinned-memory", Layer.HOST_MEMORY, "memory pinned for devices cannot be given back"),
    MEMLOCK_LIMIT("memlock-limit", Layer.HOST_MEMORY, "a process may lock less memory than it asks for"),
    MAP_COUNT_LIMIT("map-count-limit", Layer.HOST_MEMORY, "a process has as many mappings as the kernel allows"),
    ADDRESS_SPACE_LIMIT(
            "address-space-limit",
            Layer.HOST_MEMORY,
            "address space is refused (ulimit -v, strict overcommit) while RAM is free"),
    HUGEPAGES_RESERVED("hugepages-reserved", Layer.HOST_MEMORY, "huge pages that nobody uses take the RAM"),
    NUMA_IMBALANCE("numa-imbalance", Layer.HOST_MEMORY, "the server's NUMA node is full while others have room"),
    MEMORY_FRAGMENTATION(
            "memory-fragmentation", Layer.HOST_MEMORY, "memory is free, but not in pieces as large as are asked for"),
    PYTHON_HEAP("python-heap", Layer.HOST_MEMORY, "objects of Python itself fill the heap or pause the server"),
    VRAM_WEIGHTS(
            "vram-weights", Layer.GPU_MEMORY, "the model's weights do not fit on the GPU, or leave nothing beside"),
    VRAM_KV_CACHE("vram-kv-cache", Layer.GPU_MEMORY, "the KV cache holds fewer tokens than the requests need"),
    VRAM_ACTIVATION(
            "vram-activation",
            Layer.GPU_MEMORY,
            "what a batch needs while it is computed does not fit beside the weights"),
    VRAM_FRAGMENTATION(
            "vram-fragmentation",
            Layer.GPU_MEMORY,
            "GPU memory is held in pieces that are too small for what is asked"),
    VRAM_OTHER_PROCESS(
            "vram-other-process", Layer.GPU_MEMORY, "another process holds GPU memory that the server needs"),
    VRAM_LEAK("vram-leak", Layer.GPU_MEMORY, "GPU memory grows until it is gone, or outlives its process"),
    VRAM_SPILL(
            "vram-spill",
            Layer.GPU_MEMORY,
            "a part of the model or of its cache is computed on the CPU or moved over PCIe"),
    GPU_FAULT("gpu-fault", Layer.GPU_MEMORY, "the GPU or its driver has failed"),
    COLD_START("cold-start", Layer.STORAGE, "the model is being read for the first time"),
    SLOW_DISK("slow-disk", Layer.STORAGE, "the disk delivers less than such a disk should"),
    DISK_CONTENTION("disk-contention", Layer.STORAGE, "somebody else keeps the disk busy"),
    IO_THROTTLED("io-throttled", Layer.STORAGE, "a cgroup limits how fast the server may read"),
    NETWORK_FILESYSTEM("network-filesystem", Layer.STORAGE, "the model comes over a network file system"),
    DISK_FULL("disk-full", Layer.STORAGE, "a file system is full"),
    INODE_EXHAUSTION(
            "inode-exhaustion", Layer.STORAGE, "a file system can hold no more files, whatever its free space"),
    CORRUPT_FILE("corrupt-file", Layer.STORAGE, "a model file is cut off, replaced or cannot be read"),
    OPEN_FILES_LIMIT("open-files-limit", Layer.STORAGE, "a process may open no more files"),
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
