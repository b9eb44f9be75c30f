// SPDX-License-Identifier: Apache-2.0
/// Files that models and the programs around them leave: read as data, never executed.
module dev.ullage.modelfiles {
    requires transitive dev.ullage.measure;

    exports dev.ullage.modelfiles;
    exports dev.ullage.modelfiles.pickle;
    exports dev.ullage.modelfiles.python;
    exports dev.ullage.modelfiles.torch;
}
