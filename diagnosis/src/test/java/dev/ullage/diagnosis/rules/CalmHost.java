// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.Diagnostician;
import dev.ullage.host.Focus;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.Sampler;
import dev.ullage.host.TextTree;
import java.util.Map;
import java.util.TreeMap;

/// The healthy host of the pages, for tests of what lies above the rules.
public final class CalmHost {
    private final Map<String, String> files = new TreeMap<>(PageExample.base("calm"));

    public CalmHost with(String path, String text) {
        files.put(path, text);
        return this;
    }

    public CalmHost without(String prefix) {
        files.keySet().removeIf(path -> path.startsWith(prefix));
        return this;
    }

    public Map<String, String> files() {
        return files;
    }

    public Diagnosis diagnosis() {
        return diagnosisOf(files);
    }

    public static Diagnosis diagnosisOf(Map<String, String> files) {
        return new Diagnostician(Rules.ALL)
                .diagnose(Sampler.replay(new RecordedHost(TextTree.of(files)), Focus.EVERYTHING), "capture", "test");
    }
}
