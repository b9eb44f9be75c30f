// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.measure.Bytes;

/// Memory that only requests of one stream and one pool can use. CUDA graphs have pools of their own (`"1,0"`); a
/// program without them has one pool (`"0,0"`) and one stream (0).
public record MemoryPool(String pool, long stream, Bytes reserved, Bytes allocated, Bytes largestFree) {}
