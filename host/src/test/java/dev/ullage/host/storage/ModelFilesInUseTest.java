// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Recorded;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.storage.ModelFiles.How;
import dev.ullage.host.storage.ModelFiles.Use;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ModelFilesInUseTest {
    private static final ProcessId ID = new ProcessId(812, 51234);
    private static final long SIZE = 64 << 20;

    private final Map<String, String> files = new HashMap<>();

    private void process(String file, String text) {
        files.put("proc/812/" + file, text);
    }

    private void command(String... arguments) {
        process("cmdline", String.join("\0", arguments) + "\0");
    }

    private void stat(String path, long inode, long size) {
        files.merge(
                "recorded/stat",
                path + "\tdev=254:0 ino=" + inode + " size=" + size + " uid=0 kind=file\n",
                String::concat);
    }

    /// A GGUF of [#SIZE] bytes at a path.
    private void gguf(String path, long inode) {
        stat(path, inode, SIZE);
        files.merge("recorded/head", path + "\t47475546030000002301\n", String::concat);
    }

    private Reading<ModelFiles> reading() {
        return ModelFiles.FACT.read(
                Recorded.host(files.entrySet().stream()
                        .flatMap(e -> Stream.of(e.getKey(), e.getValue()))
                        .toArray(String[]::new)),
                ID);
    }

    private List<Use> uses() {
        return reading().orThrow().uses();
    }

    private List<String> found() {
        return uses().stream().map(use -> use.how() + " " + use.file().path()).toList();
    }

    @Test
    void two_regions_of_a_file_add_up_and_the_highest_offset_counts() {
        process("maps", """
                7f0000000000-7f0001000000 r--s 02000000 fe:00 7                          /models/a.gguf
                7f0010000000-7f0011000000 r--s 00000000 fe:00 7                          /models/a.gguf
                7ffd00000000-7ffd00001000 rw-p 00000000 00:00 0                          [stack]
                """);
        gguf("/models/a.gguf", 7);
        Use use = uses().getFirst();
        assertEquals(1, uses().size());
        assertEquals(How.MAPPED, use.how());
        assertEquals(Bytes.ofMiB(32), use.mapped());
        assertEquals(Bytes.ofMiB(48), use.mappedTo());
        assertEquals(new Bytes(SIZE), use.file().size());
        assertEquals("254:0", use.file().device());
        assertEquals(7, use.file().inode());
        assertEquals("a.gguf", use.file().name());
        assertEquals(ModelFormat.GGUF, use.file().format());
        assertFalse(use.file().deleted());
        assertEquals(3, reading().orThrow().mappings());
    }

    @Test
    void a_path_with_spaces_is_one_path() {
        process("maps", "7f0000000000-7f0001000000 r--s 00000000 fe:00 7 /my models/a b.gguf\n");
        gguf("/my models/a b.gguf", 7);
        assertEquals(List.of("MAPPED /my models/a b.gguf"), found());
    }

    @Test
    void two_names_of_one_file_are_one_use() {
        process("maps", """
                7f0000000000-7f0001000000 r--s 00000000 fe:00 7 /models/a.gguf
                7f0010000000-7f0011000000 r--s 00000000 fe:00 7 /models/link.gguf
                """);
        gguf("/models/a.gguf", 7);
        gguf("/models/link.gguf", 7);
        assertEquals(1, uses().size());
    }

    @Test
    void an_open_file_is_found_and_sockets_devices_and_libraries_are_not_looked_at() {
        process("maps", "");
        process("fd/0", "/dev/null");
        process("fd/1", "pipe:[991]");
        process("fd/2", "/var/log/server.log");
        process("fd/3", "anon_inode:[eventpoll]");
        process("fd/5", "/hub/blobs/0a1b");
        gguf("/hub/blobs/0a1b", 8);
        gguf("/dev/null", 1);
        gguf("/var/log/server.log", 2);
        assertEquals(List.of("OPEN /hub/blobs/0a1b"), found());
    }

    @Test
    void a_file_is_named_by_a_flag_and_its_value_or_in_one_argument() {
        process("maps", "");
        gguf("/models/a.gguf", 7);
        command("llama-server", "-m", "/models/a.gguf", "--port", "8080");
        assertEquals(List.of("NAMED /models/a.gguf"), found());
        command("llama-server", "--model=/models/a.gguf");
        assertEquals(List.of("NAMED /models/a.gguf"), found());
        command("llama-server", "/models/a.gguf");
        assertEquals(List.of("NAMED /models/a.gguf"), found());
    }

    @Test
    void files_of_a_folder_are_named_by_a_flag_and_its_value_or_in_one_argument() {
        process("maps", "");
        for (String name : List.of("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"))
            process("root/hub/x/" + name, "");
        process("root/hub/x/tokenizer.json", "");
        gguf("/hub/x/model-00001-of-00002.safetensors", 7);
        gguf("/hub/x/model-00002-of-00002.safetensors", 8);
        gguf("/hub/x/tokenizer.json", 9);
        List<String> both = List.of(
                "NAMED /hub/x/model-00001-of-00002.safetensors", "NAMED /hub/x/model-00002-of-00002.safetensors");
        command("python3", "-m", "vllm.entrypoints.openai.api_server", "--model=/hub/x");
        assertEquals(both, found());
        command("vllm", "serve", "/hub/x");
        assertEquals(both, found());
        process("cwd", "/hub\n");
        command("vllm", "serve", "./x");
        assertEquals(both, found());
    }

    @Test
    void a_checkpoint_of_lightning_has_equals_signs_in_its_name() {
        process("maps", "");
        process("cwd", "/srv");
        gguf("/ckpt/epoch=3-step=1000.ckpt", 7);
        command("python3", "serve.py", "--ckpt=/ckpt/epoch=3-step=1000.ckpt");
        assertEquals(List.of("NAMED /ckpt/epoch=3-step=1000.ckpt"), found());
        command("python3", "serve.py", "/ckpt/epoch=3-step=1000.ckpt");
        assertEquals(List.of("NAMED /ckpt/epoch=3-step=1000.ckpt"), found());
    }

    @Test
    void the_strongest_use_of_a_file_counts() {
        process("maps", "");
        process("fd/3", "/models/a.gguf");
        command("llama-server", "-m", "/models/a.gguf");
        gguf("/models/a.gguf", 7);
        assertEquals(List.of("OPEN /models/a.gguf"), found());
    }

    @Test
    void in_another_mount_namespace_the_named_file_is_the_one_under_the_root_of_the_process() {
        process("maps", "");
        command("llama-server", "-m", "/models/a.gguf");
        stat("/models/a.gguf", 99, 4096);
        gguf("/proc/812/root/models/a.gguf", 7);
        Use use = uses().getFirst();
        assertEquals(7, use.file().inode());
        assertEquals("/models/a.gguf", use.file().path());
        assertEquals("/proc/812/root/models/a.gguf", use.file().via());
    }

    @Test
    void in_another_mount_namespace_an_open_file_is_the_one_behind_the_descriptor() {
        process("maps", "");
        process("fd/3", "/models/a.gguf");
        gguf("/models/a.gguf", 99);
        gguf("/proc/812/fd/3", 7);
        assertEquals(7, uses().getFirst().file().inode());
        assertEquals("/proc/812/fd/3", uses().getFirst().file().via());
    }

    @Test
    void where_both_views_agree_the_path_itself_is_used() {
        process("maps", "");
        command("llama-server", "-m", "/models/a.gguf");
        gguf("/models/a.gguf", 7);
        gguf("/proc/812/root/models/a.gguf", 7);
        assertEquals("/models/a.gguf", uses().getFirst().file().via());
    }

    @Test
    void a_file_that_was_deleted_and_made_anew_is_not_taken_for_the_old_one() {
        process("maps", "");
        process("fd/3", "/models/a.gguf (deleted)");
        gguf("/models/a.gguf", 99);
        gguf("/proc/812/fd/3", 7);
        ModelFile file = uses().getFirst().file();
        assertTrue(file.deleted());
        assertEquals(7, file.inode());
        assertEquals("/models/a.gguf", file.path());
    }

    @Test
    void what_is_smaller_than_a_mebibyte_is_none() {
        process("maps", "7f0000000000-7f00000ff000 r--s 00000000 fe:00 7 /m/mapped.gguf\n");
        process("fd/3", "/m/open.gguf");
        process("fd/4", "/m/just.gguf");
        gguf("/m/mapped.gguf", 7);
        files.merge("recorded/head", "/m/open.gguf\t47475546\n/m/just.gguf\t47475546\n", String::concat);
        stat("/m/open.gguf", 8, (1 << 20) - 1);
        stat("/m/just.gguf", 9, 1 << 20);
        assertEquals(List.of("OPEN /m/just.gguf"), found());
    }

    @Test
    void a_large_file_that_is_no_model_and_a_folder_with_a_models_name_are_none() {
        process("maps", "");
        process("fd/3", "/m/video.bin");
        process("fd/4", "/m/folder.gguf");
        stat("/m/video.bin", 7, SIZE);
        files.merge("recorded/head", "/m/video.bin\t00000018667479706d703432\n", String::concat);
        files.merge("recorded/stat", "/m/folder.gguf\tdev=254:0 ino=3 size=4194304 uid=0 kind=other\n", String::concat);
        assertEquals(List.of(), found());
        assertEquals(List.of(), reading().orThrow().unreadable());
    }

    @Test
    void a_hung_mount_is_said_and_hides_no_other_file() {
        process("maps", """
                7f0000000000-7f0001000000 r--s 00000000 00:32 7 /mnt/nfs/a.gguf
                7f0010000000-7f0011000000 r--s 00000000 fe:00 8 /models/b.gguf
                """);
        gguf("/models/b.gguf", 8);
        files.put("recorded/absent", "/recorded/stat:/mnt/nfs\ttimed-out\tits mount did not answer\n");
        assertEquals(List.of("MAPPED /models/b.gguf"), found());
        Absent<ModelFile> hung = reading().orThrow().unreadable().getFirst();
        assertEquals("/mnt/nfs/a.gguf", hung.source());
        assertEquals(AbsentCause.TIMED_OUT, hung.cause());
    }

    @Test
    void a_model_that_may_not_be_opened_is_said() {
        process("maps", "");
        process("fd/3", "/models/a.gguf");
        process("fd/4", "/secret/other");
        stat("/models/a.gguf", 7, SIZE);
        stat("/secret/other", 8, SIZE);
        files.put("recorded/absent", "/recorded/head\tno-permission\topening it said EACCES\n");
        assertEquals(List.of(), found());
        assertEquals(
                List.of("/models/a.gguf"),
                reading().orThrow().unreadable().stream().map(Absent::source).toList());
    }

    @Test
    void a_process_of_somebody_else_is_no_process_without_models() {
        files.put(
                "recorded/absent",
                "/proc/812/maps\tno-permission\tEACCES\n/proc/812/fd\tno-permission\topening it said EACCES\n");
        command("llama-server", "-m", "/models/a.gguf");
        assertEquals(AbsentCause.NO_PERMISSION, ((Absent<?>) reading()).cause());
    }
}
