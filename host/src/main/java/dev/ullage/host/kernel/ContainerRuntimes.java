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
        for (String link : host.names(KUBELET).orElse(List.of())) {
            Matcher matcher = KUBELET_LINK.matcher(link);
            if (matcher.matches() && matcher.group(4).equals(id))
                return Reading.of("pod=" + oneWord(matcher.group(2) + "/" + matcher.group(1)) + " name="
                        + oneWord(matcher.group(3)));
        }
        String podman = host.text(PODMAN).orElse("");
        int at = podman.indexOf("\"" + id + "\"");
        Optional<String> name = at < 0
                ? Optional.empty()
                : group(
                        Pattern.compile("\"names\":\\s*\\[\\s*\"([^\"\\\\]{1,255})\""),
                        podman.substring(at, Math.min(podman.length(), at + 2000)));
        if (name.isPresent()) return Reading.of("runtime=podman name=" + oneWord(name.get()));
        return Reading.absent("container " + id, AbsentCause.NOT_PRESENT, "no runtime here knows it");
    }

    /// Containers that are not running, or are started again and again, that ended badly since a moment.
    List<String> ends(Instant since) {
        List<String> lines = new ArrayList<>();
        List<String> ids = host.names(DOCKER).orElse(List.of());
        for (String id : ids.subList(0, Math.min(500, ids.size()))) {
            String config = host.text(DOCKER + id + "/config.v2.json").orElse("");
            if (ID.matcher(id).matches()) dockerEnd(id, config, since).ifPresent(lines::add);
        }
        HostPrograms.output(
                        List.of(
                                "podman",
                                "ps",
                                "--all",
                                "--no-trunc",
                                "--format",
                                "{{.ID}}\t{{.Names}}\t{{.State}}\t{{.ExitCode}}\t{{.ExitedAt}}\t{{.Restarts}}"),
                        2)
                .ifPresent(text -> text.lines()
                        .map(line -> podmanEnd(line, since))
                        .flatMap(Optional::stream)
                        .forEach(lines::add));
        return lines;
    }

    /// Docker's `config.v2.json`, whose `State` has what `docker inspect` shows.
    static Optional<String> dockerEnd(String id, String config, Instant since) {
        Optional<String> name = group(DOCKER_NAME, config);
        Optional<String> exit = group(Pattern.compile("\"ExitCode\":(\\d{1,3})\\b"), config);
        Optional<String> finished = group(Pattern.compile("\"FinishedAt\":\"([^\"]{10,40})\""), config);
        if (name.isEmpty() || exit.isEmpty() || finished.isEmpty()) return Optional.empty();
        boolean running = config.contains("\"Running\":true");
        String restarts =
                group(Pattern.compile("\"RestartCount\":(\\d{1,9})\\b"), config).orElse("0");
        boolean oom = config.contains("\"OOMKilled\":true");
        // Of one that runs, the exit code is that of the run before.
        boolean bad = !exit.get().equals("0") || oom || running && !restarts.equals("0");
        if (!bad || !isAfter(finished.get(), since)) return Optional.empty();
        return Optional.of("container\t" + oneWord(name.get()) + "\tid=" + id + " runtime=docker exit=" + exit.get()
                + " oom=" + oom + " running=" + running + " restarts=" + restarts + " at=" + finished.get());
    }

    /// `3f1c…	vllm	exited	137	1772355600	2`.
    static Optional<String> podmanEnd(String line, Instant since) {
        String[] c = line.split("\t");
        if (c.length < 5 || !ID.matcher(c[0]).matches()) return Optional.empty();
        if (!c[3].matches("\\d{1,3}") || !c[4].matches("\\d{1,12}")) return Optional.empty();
        Instant at = Instant.ofEpochSecond(Long.parseLong(c[4]));
        if (c[3].equals("0") || at.isBefore(since)) return Optional.empty();
        String restarts = c.length > 5 && c[5].matches("\\d{1,9}") ? c[5] : "0";
        return Optional.of("container\t" + oneWord(c[1]) + "\tid=" + c[0] + " runtime=podman exit=" + c[3] + " running="
                + c[2].equals("running") + " restarts=" + restarts + " at=" + at);
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
