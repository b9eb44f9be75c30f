// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.HostileText;
import dev.ullage.measure.AbsentCause;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ContainerRuntimesTest {
    private static final String ID = "3f1c0a9b8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a";
    private static final String OTHER = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    private static final Instant SINCE = Instant.parse("2026-03-01T09:00:00Z");

    /// As Docker 24 writes it, shortened; the secret is one of ours.
    private static String config(String state, int restarts) {
        return "{\"StreamConfig\":{},\"State\":{" + state + "},\"ID\":\"" + ID
                + "\",\"Created\":\"2026-02-01T00:00:00Z\","
                + "\"Managed\":false,\"Path\":\"python3\",\"Args\":[\"-m\",\"vllm\"],\"Config\":{\"Hostname\":\"3f1c0a9b8d7e\","
                + "\"Env\":[\"HF_TOKEN=hf_secret\",\"X={\\\"Name\\\":\\\"/no\\\",\\\"ExitCode\\\":7,\\\"Running\\\":true}\"],"
                + "\"Labels\":{}},\"Image\":\"sha256:ab\",\"NetworkSettings\":{\"Networks\":{}},\"Name\":\"/vllm-prod\","
                + "\"Driver\":\"overlay2\",\"MountPoints\":{\"/models\":{\"Name\":\"models\"}},\"RestartCount\":"
                + restarts
                + ",\"HasBeenStartedBefore\":true}";
    }

    private static String state(boolean running, boolean restarting, boolean oom, int exit, String finished) {
        return "\"Running\":" + running + ",\"Paused\":false,\"Restarting\":" + restarting + ",\"OOMKilled\":" + oom
                + ",\"RemovalInProgress\":false,\"Dead\":false,\"Pid\":812,\"ExitCode\":" + exit
                + ",\"Error\":\"\",\"StartedAt\":\"2026-03-01T08:00:00Z\",\"FinishedAt\":\"" + finished
                + "\",\"Health\":{\"Status\":\"unhealthy\",\"FailingStreak\":3,\"Log\":[{\"ExitCode\":1,\"Output\":\"x\"}]}";
    }

    private static Optional<String> docker(String state, int restarts) {
        return ContainerRuntimes.dockerEnd(ID, config(state, restarts), SINCE);
    }

    @Test
    void a_container_of_docker_that_was_killed_is_told_without_its_environment() {
        String line = docker(state(false, false, true, 137, "2026-03-01T09:58:11.123456789Z"), 0)
                .orElseThrow();
        assertEquals(
                "container\tvllm-prod\tid=" + ID
                        + " runtime=docker exit=137 oom=true running=false restarts=0 at=2026-03-01T09:58:11.123456789Z",
                line);
        assertFalse(line.contains("secret"));
    }

    @Test
    void one_that_runs_again_has_no_exit_code_any_more() {
        // Docker sets ExitCode to 0 at the start and keeps FinishedAt
        assertTrue(docker(state(true, false, false, 0, "2026-03-01T09:58:11Z"), 3)
                .orElseThrow()
                .endsWith(" runtime=docker oom=false running=true restarts=3 at=2026-03-01T09:58:11Z"));
    }

    @Test
    void one_that_waits_for_its_next_start_does_not_run_though_docker_says_so() {
        assertTrue(docker(state(true, true, false, 1, "2026-03-01T09:58:11Z"), 12)
                .orElseThrow()
                .contains(" exit=1 oom=false running=false restarts=12 "));
        // Ended well, and is started again and again
        assertTrue(
                docker(state(true, true, false, 0, "2026-03-01T09:58:11Z"), 12).isPresent());
    }

    @Test
    void one_that_ended_well_long_ago_or_never_is_no_news() {
        assertEquals(Optional.empty(), docker(state(false, false, false, 0, "2026-03-01T09:58:11Z"), 0));
        assertEquals(Optional.empty(), docker(state(false, false, true, 137, "2026-03-01T08:58:11Z"), 0));
        assertEquals(Optional.empty(), docker(state(true, false, false, 0, "0001-01-01T00:00:00Z"), 0));
        assertEquals(Optional.empty(), docker(state(false, false, false, 137, "not a time at all"), 0));
        assertEquals(Optional.empty(), ContainerRuntimes.dockerEnd(ID, "", SINCE));
        assertEquals(Optional.empty(), ContainerRuntimes.dockerEnd(ID, config("", 0), SINCE));
    }

    @Test
    void podman_tells_the_same_in_every_version() {
        // 5.x
        assertEquals(
                Optional.of("container\tvllm\tid=" + ID
                        + " runtime=podman exit=137 running=false restarts=2 at=2026-03-01T10:00:00Z"),
                ContainerRuntimes.podmanEnd(ID + "\tvllm\texited\t137\t1772359200\t2", SINCE));
        // 4.3 (Debian 12): no restarts, and the state in words
        assertEquals(
                Optional.of("container\tvllm\tid=" + ID
                        + " runtime=podman exit=137 running=false restarts=0 at=2026-03-01T10:00:00Z"),
                ContainerRuntimes.podmanEnd(ID + "\tvllm\tExited (137) 3 minutes ago\t137\t1772359200", SINCE));
        assertTrue(ContainerRuntimes.podmanEnd(ID + "\tvllm\tUp 3 minutes\t1\t1772359200", SINCE)
                .orElseThrow()
                .contains(" running=true "));
        assertTrue(ContainerRuntimes.podmanEnd(ID + "\tvllm\trunning\t1\t1772359200\t4", SINCE)
                .orElseThrow()
                .contains(" running=true restarts=4 "));
    }

    @Test
    void a_container_of_podman_that_never_ended_or_ended_well_is_no_news() {
        // What podman 4.3.1 prints of one that was created and not started
        assertEquals(Optional.empty(), ContainerRuntimes.podmanEnd(ID + "\tvllm\tCreated\t0\t-62135596800", SINCE));
        assertEquals(Optional.empty(), ContainerRuntimes.podmanEnd(ID + "\tvllm\texited\t0\t1772359200\t0", SINCE));
        assertEquals(Optional.empty(), ContainerRuntimes.podmanEnd(ID + "\tvllm\texited\t1\t1772350000\t0", SINCE));
        assertEquals(Optional.empty(), ContainerRuntimes.podmanEnd("not-an-id\tvllm\texited\t1\t1772359200\t0", SINCE));
        for (String text : HostileText.ALL) {
            ContainerRuntimes.podmanEnd(text, SINCE);
            ContainerRuntimes.podmanEnd(ID + "\t" + text + "\texited\t1\t1772359200\t" + text, SINCE)
                    .ifPresent(line -> assertEquals(3, line.split("\t", -1).length, text));
        }
    }

    @Test
    void the_kubelets_links_name_pod_namespace_and_container() {
        List<String> links = List.of(
                "coredns-5d78c9869d-abcde_kube-system_coredns-" + OTHER + ".log", "vllm-0_prod_server-" + ID + ".log");
        assertEquals(Optional.of("pod=prod/vllm-0 name=server"), ContainerRuntimes.kubeletName(links, ID));
        assertEquals(
                Optional.of("pod=kube-system/coredns-5d78c9869d-abcde name=coredns"),
                ContainerRuntimes.kubeletName(links, OTHER));
        assertEquals(Optional.empty(), ContainerRuntimes.kubeletName(List.of("a_b_c.log", ID + ".log"), ID));
    }

    @Test
    void podmans_list_names_a_container_and_never_by_its_neighbour() {
        // As podman 4.3.1 writes it
        String list = "[{\"id\":\"" + OTHER
                + "\",\"image\":\"\",\"layer\":\"cab3\",\"metadata\":\"{\\\"image-name\\\":\\\"" + ID
                + "\\\"}\"},{\"id\":\"" + ID + "\",\"names\":[\"vllm\"],\"image\":\"\",\"layer\":\"cab4\","
                + "\"metadata\":\"{\\\"name\\\":\\\"vllm\\\"}\",\"created\":\"2026-12-01T03:41:18.6Z\",\"flags\":{}}]";
        assertEquals(Optional.of("vllm"), ContainerRuntimes.podmanName(list, ID));
        assertEquals(Optional.empty(), ContainerRuntimes.podmanName(list, OTHER), "it has no name of its own");
        assertEquals(Optional.empty(), ContainerRuntimes.podmanName("", ID));
    }

    @Test
    void an_id_that_is_none_or_is_known_to_nobody_has_no_name() {
        ContainerRuntimes runtimes = new ContainerRuntimes(new LiveHost());
        for (String id : List.of("", "../../../etc/passwd", "zz", ID.toUpperCase(java.util.Locale.ROOT), OTHER))
            assertEquals(AbsentCause.NOT_PRESENT, causeOf(runtimes.tell(id)), id);
    }

    @Test
    void a_name_of_several_words_becomes_one() {
        assertEquals("a_b_c", ContainerRuntimes.oneWord("a b\nc"));
    }
}
