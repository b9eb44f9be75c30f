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

    @Test
    void one_sign_alone_is_never_enough_for_nine_tenths() {
        assertTrue(new Signs().sign(true).confidence() < 0.9);
    }

    @Test
    void two_independent_signs_or_one_that_decides_are() {
        assertTrue(new Signs().sign(true).sign(true).confidence() >= 0.9);
        assertTrue(new Signs().decides(true).sign(false).sign(false).confidence() >= 0.9);
    }

    @Test
    void another_cause_that_would_show_the_same_lowers_it() {
        Signs signs = new Signs().sign(true).sign(true).doubt(true, 0.3);
        assertEquals(0.68, signs.confidence());
    }

    @Test
    void it_is_never_certainty() {
        assertTrue(new Signs().decides(true).sign(true).sign(true).confidence() < 1);
    }
}
