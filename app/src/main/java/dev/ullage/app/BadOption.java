// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

/// An option whose value makes no sense; the message says what was found and what was expected.
final class BadOption extends RuntimeException {
    private static final long serialVersionUID = 1;

    BadOption(String message) {
        super(message);
    }
}
