// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import dev.ullage.measure.Reading;
import java.util.function.Function;

/// One thing a host tells about something: about itself ([Host]), about a process, a cgroup, a mount, a model file.
///
/// @param <K> what it is told about
/// @param <T> what is told
public final class Fact<K, T> {
    private final String name;
    private final String source;
    private final Cadence cadence;
    private final String wouldHelp;
    private final Reader<K, T> reader;

    /// How a fact is read from a root. Pure but for the root: the same text gives the same reading.
    @FunctionalInterface
    public interface Reader<K, T> {
        Reading<T> read(HostRoot root, K about);
    }

    /// @param name the fact in a few plain words, as the report's "could not see" names it
    /// @param source where it comes from; `<pid>` and the like stand for what it is about
    /// @param wouldHelp what the reader of a report can do so that it is seen next time; empty when nothing
    public Fact(String name, String source, Cadence cadence, String wouldHelp, Reader<K, T> reader) {
        this.name = name;
        this.source = source;
        this.cadence = cadence;
        this.wouldHelp = wouldHelp;
        this.reader = reader;
    }

    /// A fact about the host that is the text of one file.
    public static <T> Fact<Host, T> ofFile(
            String name, String path, Cadence cadence, String wouldHelp, Function<String, Reading<T>> parse) {
        return new Fact<>(
                name, path, cadence, wouldHelp, (root, _) -> root.text(path).flatMap(parse));
    }

    public Reading<T> read(HostRoot root, K about) {
        return reader.read(root, about);
    }

    public String name() {
        return name;
    }

    public String source() {
        return source;
    }

    public Cadence cadence() {
        return cadence;
    }

    public String wouldHelp() {
        return wouldHelp;
    }

    @Override
    public String toString() {
        return name;
    }
}
