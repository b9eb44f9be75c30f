// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.packing;

import java.io.IOException;

/// Bytes that are packed in a way that cannot be undone here. The message says what was found and what to do instead.
public final class CannotUnpack extends IOException {
    private static final long serialVersionUID = 1;

    public CannotUnpack(String message) {
        super(message);
    }
}
