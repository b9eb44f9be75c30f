// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;

/// `/proc/<pid>/io`: bytes a process moved. Needs to be root or the owner.
///
/// ```
/// rchar: 323934931
/// read_bytes: 1048576
/// write_bytes: 0
/// cancelled_write_bytes: 0
/// ```
///
/// @param readByCall what its read calls returned, cached or not (`rchar`); page faults are not in it
/// @param readFromStorage what it made the storage fetch, by reads and by page faults (`read_bytes`)
/// @param writtenToStorage what it made dirty (`write_bytes` less what was truncated before it was written)
public record ProcessIo(Bytes readByCall, Bytes readFromStorage, Bytes writtenToStorage) {
    public static final Fact<ProcessId, ProcessIo> FACT = new Fact<>(
            "bytes read and written by process", "/proc/<pid>/io", Cadence.ENDS, "run as root", (root, id) -> root.text(
                            id.file("io"))
                    .flatMap(ProcessIo::parse));

    public static Reading<ProcessIo> parse(String text) {
        KeyValues values = KeyValues.parse(text);
        if (values.get("read_bytes").isEmpty())
            return Reading.malformed("/proc/<pid>/io", text, "a line \"read_bytes: <number>\"");
        return Reading.of(new ProcessIo(
                new Bytes(values.orZero("rchar")),
                new Bytes(values.orZero("read_bytes")),
                new Bytes(Math.max(0, values.orZero("write_bytes") - values.orZero("cancelled_write_bytes")))));
    }
}
