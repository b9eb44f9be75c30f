// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

/// The subject of facts that are about the whole host.
public enum Host {
    THE_HOST
}
