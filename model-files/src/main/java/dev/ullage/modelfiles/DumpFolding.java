// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles;

import dev.ullage.modelfiles.pickle.Data;
import dev.ullage.modelfiles.pickle.DictOf;
import dev.ullage.modelfiles.pickle.Folding;
import dev.ullage.modelfiles.pickle.Held;
import dev.ullage.modelfiles.pickle.ListOf;
import dev.ullage.modelfiles.pickle.Pickle;
import dev.ullage.modelfiles.pickle.TupleOf;
import dev.ullage.modelfiles.python.TracemallocFolding;
import dev.ullage.modelfiles.torch.TorchFolding;

/// For a file of which it is not yet known who wrote it. A tracemalloc dump names its class before its data; a torch
/// snapshot has no classes and is known by the keys of its dicts.
final class DumpFolding implements Folding {
    private final TorchFolding torch;
    private final TracemallocFolding tracemalloc;
    private boolean isTracemalloc;

    DumpFolding(Held held) {
        torch = new TorchFolding(held);
        tracemalloc = new TracemallocFolding(held);
    }

    boolean isTracemalloc() {
        return isTracemalloc;
    }

    MemoryDump tracemalloc(String file, Pickle pickle) {
        return tracemalloc
                .snapshot(file, pickle)
                .<MemoryDump>map(snapshot -> snapshot)
                .orElse(new OtherPickle(file, pickle));
    }

    @Override
    public void named(Data.ClassName name) {
        if (name.is("tracemalloc", "_Traces")) isTracemalloc = true;
    }

    @Override
    public Data dict(DictOf dict) {
        return isTracemalloc ? dict : torch.dict(dict);
    }

    @Override
    public Data listUnder(String key, ListOf list) {
        return isTracemalloc ? list : torch.listUnder(key, list);
    }

    @Override
    public Data tuple(TupleOf tuple) {
        return isTracemalloc ? tracemalloc.tuple(tuple) : tuple;
    }
}
