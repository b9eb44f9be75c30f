// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;

/// What tests ask of a reading that must not be there.
public final class Absence {
    private Absence() {}

    public static AbsentCause causeOf(Reading<?> reading) {
        return assertInstanceOf(Absent.class, reading).cause();
    }

    public static String detailOf(Reading<?> reading) {
        return assertInstanceOf(Absent.class, reading).detail();
    }
}
