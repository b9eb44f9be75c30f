// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The unique numbers of GPUs, which say whose machine it is to whoever has seen it before: `GPU-` and `MIG-` with a
/// UUID
/// behind it, in the driver's answers, on command lines, in `CUDA_VISIBLE_DEVICES`.
///
/// ```
/// uuid GPU-0b1e2c3d-1111-4222-8333-444455556666      → uuid GPU-id0001
/// CUDA_VISIBLE_DEVICES=GPU-0b1e2c3d                  → CUDA_VISIBLE_DEVICES=GPU-id0001
/// ```
/// CUDA takes the beginning of one for the whole, so the beginning of one that is known gets its disguise. Four digits,
/// so
/// that no disguise is the beginning of another.
final class GpuIds {
    private static final Pattern ID = Pattern.compile(
            "(?<![A-Za-z0-9])(?:GPU|MIG)-([0-9a-fA-F]{4,8}(?:-[0-9a-fA-F]{1,12}){0,4})(?![0-9A-Za-z-])");

    private static final int WHOLE = 36;

    private final Map<String, String> known = new HashMap<>();

    /// Whole ones only: what their beginnings belong to is known when all texts were seen.
    void learn(String text) {
        if (!mayHold(text)) return;
        Matcher matcher = ID.matcher(text);
        while (matcher.find()) if (matcher.group(1).length() == WHOLE) disguise(matcher.group(1));
    }

    String hide(String text) {
        return mayHold(text) ? TokenShapes.hide(ID, text, this::disguise) : text;
    }

    private static boolean mayHold(String text) {
        return text.contains("GPU-") || text.contains("MIG-");
    }

    private String disguise(String id) {
        String lower = id.toLowerCase(Locale.ROOT);
        String same = known.get(lower);
        if (same != null) return same;
        if (lower.length() < WHOLE)
            for (Map.Entry<String, String> whole : known.entrySet())
                if (whole.getKey().length() == WHOLE && whole.getKey().startsWith(lower)) return whole.getValue();
        String next = String.format(Locale.ROOT, "id%04d", known.size() + 1);
        known.put(lower, next);
        return next;
    }
}
