// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.modelfiles.pickle.Folded;

/// One line of code that asked for memory: `{'filename': '/app/model.py', 'line': 88, 'name': 'forward'}`.
///
/// @param isPython as opposed to the C++ of torch under it (`stacks="all"`), which nobody can change
public record CodeFrame(String file, int line, String function, boolean isPython) implements Folded {
    public static CodeFrame of(String file, int line, String function) {
        return new CodeFrame(file, line, function, file.endsWith(".py") || file.startsWith("<"));
    }

    public String shown() {
        return file + ":" + line + " " + function;
    }
}
