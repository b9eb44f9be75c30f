// SPDX-License-Identifier: Apache-2.0
package dev.ullage.measure;

/// Why a thing could not be read. The word is part of the report's schema.
public enum AbsentCause {
    /// The kernel refused: look again as root.
    NO_PERMISSION("no-permission"),
    /// This kernel has no such file or call (too old, or built without it).
    NOT_ON_THIS_KERNEL("not-on-this-kernel"),
    /// The thing itself is not there: no such device, mount, cgroup.
    NOT_PRESENT("not-present"),
    /// It exists but is switched off (`psi=0`, `kernel.task_delayacct=0`).
    NOT_CONFIGURED("not-configured"),
    /// A capture or recording was made without it, or it needs a window and there was none (`--once`).
    NOT_RECORDED("not-recorded"),
    /// It was there and went away while we looked: a process that ended.
    VANISHED("vanished"),
    /// It was read and makes no sense; the detail says where.
    MALFORMED("malformed"),
    /// It did not answer before the deadline: a stuck process, a hung mount.
    TIMED_OUT("timed-out");

    private final String word;

    AbsentCause(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /// The cause whose word this is; [#MALFORMED] for a word we do not know (a capture of a later version).
    public static AbsentCause of(String word) {
        for (AbsentCause cause : values()) if (cause.word.equals(word)) return cause;
        return MALFORMED;
    }
}
