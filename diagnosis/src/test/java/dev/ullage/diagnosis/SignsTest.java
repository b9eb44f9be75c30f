// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SignsTest {
    @Test
    void confidence_is_the_share_of_expected_signs_that_were_seen() {
        assertEquals(
                0.5, new Signs().sign(true).sign(true).sign(false).sign(false).confidence());
    }

    /// Every combination of up to six signs, each seen, not seen, or deciding.
    @Test
    void nine_tenths_and_more_needs_two_signs_or_one_that_decides() {
        for (int length = 0; length <= 6; length++)
            for (int combination = 0; combination < Math.pow(4, length); combination++) {
                Signs signs = new Signs();
                int seen = 0;
                boolean decided = false;
                for (int i = 0, rest = combination; i < length; i++, rest /= 4) {
                    boolean was = rest % 2 == 1;
                    boolean decides = rest % 4 >= 2;
                    if (decides) signs.decides(was);
                    else signs.sign(was);
                    if (was) seen++;
                    decided |= was && decides;
                }
                double confidence = signs.confidence();
                assertTrue(confidence >= 0 && confidence < 1, () -> "never certainty: " + confidence);
                assertTrue(confidence < 0.9 || decided || seen >= 2, confidence + " of " + seen + " signs");
                assertTrue(seen > 0 || confidence == 0, confidence + " without a sign");
            }
    }

    @Test
    void one_sign_alone_is_never_enough_for_nine_tenths() {
        assertEquals(0.89, new Signs().sign(true).confidence());
    }

    @Test
    void two_independent_signs_or_one_that_decides_are() {
        assertEquals(0.97, new Signs().sign(true).sign(true).confidence());
        assertEquals(0.97, new Signs().decides(true).sign(false).sign(false).confidence());
    }

    @Test
    void a_deciding_sign_that_was_not_seen_is_one_more_that_is_missing() {
        assertEquals(0.5, new Signs().decides(false).sign(true).confidence());
    }

    @Test
    void another_cause_that_would_show_the_same_lowers_it() {
        assertEquals(0.68, new Signs().sign(true).sign(true).doubt(true, 0.3).confidence());
        assertEquals(0.97, new Signs().sign(true).sign(true).doubt(false, 0.3).confidence());
    }

    @Test
    void doubt_weighs_on_what_decides_too() {
        assertTrue(new Signs().decides(true).doubt(true, 0.3).confidence() < 0.9);
    }

    @Test
    void no_signs_are_no_confidence() {
        assertEquals(0, new Signs().confidence());
    }
}
