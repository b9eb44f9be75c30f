// SPDX-License-Identifier: Apache-2.0
/// What is left after a crash, read as lines: of files, folders and pipes, packed or not, as any program wrote them;
/// and what these lines mean.
module dev.ullage.logs {
    requires transitive dev.ullage.host;
    requires com.fasterxml.jackson.core;
    requires org.tukaani.xz;

    exports dev.ullage.logs.packing;
    exports dev.ullage.logs.reading;
    exports dev.ullage.logs.scan;
    exports dev.ullage.logs.signature;
}
