// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

/// Where trouble lies.
public enum Layer {
    HOST_MEMORY("host-memory", "host memory"),
    GPU_MEMORY("gpu-memory", "GPU memory"),
    STORAGE("storage", "storage"),
    OTHER("other", "neither memory nor storage");

    private final String word;
    private final String shown;

    Layer(String word, String shown) {
        this.word = word;
        this.shown = shown;
    }

    /// Its name in the report's schema.
    public String word() {
        return word;
    }

    public String shown() {
        return shown;
    }
}
