// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import java.util.HashMap;
import java.util.Map;

/// A recorded host of one instant, written down in a test: path, text, path, text, …
public final class Recorded {
    private Recorded() {}

    public static HostRoot host(String... pathsAndTexts) {
        return new RecordedHost(tree(pathsAndTexts)).at(0);
    }

    public static TextTree tree(String... pathsAndTexts) {
        Map<String, String> files = new HashMap<>();
        for (int i = 0; i < pathsAndTexts.length; i += 2) files.put(pathsAndTexts[i], pathsAndTexts[i + 1]);
        return TextTree.of(files);
    }
}
