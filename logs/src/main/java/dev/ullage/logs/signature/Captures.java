// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.signature;

import dev.ullage.measure.Bytes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;

/// What the holes of a sentence held. A hole in a part that is missing holds nothing.
public final class Captures {
    public static final Captures NONE = new Captures(Map.of());

    private final Map<String, Held> held;

    private record Held(Hole hole, String text) {}

    private Captures(Map<String, Held> held) {
        this.held = held;
    }

    static Captures of(Matcher matcher, Map<String, Hole> holes) {
        Map<String, Held> held = new LinkedHashMap<>();
        holes.forEach((name, hole) -> {
            String text = matcher.group(name);
            if (text != null) held.put(name, new Held(hole, text));
        });
        return new Captures(held);
    }

    /// These, and those of another sentence of the same message; of two holes of one name the first counts.
    Captures and(Captures others) {
        Map<String, Held> all = new LinkedHashMap<>(others.held);
        all.putAll(held);
        return new Captures(all);
    }

    public boolean has(String name) {
        return held.containsKey(name);
    }

    public Optional<String> text(String name) {
        return Optional.ofNullable(held.get(name)).map(Held::text);
    }

    /// An amount of memory. Empty when the hole held none.
    public Optional<Bytes> bytes(String name) {
        return Optional.ofNullable(held.get(name)).flatMap(h -> h.hole.amount(h.text));
    }

    public Optional<Double> number(String name) {
        return text(name).flatMap(Hole::number);
    }

    public OptionalLong count(String name) {
        Optional<Double> number = number(name);
        return number.isPresent() ? OptionalLong.of(Math.round(number.get())) : OptionalLong.empty();
    }

    /// `tried=1.96 GiB total=79.18 GiB`, as the pages show it.
    @Override
    public String toString() {
        StringBuilder all = new StringBuilder();
        held.keySet().stream().sorted().forEach(name -> all.append(all.isEmpty() ? "" : " ")
                .append(name)
                .append('=')
                .append(bytes(name).map(Bytes::shown).orElse(held.get(name).text)));
        return all.toString();
    }
}
