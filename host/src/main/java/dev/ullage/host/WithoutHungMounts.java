// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.util.List;

/// A host whose hung mounts are not touched again: whatever lies on them has timed out already.
record WithoutHungMounts(HostRoot host, List<String> hungPoints) implements HostRoot {
    private static final String ROOT_OF_A_PROCESS = "/root/";

    @Override
    public Reading<String> text(String path) {
        return isOnHungMount(path) ? timedOut(path) : host.text(path);
    }

    @Override
    public Reading<List<String>> names(String directory) {
        return isOnHungMount(directory) ? timedOut(directory) : host.names(directory);
    }

    @Override
    public Reading<String> link(String path) {
        return host.link(path);
    }

    @Override
    public Reading<String> ask(Call call, String about) {
        return isOnHungMount(about) ? timedOut(about) : host.ask(call, about);
    }

    @Override
    public void watch(List<Integer> pids) {
        host.watch(pids);
    }

    private boolean isOnHungMount(String path) {
        if (hungPoints.isEmpty()) return false;
        // /proc/812/root/mnt/nfs/a.gguf lies on /mnt/nfs too.
        int root = path.startsWith("/proc/") ? path.indexOf(ROOT_OF_A_PROCESS) : -1;
        String seen = root < 0 ? path : path.substring(root + ROOT_OF_A_PROCESS.length() - 1);
        return hungPoints.stream().anyMatch(point -> seen.equals(point) || seen.startsWith(point + "/"));
    }

    private static <T> Reading<T> timedOut(String path) {
        return Reading.absent(path, AbsentCause.TIMED_OUT, "its mount did not answer before the deadline");
    }
}
