// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.python;

import dev.ullage.modelfiles.pickle.Folded;

/// A line of Python, `("/app/serve.py", 112)`; line 0 stands for the whole file. `("<unknown>", 0)` is memory that was
/// asked for outside of any Python code.
public record SourceLine(String file, int line) implements Folded {
    public String shown() {
        return line == 0 ? file : file + ":" + line;
    }
}
