// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.util.List;

/// What became of one input.
///
/// @param source its name
/// @param bytes of text, unpacked
/// @param lines of the input
/// @param isWhole whether all of it was read
/// @param notes what was guessed, lost, cut or left out; sentences without a full stop that complete "NAME: …"
public record ReadSummary(String source, long bytes, long lines, boolean isWhole, List<String> notes) {}
