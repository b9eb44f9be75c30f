// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.modelfiles.pickle.Folded;

/// One line of code that asked for memory: `{'filename': '/app/model.py', 'line': 88, 'name': 'forward'}`.
public record CodeFrame(String file, int line, String function) implements Folded {
    /// Python's own lines, as opposed to the C++ of torch under them (`stacks="all"`) that nobody can change.
    public boolean isPython() {
        return file.endsWith(".py") || file.startsWith("<");
    }

    public String shown() {
        return file + ":" + line + " " + function;
    }
}
