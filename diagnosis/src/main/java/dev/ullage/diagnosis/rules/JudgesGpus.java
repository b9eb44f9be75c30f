// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.GpuServer;
import dev.ullage.diagnosis.view.VramPool;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.gpu.Gpus;
import dev.ullage.measure.Reading.Absent;
import java.util.ArrayList;
import java.util.List;

/// A rule about memory of GPUs: not asked where there is none, nor where it is the host's own.
interface JudgesGpus extends Rule {
    @Override
    default List<Fact<Host, ?>> needs() {
        return List.of(Gpus.FACT);
    }

    @Override
    default Verdict judge(Evidence evidence) {
        List<Gpu> gpus = evidence.latest(Gpus.FACT).orThrow().gpus();
        if (gpus.isEmpty()) return new Verdict.NotApplicable("there is no GPU");
        if (gpus.stream().allMatch(Gpu::unifiedMemory))
            return new Verdict.NotApplicable("its GPUs use the host's memory, which is judged as such");
        if (VramPool.in(evidence).isEmpty()) {
            List<Absent<?>> missing = new ArrayList<>();
            for (Gpu gpu : gpus) if (gpu.memory() instanceof Absent<?> absent) missing.add(absent);
            return missing.isEmpty()
                    ? new Verdict.NotApplicable("no GPU has memory")
                    : new Verdict.CannotTell(missing.subList(0, 1));
        }
        return judge(evidence, GpuServer.in(evidence));
    }

    /// @param servers those of the host; there is a GPU with memory of its own
    Verdict judge(Evidence evidence, List<GpuServer> servers);

    static Subject subject(GpuServer server, VramPool pool) {
        return Subject.of(server.workload()).onDevice(pool.gpu().word());
    }
}
