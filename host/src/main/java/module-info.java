// SPDX-License-Identifier: Apache-2.0
/// What a Linux host and its LLM servers tell: one file a fact, each readable from "/" or from a recorded root.
module dev.ullage.host {
    requires transitive dev.ullage.measure;
    // nvidia-smi's answer is XML
    requires java.xml;
    requires com.fasterxml.jackson.core;

    exports dev.ullage.host;
    exports dev.ullage.host.capture;
    exports dev.ullage.host.cgroup;
    exports dev.ullage.host.cpu;
    exports dev.ullage.host.gpu;
    exports dev.ullage.host.kernel;
    exports dev.ullage.host.kernellog;
    exports dev.ullage.host.memory;
    exports dev.ullage.host.process;
    exports dev.ullage.host.server;
    exports dev.ullage.host.service;
    exports dev.ullage.host.storage;
}
