// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessIo;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.ModelFiles;
import dev.ullage.host.storage.PageCache;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.Reading.Present;
import dev.ullage.measure.Seconds;

/// What a workload read in the window, and what it has to show for it.
///
/// This is what tells a thrash from a cold start, which look the same in every other counter. Reading a model for the
/// first time, each byte read stays: the model's resident pages (or the reader's own memory) grow by what is read. In
/// a thrash bytes are read and nothing grows, because for each page that comes in another one must go.
///
/// @param fromStorage what the storage had to deliver
/// @param byCall what read calls returned, cached or not
/// @param residentGrowth growth of its model files' resident pages; negative when they shrank
/// @param anonymousGrowth growth of its own memory, swapped or not
/// @param evicted growth of the kernel's notes of evicted pages of its model files, in bytes
/// @param majorFaults faults that needed IO
/// @param residentSource what told how much of the model is in memory, for the report
/// @param isKnown whether the kernel told what was read; without root it does not
public record Reads(
        Bytes fromStorage,
        Bytes byCall,
        Bytes residentGrowth,
        Bytes anonymousGrowth,
        Bytes evicted,
        long majorFaults,
        Bytes resident,
        Bytes modelSize,
        Bytes mapped,
        Seconds window,
        String residentSource,
        boolean isKnown) {
    public static Reads of(Evidence evidence, Workload workload) {
        Bytes fromStorage = Bytes.NONE;
        Bytes byCall = Bytes.NONE;
        Bytes anonymous = Bytes.NONE;
        Bytes mapped = Bytes.NONE;
        long majorFaults = 0;
        boolean known = false;
        for (ProcessId id : workload.processes()) {
            if (evidence.change(ProcessIo.FACT, id) instanceof Present<Change<ProcessIo>>(Change<ProcessIo> io)) {
                known = true;
                fromStorage = fromStorage.plus(io.moved(ProcessIo::readFromStorage));
                byCall = byCall.plus(io.moved(ProcessIo::readByCall));
            }
            anonymous = anonymous.plus(evidence.change(ProcessMemory.FACT, id)
                    .map(c -> c.growth(ProcessMemory::anonymousAndSwapped))
                    .orElse(Bytes.NONE));
            majorFaults += evidence.change(ProcessStat.FACT, id)
                    .map(c -> c.increase(ProcessStat::majorFaults))
                    .orElse(0L);
            Bytes ofThis = evidence.lastSeen(ModelFiles.FACT, id)
                    .map(files -> Bytes.sum(
                            files.uses().stream().map(ModelFiles.Use::mapped).toList()))
                    .orElse(Bytes.NONE);
            // Every worker maps the same file: the largest view counts, not the sum.
            if (ofThis.isMoreThan(mapped)) mapped = ofThis;
        }
        Bytes growth = Bytes.NONE;
        Bytes evicted = Bytes.NONE;
        Bytes resident = Bytes.NONE;
        Bytes size = Bytes.NONE;
        String residentSource = "/proc/" + workload.main().pid() + "/status RssFile";
        for (ModelFile file : workload.models()) {
            size = size.plus(file.size());
            if (evidence.latest(PageCache.FACT, file) instanceof Present<PageCache>(PageCache cache)) {
                resident = resident.plus(cache.resident());
                residentSource = cache.call();
            }
            if (evidence.change(PageCache.FACT, file) instanceof Present<Change<PageCache>>(Change<PageCache> change)) {
                growth = growth.plus(change.growth(PageCache::resident));
                evicted = evicted.plus(change.growth(
                        cache -> Bytes.ofPages(cache.evictedPages().orElse(0))));
            }
        }
        // Without the right to look into the page cache, what the process has mapped and resident is the least there
        // is.
        if (workload.models().stream()
                .noneMatch(file -> evidence.latest(PageCache.FACT, file).isPresent())) {
            for (ProcessId id : workload.processes()) {
                Bytes mappedNow = evidence.lastSeen(ProcessMemory.FACT, id)
                        .map(ProcessMemory::file)
                        .orElse(Bytes.NONE);
                if (mappedNow.isMoreThan(resident)) resident = mappedNow;
                Bytes grown = evidence.change(ProcessMemory.FACT, id)
                        .map(c -> c.growth(ProcessMemory::file))
                        .orElse(Bytes.NONE);
                if (grown.isMoreThan(growth)) growth = grown;
            }
        }
        // Without the right to see what was read, what stayed is the least it can have been.
        if (!known) fromStorage = growth.orNoneIfNegative();
        return new Reads(
                fromStorage,
                byCall,
                growth,
                anonymous,
                evicted.orNoneIfNegative(),
                majorFaults,
                resident,
                size,
                mapped,
                evidence.window(),
                residentSource,
                known);
    }

    public BytesPerSecond rate() {
        return fromStorage.over(window);
    }

    /// Bytes read that are still there, in the page cache or in the reader's own memory.
    public Bytes kept() {
        return residentGrowth.orNoneIfNegative().plus(anonymousGrowth.orNoneIfNegative());
    }

    /// Bytes read that are gone again.
    public Bytes lost() {
        return fromStorage.minus(kept()).orNoneIfNegative();
    }

    /// What of the model is not in the page cache yet.
    public Bytes left() {
        return modelSize.minus(resident).orNoneIfNegative();
    }

    /// Whether it reads enough for anybody to care: 4 MiB a second.
    public boolean isReading() {
        return rate().bytesPerSecond() >= 4 << 20;
    }
}
