// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import java.util.Optional;

/// Whether servers on this host may be asked over HTTP, and with which key.
///
/// @param key sent as `Authorization: Bearer …` to a server that answered 401 or 403 without it, and to no other. It is
///     never shown and never recorded
public record HttpAccess(boolean allowed, Optional<String> key) {
    public static final HttpAccess WITHOUT_KEY = new HttpAccess(true, Optional.empty());
    public static final HttpAccess FORBIDDEN = new HttpAccess(false, Optional.empty());

    /// Without the key: records print what they hold.
    @Override
    public String toString() {
        return "HttpAccess[allowed=" + allowed + ", key=" + (key.isPresent() ? "given" : "none") + "]";
    }
}
