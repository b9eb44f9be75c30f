// SPDX-License-Identifier: Apache-2.0
/// What the lines of logs mean: the kernel's, the drivers', the engines', the orchestrators'.
@SuppressWarnings("module") // dev.ullage.diagnosis is compiled after this one
module dev.ullage.logs {
    requires transitive dev.ullage.host;

    exports dev.ullage.logs.signature;
}
