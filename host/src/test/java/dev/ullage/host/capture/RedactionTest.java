// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Evidence;
import dev.ullage.host.Focus;
import dev.ullage.host.MemoryTree;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.Sampler;
import dev.ullage.host.SmallHost;
import dev.ullage.host.process.CommandLine;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RedactionTest {
    private static NavigableMap<String, String> redact(String... pathsAndTexts) {
        NavigableMap<String, String> tree = new TreeMap<>();
        for (int i = 0; i < pathsAndTexts.length; i += 2) tree.put(pathsAndTexts[i], pathsAndTexts[i + 1]);
        return Redaction.of(tree);
    }

    private static String commandLine(String... arguments) {
        String text = String.join("\0", arguments) + "\0";
        return redact("proc/1/cmdline", text)
                .get("proc/1/cmdline")
                .replace('\0', ' ')
                .strip();
    }

    private static String log(String line) {
        return redact("recorded/kmsg", "6,1,2,-;" + line + "\n")
                .get("recorded/kmsg")
                .substring(8)
                .strip();
    }

    @Test
    void values_of_flags_that_are_named_like_secrets_go() {
        for (String flag : List.of(
                "--api-key",
                "--token",
                "--hf-token",
                "--password",
                "--ssl-key-password",
                "--apiKey",
                "--auth-token",
                "-password",
                "--client-secret",
                "--aws_secret_access_key",
                "--db.passwd"))
            for (String line : List.of(
                    commandLine("vllm", flag, "v4lue"),
                    commandLine("vllm", flag + "=v4lue"),
                    commandLine("sh", "-c", "exec vllm " + flag + " v4lue x")))
                assertFalse(line.contains("v4lue"), line);
        assertEquals(
                "vllm serve m --api-key redacted1 --port 80",
                commandLine("vllm", "serve", "m", "--api-key", "x", "--port", "80"));
    }

    @Test
    void settings_that_only_sound_like_secrets_stay() {
        String line = "vllm serve /models/qwen --tokenizer /models/tok --max-tokens 4096 --max-num-batched-tokens 8192"
                + " --tokenizer-mode auto --api-key-file /run/secrets/k --kv-cache-dtype fp8 --author x --cache-type-k q8_0"
                + " --override-kv a.b=int:4 -ngl 99 --host 0.0.0.0 --monkey 7";
        assertEquals(line, commandLine(line.split(" ")));
    }

    @Test
    void values_of_environment_variables_go() {
        assertEquals(
                "env redacted1 python3 x.py".replace("redacted1", "FOO=redacted1"),
                commandLine("env", "FOO=bar", "python3", "x.py"));
        assertEquals("env foo=redacted1 python3 a=b", commandLine("env", "foo=bar", "python3", "a=b"));
        assertEquals("docker run -e foo=redacted1 img", commandLine("docker", "run", "-e", "foo=b c", "img"));
        assertFalse(commandLine("sh", "-c", "VLLM_API_KEY='a b' DB=x exec vllm").matches(".*(a b|=x).*"));
        assertEquals("env CUDA_VISIBLE_DEVICES=0,1 python3", commandLine("env", "CUDA_VISIBLE_DEVICES=0,1", "python3"));
        assertEquals(
                "x --env {\"AB\": \"redacted1\", \"RANK\": \"3\"}",
                commandLine("x", "--env", "{\"AB\": \"/etc/x y\", \"RANK\": \"3\"}"));
        assertFalse(log("systemd[1]: HF_HOME=/secret/place set").contains("/secret"));
    }

    @Test
    void secrets_go_by_their_shape_wherever_they_stand() {
        for (String secret : SHAPES)
            for (String path : List.of(
                    "proc/812/cmdline",
                    "recorded/kmsg",
                    "proc/812/maps",
                    "recorded/links",
                    "proc/812/cgroup",
                    "proc/self/mountinfo",
                    "some/new/file",
                    "sys/fs/cgroup/x/memory.stat",
                    "recorded/absent"))
                assertFalse(
                        redact(path, "a " + secret + " b\n").toString().contains(secret.substring(4)),
                        path + " " + secret);
    }

    private static final List<String> SHAPES = List.of(
            "hf_QwErTyUiOpAsDfGhJk",
            "sk-proj-abcdefghij0123456789",
            "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
            "github_pat_11ABCDEFG0abcdefghijklmnop",
            "AKIAIOSFODNN7EXAMPLE",
            "xoxb-123456789012-abcdefghijkl",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
            "glpat-abcdefghij0123456789",
            "Bearer abc.def-ghi~1",
            "-----BEGIN OPENSSH PRIVATE KEY-----\\x0ab3BlbnNzaC1rZXktdjEA\\x0a-----END OPENSSH PRIVATE KEY-----");

    @Test
    void urls_keep_their_host_and_lose_their_user() {
        assertEquals(
                "curl https://redacted1@nas.local/x?a=1&token=redacted2",
                commandLine("curl", "https://bob:pw@nas.local/x?a=1&token=zz"));
        assertFalse(commandLine("curl", "-H", "Authorization: Basic dXNlcjpwYXNz", "-u", "bob:geheim9")
                .matches(".*(dXNl|geheim).*"));
        assertFalse(commandLine("bash", "-c", "sh -c 'T=1 run --secret geheim9 x=y'")
                .contains("geheim9"));
        assertFalse(commandLine("curl", "-H", "X-Api-Key: geheim9").contains("geheim9"));
        assertFalse(commandLine("python3", "-c", "login('x', password='geheim9'); d={\"api_key\": \"abc9\"}")
                .matches(".*(geheim9|abc9).*"));
    }

    @Test
    void a_secret_from_a_command_line_goes_where_the_kernel_log_quotes_it() {
        NavigableMap<String, String> tree = redact(
                "proc/1/cmdline", "vllm\0--api-key\0correct-horse-battery\0",
                "recorded/kmsg", "6,1,2,-;audit: title=vllm correct-horse-battery\n",
                "sys/fs/cgroup/correct-horse-battery/memory.max", "max\n");
        assertFalse(tree.toString().contains("horse"), tree.toString());
        assertEquals("max\n", tree.get("sys/fs/cgroup/redacted1/memory.max"));
    }

    @Test
    void users_go_wherever_they_are_words_and_paths_stay_one() {
        NavigableMap<String, String> tree = redact(
                "proc/7/cmdline", "/home/alice/bin/llama-server\0-m\0/home/alice/m.gguf\0--alias\0alice-7b\0",
                "proc/7/cgroup", "0::/user.slice/user-1000.slice/alice.slice\n",
                "proc/7/maps", "7f0000000000-7f0038400000 r--s 00000000 fe:00 12 /home/alice/m.gguf\n",
                "proc/8/cmdline", "sshd: bobby [priv]\0",
                "sys/fs/cgroup/user.slice/user-1000.slice/alice.slice/memory.max", "max\n",
                "recorded/stat", "/home/alice/m.gguf\tdev=1:2 ino=3 size=4 uid=1000 kind=file\n",
                "recorded/kmsg", "6,1,2,-;oom: task=/home/carol/x,uid=1001 session for user bobby\n");
        assertFalse(tree.toString().matches("(?s).*(alice|bobby|carol).*"), tree.toString());
        assertTrue(tree.get("recorded/stat").startsWith("/home/user1/m.gguf\tdev=1:2 ino=3 size=4 uid=1000 kind=file"));
        assertTrue(tree.get("proc/7/maps").endsWith("/home/user1/m.gguf\n"));
        assertTrue(tree.containsKey("sys/fs/cgroup/user.slice/user-1000.slice/user1.slice/memory.max"));
        assertTrue(tree.get("proc/7/cgroup").endsWith("/user1.slice\n"));
    }

    @Test
    void a_user_called_like_a_file_of_the_kernel_breaks_no_fact() {
        NavigableMap<String, String> tree = redact(
                "proc/1/cmdline", "x\0/home/max/a.gguf\0/home/memory/b.gguf\0",
                "sys/fs/cgroup/memory/memory.max", "max\n",
                "recorded/stat", "/home/max/a.gguf\tkind=file\n");
        assertEquals("max\n", tree.get("sys/fs/cgroup/memory/memory.max"));
        assertEquals("/home/user1/a.gguf\tkind=file\n", tree.get("recorded/stat"));
    }

    @Test
    void root_and_accounts_every_machine_has_stay() {
        assertEquals(
                "x /root/a /home/ubuntu/b /run/user/1000/c",
                commandLine("x", "/root/a", "/home/ubuntu/b", "/run/user/1000/c"));
    }

    @Test
    void public_addresses_and_mails_go_and_units_and_private_addresses_stay() {
        assertEquals("ssh -L 80:address1:80 nas", commandLine("ssh", "-L", "80:93.184.216.34:80", "nas"));
        assertEquals("x email1", commandLine("x", "alice.b@corp.example.com"));
        assertFalse(log("eth0: MAC 52:54:00:12:34:56, 2001:db8::1").matches(".*(52:54|2001:).*"));
        String mount = "31 27 0:50 / /nfs rw - nfs4 10.1.2.3:/m rw,addr=10.1.2.3\n";
        assertEquals(mount, redact("proc/self/mountinfo", mount).get("proc/self/mountinfo"));
        String cgroup = "0::/system.slice/system-getty.slice/getty@tty1.service\n";
        assertEquals(cgroup, redact("proc/9/cgroup", cgroup).get("proc/9/cgroup"));
        String cifs = "31 27 0:50 / /c rw - cifs //10.0.0.2/s rw,username=alice,domain=CORP,uid=0\n";
        assertFalse(
                redact("proc/self/mountinfo", cifs).get("proc/self/mountinfo").matches("(?s).*(alice|CORP).*"));
    }

    @Test
    void the_first_bytes_of_a_model_keep_their_length() {
        String head = HexFormat.of().formatHex("PK\3\4 hf_QwErTyUiOpAsDfGhJk x".getBytes());
        String hidden = redact("recorded/head", "/m/a.pt\t" + head + "\n")
                .get("recorded/head")
                .strip();
        assertEquals(head.length(), hidden.length() - "/m/a.pt\t".length());
        assertTrue(hidden.startsWith("/m/a.pt\t504b0304"));
        assertFalse(hidden.contains(HexFormat.of().formatHex("QwErTy".getBytes())));
    }

    @Test
    void numbers_of_the_kernel_and_what_facts_are_parsed_from_are_untouched() {
        NavigableMap<String, String> tree = new TreeMap<>(SmallHost.files());
        assertEquals(tree, Redaction.of(tree));
        String oom = "6,391,1213544022,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,"
                + "oom_memcg=/docker/3f1c,task_memcg=/docker/3f1c,task=python3,pid=812,uid=0\n"
                + "3,392,1213544023,-;Memory cgroup out of memory: Killed process 812 (python3) total-vm:8kB, anon-rss:4kB,"
                + " file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:1kB oom_score_adj:0\n"
                + "3,393,1213544024,-;critical medium error, dev sda, sector 123 op 0x0:(READ) flags 0x80700\n"
                + " SUBSYSTEM=block\n DEVICE=b8:0\n";
        assertEquals(oom, redact("recorded/kmsg", oom).get("recorded/kmsg"));
    }

    @Test
    void a_redacted_host_gives_the_same_findings_under_other_names() {
        Map<String, String> files = new TreeMap<>();
        SmallHost.files()
                .forEach((path, text) -> files.put(
                        path,
                        text.replace("/models/", "/home/alice/").replace("--port", "--api-key\0geheim99\0--port")));
        Evidence evidence =
                Sampler.replay(new RecordedHost(new MemoryTree(Redaction.of(new TreeMap<>(files)))), Focus.EVERYTHING);
        assertEquals(
                "/home/user1/qwen.gguf",
                evidence.servers().getFirst().models().getFirst().path());
        assertEquals(
                List.of(
                        "/usr/bin/llama-server",
                        "-m",
                        "/home/user1/qwen.gguf",
                        "--api-key",
                        "redacted1",
                        "--port",
                        "8080"),
                evidence.latest(CommandLine.FACT, evidence.servers().getFirst().main())
                        .orThrow()
                        .arguments());
    }

    @Test
    void redacting_twice_changes_nothing_more() {
        NavigableMap<String, String> once =
                redact("proc/1/cmdline", "vllm\0--api-key\0x\0/home/bo/a\0b@c.de\0" + "8.8.8.8\0");
        assertEquals(once, Redaction.of(once));
    }

    @Test
    void a_long_kernel_log_is_redacted_in_little_time() {
        StringBuilder kmsg = new StringBuilder();
        for (int i = 0; i < 4_000; i++)
            kmsg.append("6,")
                    .append(i)
                    .append(",1,-;")
                    .append(Arrays.asList(
                                    "x: y=z key a_b.c-d",
                                    "-----BEGIN A-----",
                                    "a".repeat(200),
                                    "://////@@@ --- === ::: a=b=c=d")
                            .get(i % 4))
                    .append('\n');
        long start = System.nanoTime();
        redact("recorded/kmsg", kmsg.toString());
        assertTrue(System.nanoTime() - start < 10_000_000_000L, "took " + (System.nanoTime() - start) / 1e9 + " s");
    }
}
