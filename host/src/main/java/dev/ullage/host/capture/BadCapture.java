// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

/// A capture that cannot be read, or not be written. The message names the file, and in an archive the offset; what was
/// found and what was expected.
public final class BadCapture extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BadCapture(String message) {
        super(message);
    }

    /// A name out of a capture, safe for a terminal and not too long for a line.
    public static String shown(String name) {
        StringBuilder out = new StringBuilder();
        String kept = name.length() > 200 ? name.substring(0, 200) + "…" : name;
        kept.chars().forEach(c -> {
            if (Character.isISOControl(c)) out.append(String.format("\\x%02x", c));
            else out.append((char) c);
        });
        return out.toString();
    }
}
