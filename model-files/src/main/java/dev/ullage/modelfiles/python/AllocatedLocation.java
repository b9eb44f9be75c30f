// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.python;

import dev.ullage.measure.Bytes;

/// A place in a memray report and what it allocated.
///
/// @param where `forward:/app/model.py:88`, as memray writes it
public record AllocatedLocation(String where, Bytes allocated) {}
