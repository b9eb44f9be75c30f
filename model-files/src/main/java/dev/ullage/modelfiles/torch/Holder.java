// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;

/// What one place of a program holds: all blocks that were asked for with the same stack.
///
/// Mistake people make: taking the place that asked for the one to blame. A KV cache is asked for in one line and is as
/// large as a setting says.
public record Holder(Bytes held, Count blocks, CallStack stack) {}
