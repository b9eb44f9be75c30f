// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/// A file that Python's `pickle` wrote, read as data: nothing is imported, instantiated or called.
///
/// Mistake people make: opening a stranger's snapshot with `pickle.load`. A pickle is a program, and
/// `cos\nsystem\n(S'…'\ntR.` runs a shell. Here the same file is the text `os.system` and the text of the command.
///
/// @param root the one value the file is of
/// @param protocol 0 to 5; 0 also when the file does not say (protocols 0 and 1)
/// @param length up to and with STOP; what follows is not looked at
/// @param named classes and functions the file names, the first 64
/// @param calls what it would have called, the first 64
public record Pickle(Data root, int protocol, Bytes length, List<Data.ClassName> named, List<Instance> calls) {
    /// Whether a file that begins so is a pickle of protocol 2 or later: `80 04 95 …`. Earlier ones (Python 2) cannot
    /// be
    /// told from text.
    public static boolean looksLike(byte[] head, int length) {
        return length >= 2 && (head[0] & 0xff) == 0x80 && head[1] >= 2 && head[1] <= 5;
    }

    /// Reads the whole tree into memory, at most [Held#USUAL] of it.
    public static Reading<Pickle> read(String file, InputStream in) {
        return read(file, in, Folding.NONE, new Held(Held.USUAL));
    }

    /// Reads a file of any size with the help of somebody who knows its shape.
    ///
    /// @param file its name, for messages
    /// @param folding is given `held` too, so that what it keeps is counted
    public static Reading<Pickle> read(String file, InputStream in, Folding folding, Held held) {
        PickleInput input = new PickleInput(in);
        PickleMachine machine = new PickleMachine(input, folding, held);
        try {
            Data root = machine.run();
            return Reading.of(new Pickle(
                    root,
                    machine.protocol(),
                    new Bytes(input.offset()),
                    List.copyOf(machine.named()),
                    List.copyOf(machine.calls())));
        } catch (Refusal refused) {
            return absent(file, machine, "found " + refused.found() + ", expected " + refused.expected());
        } catch (UncheckedIOException broken) {
            return absent(
                    file,
                    machine,
                    "reading further failed: " + broken.getCause().getMessage());
        }
    }

    private static Reading<Pickle> absent(String file, PickleMachine machine, String detail) {
        String where = file + ", byte " + machine.opcodeAt() + " (" + machine.opcodeName() + ")";
        return Reading.absent(where, AbsentCause.MALFORMED, detail);
    }
}
