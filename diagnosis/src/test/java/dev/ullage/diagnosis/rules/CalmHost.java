// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.Diagnostician;
import dev.ullage.host.Evidence;
import dev.ullage.host.Focus;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.Sampler;
import dev.ullage.host.TextTree;
import java.util.Map;
import java.util.TreeMap;

/// The healthy host of the pages, for tests of what lies above the rules.
public final class CalmHost {
    private final Map<String, String> files;

    public CalmHost() {
        this("calm");
    }

    private CalmHost(String base) {
        files = new TreeMap<>(PageExample.base(base));
    }

    /// Another base host of the pages: `calm-v1`.
    public static CalmHost named(String base) {
        return new CalmHost(base);
    }

    public CalmHost with(String path, String text) {
        files.put(path, text);
        return this;
    }

    public CalmHost without(String prefix) {
        if (!files.keySet().removeIf(path -> path.startsWith(prefix)))
            throw new IllegalArgumentException("the calm host has no " + prefix);
        return this;
    }

    /// Without a file, or without a folder when the path ends in a slash, whenever it was read.
    public CalmHost withoutAtAnyInstant(String file) {
        boolean any = files.keySet().removeIf(path -> {
            String plain = path.startsWith("at-") ? path.substring(path.indexOf('/') + 1) : path;
            return file.endsWith("/") ? plain.startsWith(file) : plain.equals(file);
        });
        if (!any) throw new IllegalArgumentException("the calm host has no " + file);
        return this;
    }

    /// As if it had been looked at once.
    public CalmHost atOneInstant() {
        Map<String, String> first = new TreeMap<>();
        files.forEach((path, text) -> {
            if (path.startsWith("at-0.000/")) first.put(path.substring("at-0.000/".length()), text);
            else if (!path.startsWith("at-")) first.putIfAbsent(path, text);
        });
        files.clear();
        files.putAll(first);
        return this;
    }

    public Map<String, String> files() {
        return files;
    }

    public Evidence evidence() {
        return evidenceOf(files);
    }

    public Diagnosis diagnosis() {
        return diagnosisOf(files);
    }

    public static Evidence evidenceOf(Map<String, String> files) {
        return Sampler.replay(new RecordedHost(TextTree.of(files)), Focus.EVERYTHING);
    }

    public static Diagnosis diagnosisOf(Map<String, String> files) {
        return new Diagnostician(Rules.ALL).diagnose(evidenceOf(files), "capture", "test");
    }
}
