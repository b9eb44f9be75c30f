// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.python;

import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;

/// What one place holds, and how much more that is than before; negative when it holds less.
public record Difference(Traceback place, Bytes held, Bytes grewBy, Count blocks, Count blocksMore) {}
