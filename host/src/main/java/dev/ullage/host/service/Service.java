// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.service;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
import dev.ullage.host.Fact;
import dev.ullage.host.HostRoot;
import dev.ullage.host.cgroup.CgroupMembership;
import dev.ullage.host.process.ProcessId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a process runs as: a container, a pod's container, a unit of systemd. People know these names; the kernel knows
/// cgroup paths:
///
/// ```
/// /system.slice/docker-3f1c….scope                                                    Docker, systemd driver
/// /docker/3f1c…                                                                       Docker, cgroupfs driver
/// /machine.slice/libpod-3f1c….scope                                                   podman
/// /kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0a1b_….slice/cri-containerd-3f1c….scope
/// /kubepods/burstable/pod0a1b-…/3f1c…                                                  Kubernetes, cgroupfs driver
/// /system.slice/ollama.service                                                        systemd
/// /lxc.payload.llm/…                                                                  LXC, Proxmox
/// ```
/// The runtime is asked for the name; where it does not tell, the first twelve digits of the id have to do, as in
/// `docker ps`.
///
/// @param runtime `docker`, `podman`, `containerd`, `cri-o`, `lxc`, `nspawn`, `systemd`
/// @param id of the container, 64 hexadecimal digits mostly; empty for a unit
/// @param name of the container or unit; empty when nobody told it
/// @param pod `namespace/name` of its pod, else the pod's uid; empty outside of Kubernetes
public record Service(String runtime, String id, String name, String pod) {
    private static final Pattern ID = Pattern.compile("(?:^|[/:-])([0-9a-f]{64})(?:\\.scope)?(?:/|$)");
    private static final Pattern POD = Pattern.compile(
            "[/-]pod([0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12}|[0-9a-f]{32})");
    private static final Pattern LXC = Pattern.compile("/lxc(?:\\.payload\\.|/)([^/]+)");
    private static final Pattern MACHINE = Pattern.compile("/(?:systemd-nspawn@|machine-)([^/]+?)\\.(?:service|scope)");
    private static final Pattern UNIT = Pattern.compile(".*/([^/]+\\.service)(?:/.*)?");

    public static final Fact<ProcessId, Service> FACT =
            new Fact<>("container or unit of a server", "/proc/<pid>/cgroup", Cadence.ONCE, "", (root, id) -> root.text(
                            id.file("cgroup"))
                    .flatMap(CgroupMembership::parse)
                    .map(membership -> ofMembership(root, membership)));

    /// A process that runs as nothing of the kind: started in a shell.
    public static final Service NONE = new Service("", "", "", "");

    private static Service ofMembership(HostRoot root, CgroupMembership membership) {
        for (String controller : new String[] {"", "memory", "name=systemd", "cpu", "pids"}) {
            String path = membership.byController().getOrDefault(controller, "");
            Optional<Service> service = ofPath(path);
            if (service.isPresent()) return service.get().id.isEmpty() ? service.get() : named(root, service.get());
        }
        return NONE;
    }

    /// What a cgroup's path alone tells; a cgroup above the container's own is not the container.
    public static Optional<Service> ofPath(String path) {
        String pod = "";
        Matcher inPod = POD.matcher(path);
        if (inPod.find()) pod = inPod.group(1).replace('_', '-');
        Optional<Service> container = innermost(path, pod);
        if (container.isPresent()) return container;
        if (!pod.isEmpty()) return Optional.of(new Service("kubernetes", "", "", pod));
        Matcher lxc = LXC.matcher(path);
        if (lxc.find()) return Optional.of(new Service("lxc", lxc.group(1), lxc.group(1), ""));
        Matcher machine = MACHINE.matcher(path);
        if (machine.find()) {
            String name = unescaped(machine.group(1));
            return Optional.of(new Service("nspawn", name, name, ""));
        }
        Matcher unit = UNIT.matcher(path);
        // user@1000.service is the manager of a user; what it runs has a unit of its own below it.
        if (unit.matches() && !unit.group(1).startsWith("user@"))
            return Optional.of(new Service("systemd", "", unit.group(1), ""));
        return Optional.empty();
    }

    /// A node of kind or minikube is itself a container of Docker: the last id is the process's own.
    private static Optional<Service> innermost(String path, String pod) {
        Matcher id = ID.matcher(path);
        Optional<Service> last = Optional.empty();
        for (int from = 0; id.find(from); from = id.end(1)) {
            String segment = path.substring(path.lastIndexOf('/', Math.max(0, id.start(1) - 1)) + 1, id.end());
            String above = path.substring(0, id.start());
            last = Optional.of(new Service(runtimeOf(segment, above, !pod.isEmpty()), id.group(1), "", pod));
        }
        return last;
    }

    private static String runtimeOf(String segment, String above, boolean inPod) {
        if (segment.contains("libpod")) return "podman";
        if (segment.contains("crio-")) return "cri-o";
        if (segment.contains("containerd")) return "containerd";
        if (segment.startsWith("docker-")) return "docker";
        if (above.contains("libpod")) return "podman";
        if (inPod) return "containerd";
        return above.endsWith("docker") || segment.contains("docker") ? "docker" : "container";
    }

    /// systemd writes a `-` in the name of a machine as `\\x2d`.
    private static String unescaped(String name) {
        Matcher escape = Pattern.compile("\\\\x([0-9a-f]{2})").matcher(name);
        return escape.replaceAll(
                match -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(match.group(1), 16))));
    }

    /// `runtime=docker name=vllm-prod pod=prod/vllm-0`; a blank cannot be in any of them.
    private static Service named(HostRoot root, Service service) {
        String answer = root.ask(Call.CONTAINER, service.id).orElse("");
        String name = service.name;
        String pod = service.pod;
        String runtime = service.runtime;
        for (String word : answer.strip().split(" ")) {
            if (word.startsWith("name=")) name = word.substring(5);
            if (word.startsWith("pod=")) pod = word.substring(4);
            if (word.startsWith("runtime=")) runtime = word.substring(8);
        }
        return new Service(runtime, service.id, name, pod);
    }

    public boolean isContainer() {
        return !id.isEmpty();
    }

    public boolean isNone() {
        return runtime.isEmpty();
    }

    /// `container vllm-prod`, `pod prod/vllm-0, container server`, `unit ollama.service`.
    public String shown() {
        if (isNone()) return "";
        if (!isContainer()) return pod.isEmpty() ? "unit " + name : "pod " + pod;
        String container = "container " + (name.isEmpty() ? id.substring(0, Math.min(12, id.length())) : name);
        return pod.isEmpty() ? container : "pod " + pod + ", " + container;
    }
}
