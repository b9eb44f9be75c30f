// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.service;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.HostileText;
import dev.ullage.host.Recorded;
import dev.ullage.host.process.ProcessId;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServiceTest {
    private static final String ID = "3f1c0a9b8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a";
    private static final String OTHER = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    private static final String UID = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9";
    private static final String POD_SLICE =
            "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" + UID.replace('-', '_') + ".slice/";

    private static Service of(String path) {
        return Service.ofPath(path).orElse(Service.NONE);
    }

    private static void isContainer(String runtime, String path) {
        Service service = of(path);
        assertEquals(runtime, service.runtime(), path);
        assertEquals(ID, service.id(), path);
        assertTrue(service.isContainer());
    }

    private static void isUnit(String name, String path) {
        assertEquals(new Service("systemd", "", name, ""), of(path), path);
    }

    @Test
    void docker_is_known_with_both_of_its_cgroup_drivers() {
        isContainer("docker", "/system.slice/docker-" + ID + ".scope");
        isContainer("docker", "/docker/" + ID);
        isContainer("docker", "/docker/" + ID + "/system.slice/ollama.service");
        isContainer("docker", "/user.slice/user-1000.slice/user@1000.service/user.slice/docker-" + ID + ".scope");
        isContainer("docker", "/system.slice:docker:" + ID);
        isContainer("container", "/ecs/0f1e2d3c4b5a69788796a5b4c3d2e1f0/" + ID);
    }

    @Test
    void podman_is_known_rootful_rootless_and_in_a_pod() {
        isContainer("podman", "/machine.slice/libpod-" + ID + ".scope/container");
        isContainer(
                "podman", "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" + ID + ".scope/container");
        isContainer("podman", "/libpod_parent/libpod-" + ID);
        isContainer("podman", "/libpod_parent/" + ID);
        isContainer(
                "podman", "/machine.slice/machine-libpod_pod_" + OTHER + ".slice/libpod-" + ID + ".scope/container");
    }

    @Test
    void a_container_of_kubernetes_names_its_runtime_and_its_pod() {
        for (String[] form : new String[][] {
            {"containerd", POD_SLICE + "cri-containerd-" + ID + ".scope"},
            {"cri-o", POD_SLICE + "crio-" + ID + ".scope"},
            {"cri-o", POD_SLICE + "crio-" + ID + ".scope/container"},
            {"docker", POD_SLICE + "docker-" + ID + ".scope"},
            {"containerd", "/kubepods/burstable/pod" + UID + "/" + ID},
            {"containerd", "/kubepods/pod" + UID + "/" + ID},
            {
                "containerd",
                "/system.slice/containerd.service/kubepods-burstable-pod" + UID.replace('-', '_')
                        + ".slice:cri-containerd:" + ID
            }
        }) {
            isContainer(form[0], form[1]);
            assertEquals(UID, of(form[1]).pod(), form[1]);
        }
        // A static pod: its uid is a hash
        assertEquals(
                "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
                of("/kubepods/besteffort/pod0f1e2d3c4b5a69788796a5b4c3d2e1f0/" + ID)
                        .pod());
        assertEquals(new Service("kubernetes", "", "", UID), of(POD_SLICE));
    }

    @Test
    void a_container_in_a_container_is_the_inner_one() {
        // kind: its nodes are containers of Docker
        Service service = of("/docker/" + OTHER + "/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod"
                + UID.replace('-', '_') + ".slice/cri-containerd-" + ID + ".scope");
        assertEquals(new Service("containerd", ID, "", UID), service);
        isContainer("docker", "/lxc.payload.ci/docker/" + ID);
        isContainer("containerd", "/docker/" + OTHER + "/kubelet/kubepods/pod" + UID + "/" + ID);
    }

    @Test
    void machines_of_lxc_and_nspawn_have_names() {
        assertEquals(new Service("lxc", "llm", "llm", ""), of("/lxc.payload.llm/system.slice/ollama.service"));
        // Proxmox
        assertEquals("101", of("/lxc/101/ns/system.slice/vllm.service").name());
        assertEquals(Optional.empty(), Service.ofPath("/lxc.monitor.llm"));
        assertEquals(
                "llm",
                of("/machine.slice/systemd-nspawn@llm.service/payload/system.slice/a.service")
                        .name());
        assertEquals("my-llm", of("/machine.slice/machine-my\\x2dllm.scope").name());
    }

    @Test
    void units_are_named_those_of_users_too_and_a_login_is_none() {
        isUnit("ollama.service", "/system.slice/ollama.service");
        isUnit("vllm@0.service", "/system.slice/system-vllm.slice/vllm@0.service");
        isUnit("ollama.service", "/user.slice/user-1000.slice/user@1000.service/app.slice/ollama.service");
        isUnit("llama.service", "/system.slice/llama.service/workers/1");
        for (String path : new String[] {
            "/",
            "",
            "/init.scope",
            "/user.slice/user-1000.slice/session-3.scope",
            "/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-x-1.scope",
            "/system.slice/run-u12.scope",
            "/process_api/3a52fcf3435a7b1154d572481c08b748"
        }) assertTrue(of(path).isNone(), path);
    }

    private static Reading<Service> ofProcess(String cgroup, String... pathsAndTexts) {
        String[] all = java.util.Arrays.copyOf(pathsAndTexts, pathsAndTexts.length + 2);
        all[pathsAndTexts.length] = "proc/812/cgroup";
        all[pathsAndTexts.length + 1] = cgroup;
        return Service.FACT.read(Recorded.host(all), new ProcessId(812, 1));
    }

    @Test
    void the_runtime_is_asked_for_the_name() {
        Service service = ofProcess(
                        "0::/docker/" + ID + "\n",
                        "recorded/container",
                        OTHER + "\truntime=docker name=wrong\n" + ID + "\truntime=docker name=vllm-prod\n")
                .orThrow();
        assertEquals("container vllm-prod", service.shown());
        Service inPod = ofProcess(
                        "0::" + POD_SLICE + "cri-containerd-" + ID + ".scope\n",
                        "recorded/container",
                        ID + "\tpod=prod/vllm-0 name=server\n")
                .orThrow();
        assertEquals("pod prod/vllm-0, container server", inPod.shown());
        assertEquals("containerd", inPod.runtime());
    }

    @Test
    void where_nobody_tells_a_name_the_first_digits_of_the_id_have_to_do() {
        assertEquals(
                "container 3f1c0a9b8d7e",
                ofProcess("0::/docker/" + ID + "\n").orThrow().shown());
        assertEquals(
                "pod " + UID + ", container 3f1c0a9b8d7e",
                of(POD_SLICE + "crio-" + ID + ".scope").shown());
        assertEquals("pod " + UID, of(POD_SLICE).shown());
        assertEquals("unit ollama.service", of("/system.slice/ollama.service").shown());
        assertEquals("", Service.NONE.shown());
    }

    @Test
    void on_a_hybrid_host_the_first_hierarchy_that_tells_something_decides() {
        // RHEL 7 with Docker: v1 for the controllers, systemd's own without
        Service service = ofProcess("""
                        11:cpu,cpuacct:/docker/%1$s
                        9:memory:/docker/%1$s
                        1:name=systemd:/docker/%1$s
                        0::/system.slice/containerd.service
                        """.formatted(ID)).orThrow();
        assertEquals("unit containerd.service", service.shown());
        assertEquals(
                ID, ofProcess("9:memory:/docker/" + ID + "\n0::/\n").orThrow().id());
        assertFalse(ofProcess("1:name=systemd:/system.slice/ollama.service\n")
                .orThrow()
                .isNone());
        // This host
        assertTrue(ofProcess("9:name=systemd:/\n4:memory:/process_api/3a52fcf3435a7b1154d572481c08b748\n0::/\n")
                .orThrow()
                .isNone());
    }

    @Test
    void a_process_that_is_gone_has_no_service_and_hostile_paths_no_harm() {
        assertEquals(
                AbsentCause.VANISHED,
                causeOf(Service.FACT.read(
                        Recorded.host("recorded/absent", "/proc/812\tvanished\tit ended\n"), new ProcessId(812, 1))));
        for (String text : HostileText.ALL) {
            of(text).shown();
            of("/docker/" + ID + text).shown();
            ofProcess("0::/docker/" + ID + "\n", "recorded/container", ID + "\t" + text)
                    .orThrow()
                    .shown();
        }
    }
}
