// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.Stall;
import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.memory.NumaNodes;
import dev.ullage.host.process.AllowedNodes;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.PerSecond;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
/// The NUMA node that a server must take its memory from is full while others have room.

public final class NumaNodeExhausted implements Rule {
    /// Of the node's memory: with less the kernel reclaims all the time.
    private static final double FULL = 0.05;

    /// Of the other nodes' memory: with less the host itself is short, and another rule's.
    private static final double ROOM = 0.2;

    /// Pages a second that have to come from another node.
    private static final double PAGES_PER_SECOND = 1000;

    @Override
    public String name() {
        return "numa-node-exhausted";
    }

    @Override
    public Cause cause() {
        return Cause.NUMA_IMBALANCE;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(NumaNodes.FACT);
    }

    /// Reclaim takes the CPU too: what brings pages in and throws them out runs beside the server.
    @Override
    public Set<String> accountsFor() {
        return Set.of(
                "swap-thrash",
                "page-cache-thrash",
                "killed-by-host-oom",
                "cold-start",
                "slow-disk",
                "disk-contention",
                "cpu-bound");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        NumaNodes nodes = evidence.latest(NumaNodes.FACT).orThrow();
        if (nodes.byNumber().size() < 2) return new Verdict.NotApplicable("there is one NUMA node");
        List<Finding> findings = new ArrayList<>();
        for (Workload workload : evidence.workloads())
            boundToFullNode(evidence, nodes, workload).ifPresent(findings::add);
        if (findings.isEmpty()) spillsOver(evidence, nodes).ifPresent(findings::add);
        StringBuilder shares = new StringBuilder();
        nodes.byNumber().values().forEach(n -> shares.append(shares.isEmpty() ? "" : ", ")
                .append("node ")
                .append(n.number())
                .append(" has ")
                .append(n.availableShare().shown()));
        return Verdict.of(findings, shares + " of its memory available");
    }

    private Optional<Finding> boundToFullNode(Evidence evidence, NumaNodes nodes, Workload workload) {
        for (ProcessId id : workload.processes()) {
            Set<Integer> allowed = evidence.latest(AllowedNodes.FACT, id)
                    .map(AllowedNodes::nodes)
                    .orElse(Set.of());
            if (allowed.isEmpty() || allowed.containsAll(nodes.byNumber().keySet())) continue;
            List<NumaNodes.Node> own = nodes.byNumber().values().stream()
                    .filter(n -> allowed.contains(n.number()))
                    .toList();
            List<NumaNodes.Node> others = nodes.byNumber().values().stream()
                    .filter(n -> !allowed.contains(n.number()))
                    .toList();
            if (own.isEmpty()
                    || available(own).isAtLeast(FULL)
                    || !available(others).isAtLeast(ROOM)) continue;
            return Optional.of(finding(evidence, workload, id, own, others));
        }
        return Optional.empty();
    }

    private static Ratio available(List<NumaNodes.Node> nodes) {
        return Bytes.sum(nodes.stream().map(NumaNodes.Node::available).toList())
                .shareOf(Bytes.sum(nodes.stream().map(NumaNodes.Node::total).toList()));
    }

    private Finding finding(
            Evidence evidence, Workload workload, ProcessId id, List<NumaNodes.Node> own, List<NumaNodes.Node> others) {
        Stall stall = Stall.of(evidence, workload);
        Severity severity = Severity.ofStall(stall.withKernelWork());
        NumaNodes.Node node = own.getFirst();
        String all = others.size() == 1 ? "node " + others.getFirst().number() : others.size() + " other nodes";
        return new Finding(
                this,
                (severity == Severity.ADVICE ? Severity.WARNING : severity).forWhat(workload),
                new Signs()
                        .sign(true)
                        .sign(stall.withKernelWork().isAtLeast(Severity.WARNING_STALL))
                        .sign(available(others).isAtLeast(ROOM))
                        .confidence(),
                workload.shown() + " may use memory of NUMA node " + node.number()
                        + (own.size() > 1 ? " and others" : "")
                        + " only, which has " + available(own).shown() + " left, while " + all + " has "
                        + available(others).shown(),
                List.of(
                        Saw.of(
                                "available on node " + node.number(),
                                node.available(),
                                "/sys/devices/system/node/node" + node.number() + "/meminfo"),
                        Saw.of("its size", node.total(), "/sys/devices/system/node/node" + node.number() + "/meminfo"),
                        Saw.of(
                                "available elsewhere",
                                Bytes.sum(others.stream()
                                        .map(NumaNodes.Node::available)
                                        .toList()),
                                "/sys/devices/system/node/node*/meminfo"),
                        stall.saw()),
                "it reclaims and swaps as if the host were full, and is killed by the OOM killer with half of the RAM free",
                Subject.of(workload),
                List.of(
                        Remedy.now(
                                "let it use the other nodes: widen its cpuset",
                                "cat " + id.file("cgroup") + "; grep Mems_allowed_list " + id.file("status"),
                                Remedy.Cost.NONE,
                                Remedy.Risk.SLOWER,
                                "numastat -p " + id.pid(),
                                "set the cpuset back"),
                        Remedy.medium(
                                "start it with memory from all nodes: a model larger than one node gains nothing from --membind",
                                "numactl --interleave=all <the server's command>",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.SLOWER,
                                "numastat -p <new pid>",
                                "start it as before")));
    }

    /// Nobody is bound, and still pages have to come from the far node because the near one is full.
    private Optional<Finding> spillsOver(Evidence evidence, NumaNodes nodes) {
        if (!(evidence.change(NumaNodes.FACT) instanceof Present<Change<NumaNodes>>(Change<NumaNodes> change)))
            return Optional.empty();
        for (NumaNodes.Node node : nodes.byNumber().values()) {
            PerSecond foreign = change.rate(n -> n.byNumber().containsKey(node.number())
                    ? n.byNumber().get(node.number()).foreign()
                    : 0);
            if (node.availableShare().isAtLeast(FULL) || foreign.perSecond() < PAGES_PER_SECOND) continue;
            return Optional.of(new Finding(
                    this,
                    Severity.ADVICE,
                    new Signs().sign(true).sign(true).confidence(),
                    "NUMA node " + node.number()
                            + " is full, and pages that were wanted there come from another node at " + foreign.shown(),
                    List.of(
                            Saw.of(
                                    "available on node " + node.number(),
                                    node.available(),
                                    "/sys/devices/system/node/node" + node.number() + "/meminfo"),
                            Saw.of(
                                    "pages given elsewhere",
                                    foreign,
                                    "/sys/devices/system/node/node" + node.number() + "/numastat numa_foreign")),
                    "memory of the far node is slower; nothing fails",
                    Subject.THE_HOST,
                    List.of(Remedy.medium(
                            "spread the server's memory evenly",
                            "numactl --interleave=all <the server's command>",
                            Remedy.Cost.RESTART,
                            Remedy.Risk.SLOWER,
                            "numastat -p <new pid>",
                            "start it as before"))));
        }
        return Optional.empty();
    }
}
