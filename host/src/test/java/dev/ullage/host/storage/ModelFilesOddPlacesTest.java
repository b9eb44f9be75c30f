// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Recorded;
import dev.ullage.host.process.ProcessId;
import dev.ullage.measure.AbsentCause;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Model files in places that are hard to look at: containers, other people's folders, odd names.
class ModelFilesOddPlacesTest {
    private static final ProcessId ID = new ProcessId(812, 1);
    private static final String GGUF = "\t4747554603000000\n";
    private static final String SAFETENSORS = "\t40000000000000007b225f5f6d657461\n";

    private static String stat(int inode) {
        return "\tdev=254:0 ino=" + inode + " size=943718400 uid=0 kind=file\n";
    }

    private static String map(String range, String path) {
        return range + " r--s 00000000 fe:00 7                          " + path + "\n";
    }

    private static ModelFiles files(String... pathsAndTexts) {
        return ModelFiles.FACT.read(Recorded.host(pathsAndTexts), ID).orThrow();
    }

    private static List<String> paths(ModelFiles files) {
        return files.uses().stream().map(use -> use.file().path()).toList();
    }

    @Test
    void a_model_of_many_shards_is_many_files() {
        StringBuilder maps = new StringBuilder();
        StringBuilder stats = new StringBuilder();
        StringBuilder heads = new StringBuilder();
        for (int i = 1; i <= 4; i++) {
            String path = "/hub/models--Qwen--Qwen3-8B/snapshots/b968/model-0000" + i + "-of-00004.safetensors";
            maps.append(map("7f" + i + "000000000-7f" + i + "010000000", path));
            stats.append(path).append(stat(i));
            heads.append(path).append(SAFETENSORS);
        }
        ModelFiles files = files(
                "proc/812/maps", maps.toString(), "recorded/stat", stats.toString(), "recorded/head", heads.toString());
        assertEquals(4, files.uses().size());
        assertEquals(ModelFormat.SAFETENSORS, files.uses().getFirst().file().format());
    }

    @Test
    void a_name_with_so_in_it_is_no_library() {
        for (String path : List.of("/home/j.sorensen/models/a.gguf", "/data/llama.sota.gguf", "/m/a.so-so.safetensors"))
            assertEquals(
                    List.of(path),
                    paths(files(
                            "proc/812/maps", map("7f0000000000-7f0010000000", path),
                            "recorded/stat", path + stat(7),
                            "recorded/head", path + GGUF)),
                    path);
    }

    @Test
    void libraries_are_not_even_asked_for() {
        for (String path : List.of("/usr/lib/libcuda.so.550.54.15", "/usr/lib/libtorch_cuda.so", "/opt/app.jar"))
            assertEquals(
                    List.of(),
                    paths(files(
                            "proc/812/maps", map("7f0000000000-7f0010000000", path),
                            "recorded/stat", path + stat(7),
                            "recorded/head", path + GGUF)),
                    path);
    }

    @Test
    void a_model_in_dev_shm_is_a_model() {
        ModelFiles files = files(
                "proc/812/maps",
                map("7f0000000000-7f0010000000", "/dev/shm/model.safetensors")
                        + map("7f1000000000-7f1010000000", "/dev/nvidia0")
                        + map("7f2000000000-7f2010000000", "/dev/shm/nccl-a1B2c3"),
                "recorded/stat",
                "/dev/shm/model.safetensors\tdev=0:27 ino=5 size=943718400 uid=0 kind=file\n",
                "recorded/head",
                "/dev/shm/model.safetensors" + SAFETENSORS);
        assertEquals(List.of("/dev/shm/model.safetensors"), paths(files));
    }

    @Test
    void a_model_that_may_not_be_looked_at_is_said_and_a_library_is_not() {
        ModelFiles files = files(
                "proc/812/maps",
                map("7f0000000000-7f0010000000", "/secret/a.gguf") + map("7f1000000000-7f1010000000", "/secret/a.dat"),
                "recorded/absent",
                "/recorded/stat:/secret/a.gguf\tno-permission\tstat said EACCES\n"
                        + "/recorded/stat:/secret/a.dat\tno-permission\tstat said EACCES\n"
                        + "/recorded/stat:/proc/812/map_files/7f0000000000-7f0010000000\tno-permission\tstat said EPERM\n"
                        + "/recorded/stat:/proc/812/map_files/7f1000000000-7f1010000000\tno-permission\tstat said EPERM\n");
        assertEquals(List.of(), files.uses());
        assertEquals(1, files.unreadable().size());
        assertEquals("/secret/a.gguf", files.unreadable().getFirst().source());
        assertEquals(AbsentCause.NO_PERMISSION, files.unreadable().getFirst().cause());
    }

    @Test
    void a_folder_named_with_a_slash_at_its_end_is_the_folder() {
        ModelFiles files = files(
                "proc/812/maps", "",
                "proc/812/cmdline", "vllm\0serve\0/models/qwen/\0",
                "proc/812/root/models/qwen/a.safetensors", "",
                "recorded/stat", "/models/qwen/a.safetensors" + stat(7),
                "recorded/head", "/models/qwen/a.safetensors" + SAFETENSORS);
        assertEquals(List.of("/models/qwen/a.safetensors"), paths(files));
    }

    @Test
    void a_name_that_leads_upwards_is_the_file_it_leads_to() {
        ModelFiles files = files(
                "proc/812/maps", "",
                "proc/812/cwd", "/srv/app",
                "proc/812/cmdline", "llama-server\0-m\0../models/a.gguf\0",
                "recorded/stat", "/srv/models/a.gguf" + stat(7),
                "recorded/head", "/srv/models/a.gguf" + GGUF);
        assertEquals(List.of("/srv/models/a.gguf"), paths(files));
    }

    @Test
    void a_relative_name_of_a_process_whose_folder_is_unknown_is_nobodys_file() {
        ModelFiles files = files(
                "proc/812/maps", "",
                "proc/812/cmdline", "llama-server\0-m\0a.gguf\0",
                "recorded/absent", "/proc/812/cwd\tno-permission\treading it said EACCES\n",
                "recorded/stat", "/a.gguf" + stat(7),
                "recorded/head", "/a.gguf" + GGUF);
        assertEquals(List.of(), paths(files), "not /a.gguf, which is another file");
    }

    @Test
    void of_a_proxys_many_descriptors_some_are_looked_at() {
        List<String> host = new ArrayList<>(List.of("proc/812/maps", ""));
        IntStream.range(0, 5000).forEach(fd -> {
            host.add("proc/812/fd/" + fd);
            host.add("socket:[" + fd + "]");
        });
        assertEquals(List.of(), files(host.toArray(String[]::new)).uses());
    }

    @Test
    void answers_that_make_no_sense_are_no_model_and_no_failure() {
        for (String stat : List.of(
                "kind=file", "dev= ino= size=9999999999 kind=file", "size=9999999999 kind=file", "dev=254:0", ""))
            for (String head : List.of("47475546", "4747554", "xx", "")) {
                ModelFiles files = files(
                        "proc/812/maps", map("7f0000000000-7f0010000000", "/m/a.gguf"),
                        "recorded/stat", "/m/a.gguf\t" + stat + "\n",
                        "recorded/head", "/m/a.gguf\t" + head + "\n");
                assertTrue(files.uses().size() <= 1, stat + " " + head);
            }
    }

    @Test
    void a_process_with_the_most_mappings_there_can_be_is_read_and_counted() {
        StringBuilder maps = new StringBuilder();
        for (int i = 0; i < 65_530; i++)
            maps.append(String.format("7f%010x-7f%010x rw-p 00000000 00:00 0 %n", i * 2 * 4096L, (i * 2 + 1) * 4096L));
        assertEquals(65_530, files("proc/812/maps", maps.toString()).mappings());
    }
}
