// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.python;

import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;

/// Memory that is held for one place of a Python program.
public record Statistic(Traceback place, Bytes held, Count blocks) {}
