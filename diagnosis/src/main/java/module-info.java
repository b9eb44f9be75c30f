// SPDX-License-Identifier: Apache-2.0
/// Rules judge evidence, the differential finds the cause among them, the report says it.
@SuppressWarnings("module") // dev.ullage.app is compiled after this one
module dev.ullage.diagnosis {
    requires transitive dev.ullage.host;
    requires com.fasterxml.jackson.core;

    exports dev.ullage.diagnosis;
    exports dev.ullage.diagnosis.report;
    exports dev.ullage.diagnosis.rules to
            dev.ullage.app;
}
