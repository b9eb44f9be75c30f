// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// One decision of the kernel's OOM killer, with all the report said about it. [OomReports] finds them.
///
/// Mistake people make: blaming the victim. The killer takes who gives back most *and* was not protected; a helper
/// of 37 MB has died five times while the process that filled the cgroup went on. See [#largerThanTheVictim()].
/// When all of the table together is far below the limit, look at [OomCgroup#shmem()]: a tmpfs has no process.
///
/// @param sinceBoot when the victim was killed, else when the report began
/// @param victim who was chosen
/// @param alsoKilled who died with it, because `memory.oom.group` was set: one event, several processes
/// @param group the cgroup that was killed as a whole
/// @param invokedBy the name of the task that asked for memory; any task under the limit may be the one
/// @param cgroup the numbers of the cgroup whose limit was reached; empty for a kill of the host, or a cut report
/// @param host where the host's memory was; mostly only for a kill of the host
/// @param tasks who could have been killed
public record OomKill(
        Optional<Seconds> sinceBoot,
        OomScope scope,
        OomVictim victim,
        List<OomVictim> alsoKilled,
        Optional<String> group,
        Optional<String> invokedBy,
        Optional<OomCgroup> cgroup,
        Optional<OomHostMemory> host,
        List<OomTask> tasks) {

    /// All that died by this, the chosen one first.
    public List<OomVictim> killed() {
        List<OomVictim> all = new ArrayList<>(alsoKilled);
        all.addFirst(victim);
        return List.copyOf(all);
    }

    public boolean hasKilled(int pid) {
        return victim.pid() == pid || alsoKilled.stream().anyMatch(other -> other.pid() == pid);
    }

    /// Who held most memory of its own.
    public Optional<OomTask> largest() {
        return tasks.stream().max(Comparator.comparing(OomTask::held));
    }

    /// The process that filled the memory, if it is not among those that died for it. Empty also when the table
    /// does not hold the victim. Before 6.8 a process may be large by a model it has mapped; look at
    /// [OomTask#rssAnon()].
    public Optional<OomTask> largerThanTheVictim() {
        Optional<OomTask> own =
                tasks.stream().filter(task -> task.pid() == victim.pid()).findFirst();
        return own.flatMap(victims ->
                largest().filter(task -> !hasKilled(task.pid()) && task.held().isMoreThan(victims.held())));
    }
}
