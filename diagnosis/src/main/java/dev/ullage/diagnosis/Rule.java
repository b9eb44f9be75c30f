// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import java.util.List;
import java.util.Set;

/// Judges evidence about one trouble. Sees no file and no clock: the same evidence gives the same verdict.
public interface Rule {
    /// States the trouble; read it after "allow": `page-cache-thrash`.
    String name();

    Cause cause();

    /// Where the trouble lies; that of its cause, but for causes that are found in two layers.
    default Layer layer() {
        return cause().layer();
    }

    /// Facts of the host without which it cannot judge; the engine says so instead of asking it.
    List<Fact<Host, ?>> needs();

    /// Whether it needs rates, so cannot judge a single instant.
    default boolean needsWindow() {
        return false;
    }

    /// Rules whose problems are only symptoms when this one has found its trouble in the same servers.
    default Set<String> accountsFor() {
        return Set.of();
    }

    Verdict judge(Evidence evidence);
}
