// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

/// Who made a GPU, and so who tells about it: NVIDIA's library, or the kernel's DRM drivers.
public enum Vendor {
    NVIDIA("NVIDIA"),
    AMD("AMD"),
    INTEL("Intel"),
    OTHER("other");

    private final String shown;

    Vendor(String shown) {
        this.shown = shown;
    }

    public String shown() {
        return shown;
    }
}
