// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.HostRoot;
import dev.ullage.host.Recorded;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.storage.ModelFiles.How;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelFilesTest {
    private static final ProcessId ID = new ProcessId(812, 1);
    private static final String GGUF = "\t4747554603000000\n";
    private static final String STAT = "\tdev=254:0 ino=7 size=943718400 uid=0 kind=file\n";

    private static ModelFiles files(String... pathsAndTexts) {
        return ModelFiles.FACT.read(Recorded.host(pathsAndTexts), ID).orThrow();
    }

    @Test
    void a_file_mapped_in_pieces_is_one_use() {
        ModelFiles files =
                files("proc/812/maps", """
                7f0000000000-7f0010000000 r--s 00000000 fe:00 7 /m/a.gguf
                7f0010000000-7f0020000000 r--s 10000000 fe:00 7 /m/a.gguf
                7f0030000000-7f0030001000 r-xp 00000000 fe:00 9 /usr/lib/libc.so.6
                7f0040000000-7f0040001000 rw-p 00000000 00:00 0 [heap]
                """, "recorded/stat", "/m/a.gguf" + STAT, "recorded/head", "/m/a.gguf" + GGUF);
        assertEquals(1, files.uses().size());
        assertEquals(How.MAPPED, files.uses().getFirst().how());
        assertEquals(Bytes.ofMiB(512), files.uses().getFirst().mapped());
        assertEquals(4, files.mappings());
    }

    @Test
    void a_file_that_is_mapped_and_open_and_named_is_mapped() {
        ModelFiles files = files(
                "proc/812/maps", "7f0000000000-7f0010000000 r--s 00000000 fe:00 7 /m/a.gguf\n",
                "proc/812/fd/3", "/m/a.gguf",
                "proc/812/cmdline", "llama-server\u0000-m\u0000/m/a.gguf\u0000",
                "recorded/stat", "/m/a.gguf" + STAT,
                "recorded/head", "/m/a.gguf" + GGUF);
        assertEquals(
                List.of(How.MAPPED),
                files.uses().stream().map(ModelFiles.Use::how).toList());
    }

    @Test
    void an_open_file_and_files_of_a_named_folder_are_found() {
        ModelFiles files = files(
                "proc/812/maps", "",
                "proc/812/fd/3", "/m/a.gguf",
                "proc/812/fd/4", "socket:[123]",
                "proc/812/cmdline", "python3\u0000serve.py\u0000--model=/hub/x\u0000",
                "proc/812/root/hub/x/model.safetensors", "",
                "proc/812/root/hub/x/config.json", "",
                "recorded/stat",
                        "/m/a.gguf" + STAT + "/hub/x/model.safetensors\tdev=254:0 ino=8 size=2000000 uid=0 kind=file\n",
                "recorded/head", "/m/a.gguf" + GGUF + "/hub/x/model.safetensors\t40000000000000007b22\n");
        assertEquals(
                List.of(How.OPEN, How.NAMED),
                files.uses().stream().map(ModelFiles.Use::how).toList());
    }

    @Test
    void a_file_on_fuse_is_a_model_by_its_name_because_opening_it_would_drop_its_pages() {
        ModelFiles files = files(
                "proc/812/maps", """
                7f0000000000-7f0010000000 r--s 00000000 00:31 7 /m/a.gguf
                7f0020000000-7f0030000000 r--s 00000000 00:31 7 /m/weights.bin
                """,
                "recorded/stat", "/m/a.gguf" + STAT + "/m/weights.bin" + STAT,
                "recorded/absent",
                        "/recorded/head:/m/a.gguf\tnot-configured\t" + ModelFiles.NOT_OPENED_ON_FUSE + "\n"
                                + "/recorded/head:/m/weights.bin\tnot-configured\t" + ModelFiles.NOT_OPENED_ON_FUSE
                                + "\n");
        assertEquals(1, files.uses().size());
        assertEquals("/m/a.gguf", files.uses().getFirst().file().path());
        assertEquals(ModelFormat.GGUF, files.uses().getFirst().file().format());
        assertEquals("/m/weights.bin", files.unreadable().getFirst().source());
    }

    @Test
    void a_relative_name_is_looked_up_where_the_process_is() {
        ModelFiles files = files(
                "proc/812/maps", "",
                "proc/812/cwd", "/srv",
                "proc/812/cmdline", "llama-server\u0000-m\u0000models/a.gguf\u0000",
                "recorded/stat", "/srv/models/a.gguf" + STAT,
                "recorded/head", "/srv/models/a.gguf" + GGUF);
        assertEquals("/srv/models/a.gguf", files.uses().getFirst().file().path());
    }

    @Test
    void in_another_mount_namespace_the_process_is_right_about_its_own_path() {
        ModelFiles files = files(
                "proc/812/maps",
                "7f0000000000-7f0010000000 r--s 00000000 fe:00 7 /m/a.gguf\n",
                "recorded/stat",
                "/m/a.gguf\tdev=254:0 ino=99 size=4096 uid=0 kind=file\n"
                        + "/proc/812/map_files/7f0000000000-7f0010000000" + STAT,
                "recorded/head",
                "/proc/812/map_files/7f0000000000-7f0010000000" + GGUF);
        ModelFile file = files.uses().getFirst().file();
        assertEquals(7, file.inode());
        assertEquals("/proc/812/map_files/7f0000000000-7f0010000000", file.via());
    }

    @Test
    void a_deleted_file_is_reached_through_its_mapping() {
        ModelFiles files = files(
                "proc/812/maps", "7f0000000000-7f0010000000 r--s 00000000 fe:00 7 /m/a.gguf (deleted)\n",
                "recorded/stat", "/proc/812/map_files/7f0000000000-7f0010000000" + STAT,
                "recorded/head", "/proc/812/map_files/7f0000000000-7f0010000000" + GGUF);
        assertTrue(files.uses().getFirst().file().deleted());
        assertEquals("/m/a.gguf", files.uses().getFirst().file().path());
    }

    @Test
    void a_file_on_a_hung_mount_is_said_and_not_touched_again() {
        HostRoot host = Recorded.host(
                "proc/812/maps", "7f0000000000-7f0010000000 r--s 00000000 00:32 7 /mnt/nfs/a.gguf\n",
                "recorded/absent", "/recorded/stat:/mnt/nfs/a.gguf\ttimed-out\tits mount did not answer\n");
        ModelFiles files = ModelFiles.FACT.read(host, ID).orThrow();
        assertTrue(files.uses().isEmpty());
        assertEquals(AbsentCause.TIMED_OUT, files.unreadable().getFirst().cause());
    }

    @Test
    void small_files_and_odd_map_lines_are_no_models() {
        List<String> odd =
                new ArrayList<>(List.of("zzz-7f00 r--s 0 fe:00 7 /m/a.gguf", "/", "7f00 /m/a.gguf", "\u0000\u0001"));
        ModelFiles files = files(
                "proc/812/maps", String.join("\n", odd),
                "proc/812/fd/3", "/m/tokenizer.gguf",
                "recorded/stat", "/m/tokenizer.gguf\tdev=254:0 ino=7 size=100 uid=0 kind=file\n");
        assertTrue(files.uses().isEmpty());
    }
}
