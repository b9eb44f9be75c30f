// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import dev.ullage.host.Call;
import dev.ullage.host.HostRoot;
import dev.ullage.host.MemoryTree;
import dev.ullage.host.RecordedHost;
import dev.ullage.measure.Reading;
import java.util.List;
import java.util.Map;

/// A recorded host that is at one instant after another, as a live one is.
class MovingHost implements HostRoot {
    final RecordedHost host;
    volatile int at;

    MovingHost(Map<String, String> files) {
        host = new RecordedHost(MemoryTree.of(files));
    }

    @Override
    public Reading<String> text(String path) {
        return host.at(at).text(path);
    }

    @Override
    public Reading<List<String>> names(String directory) {
        return host.at(at).names(directory);
    }

    @Override
    public Reading<String> link(String path) {
        return host.at(at).link(path);
    }

    @Override
    public Reading<String> ask(Call call, String about) {
        return host.at(at).ask(call, about);
    }
}
