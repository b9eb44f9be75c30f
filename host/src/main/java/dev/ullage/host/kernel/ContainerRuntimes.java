// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What container runtimes wrote down about their containers, reduced to the few words that a report needs: their own
/// records hold environment variables, and those hold secrets.
final class ContainerRuntimes {
    private static final String DOCKER = "/var/lib/docker/containers/";
    private static final String KUBELET = "/var/log/containers";
    private static final String PODMAN = "/var/lib/containers/storage/overlay-containers/containers.json";

    private static final Pattern PODMAN_NAME = Pattern.compile("\"names\":\\s*\\[\\s*\"([^\"\\\\]{1,255})\"");
    private static final String PODMAN_FIELDS = "{{.ID}}\t{{.Names}}\t{{.State}}\t{{.ExitCode}}\t{{.ExitedAt}}";

    private static final Pattern ID = Pattern.compile("[0-9a-f]{12,64}");
    private static final Pattern DOCKER_NAME = Pattern.compile("\"Name\":\"/([^\"\\\\]{1,255})\"");
    /// `vllm-0_prod_server-3f1c….log`: pod, namespace, container, id.
    private static final Pattern KUBELET_LINK = Pattern.compile("([^_]+)_([^_]+)_(.+)-([0-9a-f]{64})\\.log");

    private final LiveHost host;

    ContainerRuntimes(LiveHost host) {
        this.host = host;
    }

    /// `runtime=docker name=vllm-prod`.
    Reading<String> tell(String id) {
        if (!ID.matcher(id).matches())
            return Reading.absent("container " + id, AbsentCause.NOT_PRESENT, "no runtime here knows it");
        Optional<String> docker =
                group(DOCKER_NAME, host.text(DOCKER + id + "/config.v2.json").orElse(""));
        if (docker.isPresent()) return Reading.of("runtime=docker name=" + oneWord(docker.get()));
        Optional<String> inPod = kubeletName(host.names(KUBELET).orElse(List.of()), id);
        if (inPod.isPresent()) return Reading.of(inPod.get());
        Optional<String> name = podmanName(host.text(PODMAN).orElse(""), id);
        if (name.isPresent()) return Reading.of("runtime=podman name=" + oneWord(name.get()));
        return Reading.absent("container " + id, AbsentCause.NOT_PRESENT, "no runtime here knows it");
    }

    /// @param links the names in `/var/log/containers`
    static Optional<String> kubeletName(List<String> links, String id) {
        for (String link : links) {
            Matcher matcher = KUBELET_LINK.matcher(link);
            if (matcher.matches() && matcher.group(4).equals(id))
                return Optional.of("pod=" + oneWord(matcher.group(2) + "/" + matcher.group(1)) + " name="
                        + oneWord(matcher.group(3)));
        }
        return Optional.empty();
    }

    /// @param list podman's containers.json: `[{"id":"3f1c…","names":["vllm"],…},…]`
    static Optional<String> podmanName(String list, String id) {
        int at = list.indexOf("\"" + id + "\"");
        return at < 0 ? Optional.empty() : group(PODMAN_NAME, list.substring(at, endOfEntry(list, at)));
    }

    /// Containers that are not running, or are started again and again, that ended badly since a moment.
    List<String> ends(Instant since) {
        List<String> lines = new ArrayList<>();
        List<String> ids = host.names(DOCKER).orElse(List.of());
        for (String id : ids.subList(0, Math.min(500, ids.size()))) {
            String config = host.text(DOCKER + id + "/config.v2.json").orElse("");
            if (ID.matcher(id).matches()) dockerEnd(id, config, since).ifPresent(lines::add);
        }
        // Where podman was never used, asking it would lay out its storage.
        if (host.text(PODMAN).isPresent())
            podman(PODMAN_FIELDS + "\t{{.Restarts}}")
                    .or(() -> podman(PODMAN_FIELDS))
                    .ifPresent(text -> text.lines()
                            .map(line -> podmanEnd(line, since))
                            .flatMap(Optional::stream)
                            .forEach(lines::add));
        return lines;
    }

    /// Podman before 4.4 fails on a field that it does not know, and did not know `Restarts`.
    private static Optional<String> podman(String format) {
        return HostPrograms.output(List.of("podman", "ps", "--all", "--no-trunc", "--format", format), 2);
    }

    /// Docker's `config.v2.json`, whose `State` has what `docker inspect` shows.
    static Optional<String> dockerEnd(String id, String config, Instant since) {
        Optional<String> name = group(DOCKER_NAME, config);
        Optional<String> exit = group(Pattern.compile("\"ExitCode\":(\\d{1,3})\\b"), config);
        Optional<String> finished = group(Pattern.compile("\"FinishedAt\":\"([^\"]{10,40})\""), config);
        if (name.isEmpty() || exit.isEmpty() || finished.isEmpty()) return Optional.empty();
        // One that waits for its next start counts as running to Docker, not to those who wait for its answers.
        boolean restarting = config.contains("\"Restarting\":true");
        boolean running = config.contains("\"Running\":true") && !restarting;
        String restarts =
                group(Pattern.compile("\"RestartCount\":(\\d{1,9})\\b"), config).orElse("0");
        boolean oom = config.contains("\"OOMKilled\":true");
        // Docker forgets the exit code at the next start, and keeps the time and whether it was out of memory.
        boolean bad = !exit.get().equals("0") || oom || (running || restarting) && !restarts.equals("0");
        if (!bad || !isAfter(finished.get(), since)) return Optional.empty();
        return Optional.of("container\t" + oneWord(name.get()) + "\tid=" + id + " runtime=docker"
                + (running ? "" : " exit=" + exit.get()) + " oom=" + oom + " running=" + running + " restarts="
                + restarts + " at=" + finished.get());
    }

    /// `3f1c…	vllm	exited	137	1772355600	2`; podman 3 and 4 say `Exited (137) 3 minutes ago` and `Up 3 minutes`.
    static Optional<String> podmanEnd(String line, Instant since) {
        String[] c = line.split("\t");
        if (c.length < 5 || !ID.matcher(c[0]).matches()) return Optional.empty();
        if (!c[3].matches("\\d{1,3}") || !c[4].matches("\\d{1,12}")) return Optional.empty();
        Instant at = Instant.ofEpochSecond(Long.parseLong(c[4]));
        if (c[3].equals("0") || at.isBefore(since)) return Optional.empty();
        String restarts = c.length > 5 && c[5].matches("\\d{1,9}") ? c[5] : "0";
        return Optional.of("container\t" + oneWord(c[1]) + "\tid=" + c[0] + " runtime=podman exit=" + c[3] + " running="
                + (c[2].equals("running") || c[2].startsWith("Up ")) + " restarts=" + restarts + " at=" + at);
    }

    /// Where the entry of containers.json ends that begins with an id.
    private static int endOfEntry(String json, int id) {
        int next = json.indexOf("{\"id\":", id);
        return Math.min(next < 0 ? json.length() : next, Math.min(json.length(), id + 2000));
    }

    private static boolean isAfter(String time, Instant since) {
        try {
            return Instant.parse(time).isAfter(since);
        } catch (RuntimeException e) {
            return false;
        }
    }

    private static Optional<String> group(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /// A name with blanks or control characters must not become two words or lines of the recorded answer.
    static String oneWord(String name) {
        return name.replaceAll("[\\s\\p{Cntrl}]", "_");
    }
}
