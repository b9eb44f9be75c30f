// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// A recorded host of two instants, three seconds apart: llama-server (812) in a container, a shell (500), a kernel
/// thread (9). Written after Linux 6.18 with cgroup v2.
public final class SmallHost {
    public static final String MODEL = "/models/qwen.gguf";

    private SmallHost() {}

    static String stat(
            int pid, String name, int parent, long flags, long majorFaults, long ticks, long start, long vsize) {
        return pid + " (" + name + ") S " + parent + " " + pid + " " + pid + " 0 -1 " + flags + " 5012 0 " + majorFaults
                + " 0 " + ticks + " 94 0 0 20 0 9 0 " + start + " " + vsize
                + " 160000 18446744073709551615 1 1 0 0 0 0 0 4096 0 1 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
    }

    public static Map<String, String> files() {
        Map<String, String> f = new HashMap<>();
        f.put("proc/self/mountinfo", """
                27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
                31 27 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot
                """);
        f.put("recorded/stat", MODEL + "\tdev=254:0 ino=1234 size=943718400 uid=0 kind=file\n");
        f.put("recorded/head", MODEL + "\t4747554603000000\n");
        f.put("recorded/statfs", "/\ttype=0xef53 bsize=4096 blocks=1000 bfree=500 bavail=450 files=100 ffree=25\n");
        f.put("sys/block/vda/dev", "254:0\n");

        f.put("at-0.000/recorded/clock", "2026-03-01T10:00:00Z 4567.0\n");
        f.put("at-0.000/proc/meminfo", "MemTotal:       24684084 kB\nMemAvailable:   20000000 kB\n");
        f.put("at-0.000/proc/vmstat", "pgmajfault 100\nworkingset_refault_file 1000\n");
        f.put("at-0.000/proc/9/stat", stat(9, "kworker/0:1", 2, 69238880, 0, 5, 6, 0));
        f.put("at-0.000/proc/500/stat", stat(500, "bash", 1, 4194560, 0, 5, 700, 8_000_000));
        f.put("at-0.000/proc/500/cmdline", "-bash\0");
        f.put("at-0.000/proc/812/stat", stat(812, "llama-server", 1, 4194304, 731, 118, 51234, 8_589_934_592L));
        f.put("at-0.000/proc/812/cmdline", "/usr/bin/llama-server\0-m\0" + MODEL + "\0--port\08080\0");
        f.put(
                "at-0.000/proc/812/status",
                "Name:\tllama-server\nState:\tS (sleeping)\nVmRSS:\t 640000 kB\nRssAnon:\t 12000 kB\n");
        f.put("at-0.000/proc/812/cgroup", "0::/docker/3f1c\n");
        f.put("at-0.000/proc/812/maps", "7f0000000000-7f0038400000 r--s 00000000 fe:00 1234    " + MODEL + "\n");
        f.put("at-0.000/proc/812/io", "rchar: 9\nread_bytes: 4096\nwrite_bytes: 0\n");
        f.put("at-0.000/sys/fs/cgroup/docker/3f1c/memory.stat", "anon 12288000\ninactive_file 100\nactive_file 200\n");
        f.put("at-0.000/sys/fs/cgroup/docker/3f1c/memory.current", "943718400\n");
        f.put("at-0.000/sys/fs/cgroup/docker/3f1c/memory.max", "1073741824\n");
        f.put("at-0.000/sys/fs/cgroup/docker/memory.stat", "anon 12288000\n");
        f.put("at-0.000/sys/fs/cgroup/memory.stat", "anon 99999999\nfile 1\n");
        f.put("at-0.000/sys/fs/cgroup/docker/3f1c/memory.pressure", "some avg10=0 avg60=0 avg300=0 total=10\n");
        f.put(
                "at-0.000/recorded/cachestat",
                MODEL + "\tcached=1000 dirty=0 writeback=0 evicted=0 recently_evicted=0 by=cachestat\n");

        f.put("at-3.000/recorded/clock", "2026-03-01T10:00:03Z 4570.0\n");
        f.put("at-3.000/proc/vmstat", "pgmajfault 400\nworkingset_refault_file 4000\n");
        f.put("at-3.000/proc/meminfo", "MemTotal:       24684084 kB\nMemAvailable:   19000000 kB\n");
        f.put("at-3.000/proc/812/stat", stat(812, "llama-server", 1, 4194304, 1031, 418, 51234, 8_589_934_592L));
        f.put("at-3.000/proc/812/io", "rchar: 9\nread_bytes: 304096\nwrite_bytes: 0\n");
        f.put(
                "at-3.000/recorded/cachestat",
                MODEL + "\tcached=4000 dirty=0 writeback=0 evicted=0 recently_evicted=0 by=cachestat\n");
        f.put("at-3.000/recorded/thread-states", "812\tpolls=58 waiting=40 running=10 sleeping=8\n");
        return f;
    }

    /// The same host as a folder.
    static void write(Path folder) throws IOException {
        for (Map.Entry<String, String> file : files().entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
    }
}
