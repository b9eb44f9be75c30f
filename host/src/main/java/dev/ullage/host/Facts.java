// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.CgroupMembers;
import dev.ullage.host.cgroup.CgroupMembership;
import dev.ullage.host.cgroup.CgroupMounts;
import dev.ullage.host.cgroup.CgroupPressure;
import dev.ullage.host.cgroup.CpuCgroup;
import dev.ullage.host.cgroup.IoCgroup;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.host.cpu.CpuTime;
import dev.ullage.host.cpu.LoadAverage;
import dev.ullage.host.gpu.DrmClients;
import dev.ullage.host.gpu.GpuPresence;
import dev.ullage.host.gpu.Gpus;
import dev.ullage.host.kernellog.KernelEvents;
import dev.ullage.host.memory.FreeBlocks;
import dev.ullage.host.memory.HugePages;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.memory.NumaNodes;
import dev.ullage.host.memory.PinnedPages;
import dev.ullage.host.memory.PressureStall;
import dev.ullage.host.memory.Swaps;
import dev.ullage.host.memory.Sysctls;
import dev.ullage.host.memory.TransparentHugePages;
import dev.ullage.host.memory.VmStat;
import dev.ullage.host.process.AllowedNodes;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.OomScoreAdjustment;
import dev.ullage.host.process.OpenFiles;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessIo;
import dev.ullage.host.process.ProcessLimits;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.process.ProportionalMemory;
import dev.ullage.host.process.RunQueue;
import dev.ullage.host.process.SharedMemory;
import dev.ullage.host.process.ThreadStates;
import dev.ullage.host.process.WaitChannel;
import dev.ullage.host.server.EnvironmentNames;
import dev.ullage.host.server.ServerState;
import dev.ullage.host.service.Confinement;
import dev.ullage.host.service.Service;
import dev.ullage.host.service.ServiceEnds;
import dev.ullage.host.storage.BlockDevices;
import dev.ullage.host.storage.DiskStats;
import dev.ullage.host.storage.Drives;
import dev.ullage.host.storage.FileSystemSpace;
import dev.ullage.host.storage.ModelExtent;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.ModelFiles;
import dev.ullage.host.storage.Mounts;
import dev.ullage.host.storage.Mounts.Mount;
import dev.ullage.host.storage.NameOnDisk;
import dev.ullage.host.storage.NfsMounts;
import dev.ullage.host.storage.PageCache;
import dev.ullage.host.storage.RaidArrays;
import java.util.List;

/// Every fact there is, by what it is about. A new fact is one line here. ([ProcessStat] is in no list: it is how
/// processes are found.)
public final class Facts {
    private Facts() {}

    /// Counters that are compared with each other are read next to each other, first.
    public static final List<Fact<Host, ?>> OF_THE_HOST = List.of(
            VmStat.FACT,
            MemInfo.FACT,
            PressureStall.MEMORY,
            PressureStall.IO,
            PressureStall.CPU,
            CpuTime.FACT,
            DiskStats.FACT,
            LoadAverage.FACT,
            Swaps.FACT,
            Sysctls.FACT,
            Mounts.FACT,
            CgroupMounts.FACT,
            BlockDevices.FACT,
            GpuPresence.FACT,
            Gpus.FACT,
            HugePages.FACT,
            TransparentHugePages.FACT,
            NumaNodes.FACT,
            FreeBlocks.FACT,
            PinnedPages.FACT,
            NfsMounts.FACT,
            RaidArrays.FACT,
            Drives.FACT,
            Confinement.FACT,
            ServiceEnds.FACT,
            KernelEvents.FACT);

    /// Read at every instant for what rises and falls in between; whatever is absent here is absent in its neighbour
    /// above,
    /// and said there.
    public static final List<Fact<Host, ?>> COURSES_OF_THE_HOST = List.of(Gpus.COURSE);

    public static final List<Fact<Mount, ?>> OF_A_MOUNT = List.of(FileSystemSpace.FACT);

    /// Read for every process there is: cheap ones only.
    public static final List<Fact<ProcessId, ?>> OF_EVERY_PROCESS = List.of(CommandLine.FACT, ProcessIo.FACT);

    /// Read for processes that may be servers and for the large ones.
    public static final List<Fact<ProcessId, ?>> OF_A_CANDIDATE = List.of(
            ProcessMemory.FACT,
            CgroupMembership.FACT,
            ModelFiles.FACT,
            OpenFiles.FACT,
            Service.FACT,
            ProcessLimits.FACT,
            OomScoreAdjustment.FACT,
            WaitChannel.FACT);

    /// Read for the processes of workloads: dear, or collected over the window.
    public static final List<Fact<ProcessId, ?>> OF_A_WORKLOAD = List.of(
            ProportionalMemory.FACT,
            ThreadStates.FACT,
            RunQueue.FACT,
            SharedMemory.FACT,
            AllowedNodes.FACT,
            EnvironmentNames.FACT);

    /// Read for candidates where a GPU is whose driver lists no processes itself: a walk over their descriptors.
    public static final List<Fact<ProcessId, ?>> ON_A_GPU_OF_DRM = List.of(DrmClients.FACT);

    /// Asked of all servers at once, for one that is starved answers late.
    public static final List<Fact<ProcessId, ?>> OF_A_SERVER = List.of(ServerState.FACT);

    public static final List<Fact<CgroupId, ?>> OF_A_MEMORY_CGROUP = List.of(MemoryCgroup.FACT);
    public static final List<Fact<CgroupId, ?>> OF_A_CPU_CGROUP = List.of(CpuCgroup.FACT);
    public static final List<Fact<CgroupId, ?>> OF_AN_IO_CGROUP = List.of(IoCgroup.FACT);

    public static final List<Fact<CgroupId, ?>> OF_A_UNIFIED_CGROUP =
            List.of(CgroupPressure.MEMORY, CgroupPressure.IO, CgroupPressure.CPU);

    /// Read for cgroups in which the kernel killed something.
    public static final List<Fact<CgroupId, ?>> OF_A_CGROUP_WITH_A_KILL = List.of(CgroupMembers.FACT);

    public static final List<Fact<ModelFile, ?>> OF_A_MODEL_FILE =
            List.of(PageCache.FACT, NameOnDisk.FACT, ModelExtent.FACT);
}
