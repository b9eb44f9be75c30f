// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

import java.nio.charset.StandardCharsets;

/// Text, each distinct short one once. A snapshot says "N/A" a million times, each as a string of its own; found by its
/// bytes in here it costs neither memory nor the making of a string.
final class Texts {
    private static final int SLOTS = 1 << 16;
    private static final int MOST = SLOTS / 2;
    private static final int LONGEST_SHARED = 200;
    /// A source file's whole text would fit; what is longer is not a name, a path or a setting.
    static final int LONGEST = 4 << 20;

    private final Data.Text[] slots = new Data.Text[SLOTS];
    private final Held held;
    private int count;

    Texts(Held held) {
        this.held = held;
    }

    Data.Text read(PickleInput in, long length) {
        if (length < 0 || length > LONGEST)
            throw new Refusal(
                    "text of " + Long.toUnsignedString(length) + " bytes",
                    "at most " + LONGEST + "; this is not a memory snapshot");
        int size = (int) length;
        if (size > LONGEST_SHARED) {
            // Charged before it is read: the bytes may be there.
            held.charge(Held.NODE * 2L + 2L * size);
            return new Data.Text(in.utf8(size));
        }
        byte[] bytes = in.view(size);
        int start = in.start(size);
        int hash = size;
        for (int i = start; i < start + size; i++) hash = 31 * hash + bytes[i];
        int slot = (hash ^ hash >>> 15) & SLOTS - 1;
        // A file made to collide here makes us look at a few slots and then not share: slower by a constant, no more.
        for (int tries = 0; tries < 8; tries++, slot = slot + 1 & SLOTS - 1) {
            if (slots[slot] == null) break;
            if (isSame(slots[slot].value(), bytes, start, size)) return slots[slot];
        }
        held.charge(Held.NODE * 2L + 2L * size);
        Data.Text text = new Data.Text(new String(bytes, start, size, StandardCharsets.UTF_8));
        if (slots[slot] == null && count < MOST) {
            slots[slot] = text;
            count++;
        }
        return text;
    }

    /// Whether the text is these bytes; only ASCII is recognised, other text is not shared.
    private static boolean isSame(String text, byte[] bytes, int start, int size) {
        if (text.length() != size) return false;
        for (int i = 0; i < size; i++) if (bytes[start + i] < 0 || text.charAt(i) != bytes[start + i]) return false;
        return true;
    }
}
