// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Shell;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.ModelDisk;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.kernellog.IoError;
import dev.ullage.host.kernellog.KernelEvents;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Count;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
/// The kernel could not read the disk or file system that a model lies on.

public final class StorageErrors implements Rule {

    @Override
    public String name() {
        return "storage-errors";
    }

    @Override
    public Cause cause() {
        return Cause.CORRUPT_FILE;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(KernelEvents.FACT);
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("cold-start", "slow-disk", "disk-contention");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        double now = evidence.to().monotonic().seconds();
        double since = evidence.focus().since().seconds();
        Map<String, List<IoError>> byDevice = new LinkedHashMap<>();
        for (IoError error : evidence.latest(KernelEvents.FACT).orThrow().storage()) {
            String device =
                    switch (error.trouble()) {
                        case IoError.Trouble.OfDevice(String name, boolean _) -> name;
                        case IoError.Trouble.OfFileSystem(String _, String name) -> name;
                        case IoError.Trouble.OfServer _, IoError.Trouble.OfStuckTask _ -> "";
                    };
            boolean young =
                    error.sinceBoot().map(at -> now - at.seconds() <= since).orElse(false);
            if (!device.isEmpty() && young)
                byDevice.computeIfAbsent(device, _ -> new ArrayList<>()).add(error);
        }
        List<Finding> findings = new ArrayList<>();
        byDevice.forEach((device, errors) -> findings.add(finding(evidence, device, errors)));
        return Verdict.of(findings, "the kernel log holds no recent error of a disk or file system");
    }

    private Finding finding(Evidence evidence, String device, List<IoError> errors) {
        List<Workload> readers = evidence.servers().stream()
                .filter(server -> ModelDisk.under(evidence, server).stream()
                        .anyMatch(disk -> disk.device().name().equals(device)
                                || disk.device().disk().equals(device)))
                .toList();
        boolean medium = errors.stream()
                .anyMatch(e -> e.trouble() instanceof IoError.Trouble.OfDevice(String _, boolean isMedium) && isMedium);
        Set<Integer> affected = new HashSet<>();
        readers.forEach(w -> affected.add(w.main().pid()));
        IoError last = errors.getLast();
        String age = last.sinceBoot()
                .map(at ->
                        new Seconds(Math.max(0, evidence.to().monotonic().seconds() - at.seconds())).shown() + " ago")
                .orElse("at an unknown time");
        String who = readers.isEmpty()
                ? ""
                : ", and the model of " + readers.getFirst().shown() + " lies there";
        return new Finding(
                        this,
                        readers.isEmpty() ? Severity.ADVICE : Severity.CRITICAL,
                        new Signs()
                                .decides(!readers.isEmpty())
                                .sign(true)
                                .sign(medium || errors.size() > 1)
                                .confidence(),
                        "the kernel reports " + (errors.size() == 1 ? "an error" : errors.size() + " errors") + " of "
                                + device + ", the last " + age + who,
                        List.of(
                                Saw.of("errors", new Count(errors.size()), "kernel log"),
                                Saw.text("the last one", last.text(), "kernel log")),
                        "a page of the model that cannot be read kills the server by SIGBUS when it is touched; what was read before may be wrong",
                        new Subject(OptionalInt.empty(), "", "", device, "", affected),
                        List.of(
                                Remedy.now(
                                        "ask the drive how it is, and save what is on it",
                                        "smartctl -a /dev/" + Shell.word(device),
                                        Remedy.Cost.NONE,
                                        Remedy.Risk.NONE,
                                        "dmesg | grep " + Shell.word(device) + " | tail",
                                        "-"),
                                Remedy.medium(
                                        "put the model on another volume, and check its checksum there",
                                        "",
                                        Remedy.Cost.RESTART,
                                        Remedy.Risk.NONE,
                                        "ullage diagnose --pid <new pid>",
                                        "start it with the old path")))
                .explaining(!readers.isEmpty(), "reads of " + device + " fail, where the model lies");
    }
}
