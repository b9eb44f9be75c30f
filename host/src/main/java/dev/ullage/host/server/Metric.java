// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import java.util.Map;

/// What one engine calls a number on its `/metrics` page.
///
/// @param name of a histogram: without `_sum` and `_count`
/// @param labels its lines must have to be meant
record Metric(String name, Map<String, String> labels) {
    static Metric of(String name) {
        return new Metric(name, Map.of());
    }

    static Metric of(String name, String label, String value) {
        return new Metric(name, Map.of(label, value));
    }

    Metric with(String suffix) {
        return new Metric(name + suffix, labels);
    }
}
