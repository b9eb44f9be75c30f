// SPDX-License-Identifier: Apache-2.0
/// Quantities with their unit in the type, and readings that may be absent with a reason.
module dev.ullage.measure {
    exports dev.ullage.measure;
}
