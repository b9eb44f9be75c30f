// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

/// The questions a host answers by a call and not by a file. Each is recorded under `recorded/<word>`: whole when it is
/// about nothing in particular, else one line an answer: `about`, a tab, the answer.
public enum Call {
    /// Wall clock and monotonic clock: `2026-11-30T22:28:17.123Z 4567.891` (RFC 3339, then seconds since boot).
    CLOCK("clock", "clock", true),
    /// The kernel's ring buffer, one record a line as `/dev/kmsg` gives it: `6,339,5140900,-;oom-kill:constraint=…`.
    KERNEL_LOG("kmsg", "/dev/kmsg", true),
    /// Space and inodes of a mount: `type=0xef53 bsize=4096 blocks=… bfree=… bavail=… files=… ffree=…`.
    STATFS("statfs", "statfs", false),
    /// A file's identity and size: `dev=254:0 ino=1234 size=… uid=0 kind=file`.
    STAT("stat", "stat", false),
    /// Pages of a file in memory: `cached=… dirty=… writeback=… evicted=… recently_evicted=… by=cachestat`.
    PAGE_CACHE("cachestat", "cachestat", false),
    /// The first bytes of a file, in hexadecimal.
    FILE_HEAD("head", "read", false),
    /// How long a model file must be by its own header, from what of it is in the page cache: `needs=4928307200`.
    EXTENT("extent", "model header", false),
    /// The NUMA policy that a process set for itself, from the first line of its numa_maps: `bind:1`. The whole file
    /// would
    /// make the kernel walk all of its memory.
    NUMA_POLICY("numa-policy", "/proc/<pid>/numa_maps", false),
    /// What the container runtime knows of a container, by its id: `runtime=docker name=vllm-prod`.
    CONTAINER("container", "container runtime", false),
    /// Services that ended badly in the last hours, one a line; see [dev.ullage.host.service.ServiceEnds].
    SERVICE_ENDS("service-ends", "journalctl, container runtimes", true),
    /// What the threads of a process did when looked at again and again: `polls=58 waiting=40 running=10 sleeping=8`.
    THREAD_STATES("thread-states", "/proc/<pid>/task/*/stat", false);

    private final String word;
    private final String source;
    private final boolean whole;

    Call(String word, String source, boolean whole) {
        this.word = word;
        this.source = source;
        this.whole = whole;
    }

    /// The name of its file under `recorded/`.
    public String word() {
        return word;
    }

    /// What is asked on a live host, for reports: `/dev/kmsg`.
    public String source() {
        return source;
    }

    /// Whether its file is one answer, not one line an answer.
    public boolean isWhole() {
        return whole;
    }
}
