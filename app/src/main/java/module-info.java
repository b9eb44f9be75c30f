// SPDX-License-Identifier: Apache-2.0
/// The command line: the only place with a main method, a console and exit statuses.
module dev.ullage.app {
    requires com.github.luben.zstd_jni;
    requires dev.ullage.diagnosis;
    requires dev.ullage.logs;
    requires info.picocli;
}
