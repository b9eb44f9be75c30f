// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles;

import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.modelfiles.pickle.Held;
import dev.ullage.modelfiles.pickle.Pickle;
import dev.ullage.modelfiles.python.TracemallocSnapshot;
import dev.ullage.modelfiles.torch.TorchSnapshot;
import java.io.InputStream;
import java.util.List;

/// What a program wrote down of its own memory, as a pickle.
public sealed interface MemoryDump permits TorchSnapshot, TracemallocSnapshot, OtherPickle {
    /// In plain text, at most 80 columns.
    List<String> shown();

    /// Reads any of them, of any size, in at most [Held#USUAL] of memory. Absent when it is not a pickle, is cut off,
    /// or
    /// needs more than data to be understood; the reason names byte and opcode.
    ///
    /// @param in uncompressed, from the beginning
    static Reading<MemoryDump> read(String file, InputStream in) {
        return read(file, in, Held.USUAL);
    }

    static Reading<MemoryDump> read(String file, InputStream in, Bytes atMost) {
        Held held = new Held(atMost);
        DumpFolding folding = new DumpFolding(held);
        return Pickle.read(file, in, folding, held).map(pickle -> {
            if (folding.isTracemalloc()) return folding.tracemalloc(file, pickle);
            return TorchSnapshot.of(file, pickle)
                    .<MemoryDump>map(snapshot -> snapshot)
                    .orElse(new OtherPickle(file, pickle));
        });
    }
}
