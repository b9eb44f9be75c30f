// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.KeyValues;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.server.ServerSettings;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// Until the fact of settings is there.
final class InterimSettings {
    private InterimSettings() {}

    static ServerSettings of(CommandLine c) {
        return new ServerSettings(
                c.flag("--model", "-m"),
                number(c, "--port"),
                c.flag("--gpu-memory-utilization", "--mem-fraction-static", "--cuda-memory-fraction")
                        .flatMap(InterimSettings::ratio),
                longNumber(c, "--max-model-len", "--ctx-size", "-c", "--context-length", "--max-total-tokens"),
                number(c, "--max-num-seqs", "--parallel", "-np", "--max-running-requests"),
                number(c, "--tensor-parallel-size", "-tp", "--tp-size", "--tp", "--num-shard"),
                number(c, "--n-gpu-layers", "-ngl", "--gpu-layers"),
                c.flag("--kv-cache-dtype", "--cache-type-k", "-ctk"),
                c.flag("--cache-ram", "-cram")
                        .flatMap(t -> KeyValues.number(t).isPresent()
                                ? Optional.of(Bytes.ofMiB(KeyValues.number(t).getAsLong()))
                                : Optional.empty()));
    }

    private static Optional<Ratio> ratio(String text) {
        try {
            return Optional.of(new Ratio(Double.parseDouble(text)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static OptionalLong longNumber(CommandLine c, String... names) {
        return c.flag(names).map(KeyValues::number).orElse(OptionalLong.empty());
    }

    private static OptionalInt number(CommandLine c, String... names) {
        OptionalLong n = longNumber(c, names);
        return n.isPresent() ? OptionalInt.of((int) Math.min(Integer.MAX_VALUE, n.getAsLong())) : OptionalInt.empty();
    }
}
