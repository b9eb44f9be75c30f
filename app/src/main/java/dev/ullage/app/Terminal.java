// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

/// What the launcher told us about the terminal: it asks the shell, which is cheaper than asking the kernel from Java.
final class Terminal {
    private Terminal() {}

    /// Colours on a terminal, unless NO_COLOR is set (https://no-color.org).
    static boolean hasColour() {
        String noColour = System.getenv("NO_COLOR");
        return "1".equals(System.getenv("ULLAGE_STDOUT_IS_TERMINAL")) && (noColour == null || noColour.isEmpty());
    }

    static int width() {
        String columns = System.getenv("COLUMNS");
        return columns != null && columns.matches("[1-9][0-9]{1,3}") ? Integer.parseInt(columns) : 80;
    }

    static boolean showsProgress() {
        return "1".equals(System.getenv("ULLAGE_STDERR_IS_TERMINAL"));
    }
}
