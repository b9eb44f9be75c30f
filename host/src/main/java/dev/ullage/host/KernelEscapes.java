// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

/// The kernel writes spaces, tabs, newlines and backslashes in paths as octal: `/mnt/my\\040disk`.
public final class KernelEscapes {
    private KernelEscapes() {}

    public static String undo(String text) {
        if (text.indexOf('\\') < 0) return text;
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 3 <= text.length() - 1 && isOctal(text, i + 1)) {
                out.append((char) Integer.parseInt(text.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static boolean isOctal(String text, int from) {
        for (int i = from; i < from + 3; i++) if (text.charAt(i) < '0' || text.charAt(i) > '7') return false;
        return true;
    }
}
