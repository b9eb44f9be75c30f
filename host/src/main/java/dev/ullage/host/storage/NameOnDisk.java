// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
import dev.ullage.host.Fact;
import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;

/// What lies now under the name of a model file in use, and how long the file in use is now. A server goes on with the
/// file it has opened when somebody puts another one under its name; when somebody *shortens* the file in place, the
/// next touch of a page beyond its end kills the server by SIGBUS.
///
/// @param exists whether there is a file under the name
/// @param same whether it is the file in use
/// @param size length of the file in use; unlike the one of [ModelFile] as of the end of the window
public record NameOnDisk(boolean exists, boolean same, Bytes size) {
    public static final Fact<ModelFile, NameOnDisk> FACT =
            new Fact<>("model file under its name", "stat", Cadence.ENDS, "", NameOnDisk::read);

    private static Reading<NameOnDisk> read(HostRoot root, ModelFile file) {
        Reading<String> named = root.ask(Call.STAT, file.path());
        // "Not allowed to look" and "it hangs" are not "gone".
        if (named instanceof Absent<String> absent
                && absent.cause() != AbsentCause.NOT_PRESENT
                && absent.cause() != AbsentCause.VANISHED) return absent.as();
        return root.ask(Call.STAT, file.via())
                .map(used -> new NameOnDisk(
                        named.isPresent(),
                        isOf(file, named.orElse("")),
                        // The path we go by may lead to the new file by now: then only the old length is known.
                        isOf(file, used) ? new Bytes(KeyValues.parsePairs(used).orZero("size")) : file.size()));
    }

    private static boolean isOf(ModelFile file, String stat) {
        return KeyValues.parsePairs(stat).orZero("ino") == file.inode()
                && (" " + stat).contains(" dev=" + file.device() + " ");
    }
}
