// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;

/// Error numbers of the kernel (include/uapi/asm-generic/errno-base.h) and what they mean for somebody who looks.
enum Errno {
    EPERM(1, AbsentCause.NO_PERMISSION),
    ENOENT(2, AbsentCause.NOT_PRESENT),
    ESRCH(3, AbsentCause.VANISHED),
    EIO(5, AbsentCause.MALFORMED),
    ENXIO(6, AbsentCause.NOT_PRESENT),
    EAGAIN(11, AbsentCause.NOT_PRESENT),
    EACCES(13, AbsentCause.NO_PERMISSION),
    ENOTDIR(20, AbsentCause.NOT_PRESENT),
    EINVAL(22, AbsentCause.NOT_ON_THIS_KERNEL),
    EPIPE(32, AbsentCause.VANISHED),
    ENOSYS(38, AbsentCause.NOT_ON_THIS_KERNEL),
    EOPNOTSUPP(95, AbsentCause.NOT_ON_THIS_KERNEL),
    ETIMEDOUT(110, AbsentCause.TIMED_OUT),
    ESTALE(116, AbsentCause.VANISHED);

    private final int number;
    private final AbsentCause cause;

    Errno(int number, AbsentCause cause) {
        this.number = number;
        this.cause = cause;
    }

    /// The absence that a failed call means.
    ///
    /// @param result what [Syscalls] returned: minus the errno
    static <T> Reading<T> absent(String source, String call, long result) {
        for (Errno errno : values())
            if (errno.number == -result) return Reading.absent(source, errno.cause, call + " said " + errno.name());
        return Reading.absent(source, AbsentCause.NOT_PRESENT, call + " failed with errno " + -result);
    }
}
