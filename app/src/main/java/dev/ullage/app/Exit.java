// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

/// Exit statuses, the same for all verbs.
final class Exit {
    static final int FINE = 0;
    static final int WARNING = 1;
    static final int CRITICAL = 2;
    /// sysexits.h: EX_USAGE, EX_DATAERR, EX_UNAVAILABLE, EX_SOFTWARE.
    static final int WRONG_USAGE = 64;

    static final int NOT_UNDERSTOOD = 65;
    static final int NOT_THERE = 69;
    static final int OUR_FAULT = 70;

    private Exit() {}
}
