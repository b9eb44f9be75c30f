// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

/// Names from the host in commands that are pasted into a root shell.
public final class Shell {
    private Shell() {}

    /// A name as one word of a shell: quoted when a shell would see more in it than letters. systemd's `\x2d` needs it
    /// as much as a blank or a `$(…)`.
    public static String word(String name) {
        return name.matches("[A-Za-z0-9_./:=@,+-]+") ? name : "'" + name.replace("'", "'\\''") + "'";
    }
}
