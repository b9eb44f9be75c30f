// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Rule;
import java.util.List;
import java.util.Optional;

/// Every rule there is. A new rule is one line here, a class, and a page of the same name beside the class.
public final class Rules {
    private Rules() {}

    public static final List<Rule> ALL = List.of(
            new KilledByHostOom(),
            new HostMemoryExhausted(),
            new KilledByCgroupOom(),
            new CgroupLimitTooLow(),
            new CgroupMemoryExhausted(),
            new CgroupCountedKill(),
            new SwapThrash(),
            new PageCacheThrash(),
            new DuplicateCopies(),
            new DuplicateCopiesOnGpu(),
            new MemoryLeak(),
            new TmpfsFillsMemory(),
            new SharedMemoryFull(),
            new HugePagesIdle(),
            new MemoryPinned(),
            new MemlockLimitTooLow(),
            new MapCountNearLimit(),
            new AddressSpaceNearLimit(),
            new CommitLimitReached(),
            new NumaNodeExhausted(),
            new MemoryFragmented(),
            new ColdStart(),
            new SlowDisk(),
            new DiskContention(),
            new IoThrottled(),
            new ModelOnNetwork(),
            new DiskFull(),
            new InodesExhausted(),
            new ModelFileDamaged(),
            new StorageErrors(),
            new OpenFilesNearLimit(),
            new VramLeak(),
            new VramOtherProcess(),
            new VramWeights(),
            new VramKvCache(),
            new VramSpill(),
            new VramActivation(),
            new VramFragmentation(),
            new CpuThrottled(),
            new CpuBound(),
            new IdleServer(),
            // Circumstances that make trouble worse or near: advice, never an alarm.
            new NoSwap(),
            new SwapReliedOn(),
            new SwapOnModelDisk(),
            new SwappinessHigh(),
            new HugePagesForEveryone(),
            new ReadAheadTooSmall(),
            new ModelsOnSmallVolume(),
            new RepackedCopy(),
            new PromptCacheFillsRam(),
            new PythonHeap());

    public static Optional<Rule> named(String name) {
        return ALL.stream().filter(rule -> rule.name().equals(name)).findFirst();
    }
}
