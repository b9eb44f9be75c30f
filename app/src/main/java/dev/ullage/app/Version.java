// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// Which Ullage this is.
final class Version {
    private Version() {}

    /// The version of the build, from the resource that Maven fills in.
    static String ours() {
        try (InputStream in = Version.class.getResourceAsStream("version.txt")) {
            return in == null ? "(not built)" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "(unreadable)";
        }
    }
}
