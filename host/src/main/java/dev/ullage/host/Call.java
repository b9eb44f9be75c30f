// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

/// The questions a host answers by a call and not by a file. Each is recorded under `recorded/<word>`; [Shape] says
/// how.
public enum Call {
    /// Wall clock and monotonic clock: `2026-11-30T22:28:17.123Z 4567.891` (RFC 3339, then seconds since boot).
    CLOCK("clock", "clock", Shape.WHOLE),
    /// The kernel's ring buffer, one record a line as `/dev/kmsg` gives it: `6,339,5140900,-;oom-kill:constraint=…`.
    KERNEL_LOG("kmsg", "/dev/kmsg", Shape.WHOLE),
    /// Space and inodes of a mount: `type=0xef53 bsize=4096 blocks=… bfree=… bavail=… files=… ffree=…`.
    STATFS("statfs", "statfs", Shape.LINES),
    /// A file's identity and size: `dev=254:0 ino=1234 size=… uid=0 kind=file`.
    STAT("stat", "stat", Shape.LINES),
    /// Pages of a file in memory: `cached=… dirty=… writeback=… evicted=… recently_evicted=… by=cachestat`.
    PAGE_CACHE("cachestat", "cachestat", Shape.LINES),
    /// The first bytes of a file, in hexadecimal.
    FILE_HEAD("head", "read", Shape.LINES),
    /// How long a model file must be by its own header, from what of it is in the page cache, and the shape of its
    /// layers: `needs=4928307200 layers=36 kv-heads=8 cache-values=73728`.
    EXTENT("extent", "model header", Shape.LINES),
    /// The NUMA policy that a process set for itself, from the first line of its numa_maps: `bind:1`. The whole file
    /// would
    /// make the kernel walk all of its memory.
    NUMA_POLICY("numa-policy", "/proc/<pid>/numa_maps", Shape.LINES),
    /// What the container runtime knows of a container, by its id: `runtime=docker name=vllm-prod`.
    CONTAINER("container", "container runtime", Shape.LINES),
    /// Services that ended badly in the last hours, one a line; see [dev.ullage.host.service.ServiceEnds].
    SERVICE_ENDS("service-ends", "journalctl, container runtimes", Shape.WHOLE),
    /// What the threads of a process did when looked at again and again: `polls=58 waiting=40 running=10 sleeping=8`.
    THREAD_STATES("thread-states", "/proc/<pid>/task/*/stat", Shape.LINES),
    /// The TCP ports a process listens on, by its number; see [dev.ullage.host.server.ListeningSockets].
    LISTENING("listening", "/proc/<pid>/net/tcp", Shape.LINES),
    /// Names of a process's environment variables, by its number; see [dev.ullage.host.server.EnvironmentNames].
    ENVIRONMENT("environment", "/proc/<pid>/environ", Shape.LINES),
    /// Everything NVIDIA's driver says of its GPUs; see [dev.ullage.host.gpu.NvmlText].
    NVML("nvml", "libnvidia-ml.so.1", Shape.WHOLE),
    /// The memory of NVIDIA's GPUs and who has it, in the same words: what of [#NVML] can be asked at every instant.
    NVML_MEMORY("nvml-memory", "libnvidia-ml.so.1", Shape.WHOLE),
    /// The XML that `nvidia-smi -q -x` prints, asked only where the library cannot be loaded.
    NVIDIA_SMI("nvidia-smi", "nvidia-smi -q -x", Shape.WHOLE),
    /// What a server on this host answers to a GET on loopback; about `8000/metrics`. The body alone; an answer that is
    /// no success is an absence.
    HTTP("http", "http://127.0.0.1", Shape.FILES);

    /// How the answers of a call are written down.
    public enum Shape {
        /// One answer, the file `recorded/<word>`: it is about nothing in particular.
        WHOLE,
        /// One line an answer in `recorded/<word>`: `about`, a tab, the answer.
        LINES,
        /// One file an answer, `recorded/<word>/<about>`: answers of many lines.
        FILES
    }

    private final String word;
    private final String source;
    private final Shape shape;

    Call(String word, String source, Shape shape) {
        this.word = word;
        this.source = source;
        this.shape = shape;
    }

    /// The name of its file under `recorded/`.
    public String word() {
        return word;
    }

    /// What is asked on a live host, for reports: `/dev/kmsg`.
    public String source() {
        return source;
    }

    public Shape shape() {
        return shape;
    }
}
