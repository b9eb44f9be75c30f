// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.io.IOException;

/// An input that is not read at all. The message completes "NAME …": `is a pipe; …`, and says what to do instead.
public final class Refused extends IOException {
    private static final long serialVersionUID = 1;

    public Refused(String message) {
        super(message);
    }
}
