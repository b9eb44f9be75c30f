// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.signature;

import java.util.Optional;

/// What part a line plays in the story of a death.
public enum Role {
    /// It says what failed. The first of these in time is the one that counts.
    FAILURE("failure"),
    /// It says that something failed below it and not what: `EngineCore failed to start`.
    WRAPPER("wrapper"),
    /// It comes of a failure: leaked semaphores, a peer that hung up.
    CONSEQUENCE("consequence"),
    /// A process ended, and how: an exit status, a signal.
    END("end"),
    /// It tells a number that decides what a failure means: weights, memory that is free.
    FACT("fact"),
    /// What failed just before was tried another way, and that worked.
    RECOVERY("recovery"),
    /// It sounds like trouble and is none.
    HARMLESS("harmless");

    private final String word;

    Role(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    static Optional<Role> of(String word) {
        for (Role role : values()) if (role.word.equals(word)) return Optional.of(role);
        return Optional.empty();
    }
}
