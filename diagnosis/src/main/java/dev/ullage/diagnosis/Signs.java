// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

/// How sure a finding is.
///
/// Confidence is the share of the cause's expected signs that were seen, times how well they exclude the other causes.
/// 0.9 and more needs two independent signs or one that decides alone (a line of the kernel's OOM killer does).
/// A sign that could not be looked for counts as not seen: the report says what would have helped.
public final class Signs {
    private static final double MOST_WITHOUT_PROOF = 0.89;

    private int expected;
    private int seen;
    private boolean decided;
    private double excludesOthers = 1;

    public Signs() {}

    public Signs sign(boolean wasSeen) {
        expected++;
        if (wasSeen) seen++;
        return this;
    }

    /// A sign that proves the cause alone.
    public Signs decides(boolean wasSeen) {
        decided |= wasSeen;
        return sign(wasSeen);
    }

    /// Another cause that would show the same signs, and how much doubt it leaves: 0.1 = little.
    public Signs doubt(boolean open, double howMuch) {
        if (open) excludesOthers *= 1 - howMuch;
        return this;
    }

    public double confidence() {
        if (expected == 0) return 0;
        // Even a full set of signs is not certainty: 0.97 at most.
        double share = decided ? Math.max(0.97, (double) seen / expected) : (double) seen / expected;
        double confidence = Math.min(0.97, share) * excludesOthers;
        boolean proven = decided || seen >= 2;
        return Math.round((proven ? confidence : Math.min(confidence, MOST_WITHOUT_PROOF)) * 100) / 100.0;
    }
}
