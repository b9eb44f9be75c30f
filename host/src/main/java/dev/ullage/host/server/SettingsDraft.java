// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// [ServerSettings] while they are put together. What makes no sense (a share of 90, a context of −1) is as if it had
/// not been said.
final class SettingsDraft {
    private static final long MOST_TOKENS = 1L << 40;

    private Optional<String> model = Optional.empty();
    private OptionalInt port = OptionalInt.empty();
    private Optional<Ratio> gpuMemoryShare = Optional.empty();
    private OptionalLong contextLength = OptionalLong.empty();
    private OptionalInt parallelSequences = OptionalInt.empty();
    private OptionalInt tensorParallel = OptionalInt.empty();
    private OptionalInt gpuLayers = OptionalInt.empty();
    private Optional<String> kvCacheType = Optional.empty();
    private Optional<Bytes> promptCache = Optional.empty();

    SettingsDraft model(Optional<String> name) {
        model = name.filter(m -> !m.isBlank());
        return this;
    }

    SettingsDraft port(OptionalDouble number) {
        if (isIn(number, 1, 65_535)) port = OptionalInt.of((int) number.getAsDouble());
        return this;
    }

    SettingsDraft gpuMemoryShare(OptionalDouble share) {
        if (share.isPresent() && share.getAsDouble() > 0 && share.getAsDouble() <= 1)
            gpuMemoryShare = Optional.of(new Ratio(share.getAsDouble()));
        return this;
    }

    SettingsDraft contextLength(OptionalDouble tokens) {
        if (isIn(tokens, 1, MOST_TOKENS)) contextLength = OptionalLong.of((long) tokens.getAsDouble());
        return this;
    }

    SettingsDraft parallelSequences(OptionalDouble count) {
        if (isIn(count, 1, 1 << 20)) parallelSequences = OptionalInt.of((int) count.getAsDouble());
        return this;
    }

    SettingsDraft tensorParallel(OptionalDouble count) {
        if (isIn(count, 1, 1 << 16)) tensorParallel = OptionalInt.of((int) count.getAsDouble());
        return this;
    }

    /// A number, or `all`; `auto` and −1 leave it to the engine.
    SettingsDraft gpuLayers(Optional<String> layers) {
        String text = layers.orElse("");
        OptionalDouble number = Numbers.plain(text);
        if (text.equals("all")) gpuLayers = OptionalInt.of(Integer.MAX_VALUE);
        else if (isIn(number, 0, Integer.MAX_VALUE)) gpuLayers = OptionalInt.of((int) number.getAsDouble());
        return this;
    }

    SettingsDraft kvCacheType(Optional<String> type) {
        kvCacheType = type.filter(t -> !t.isBlank() && t.length() < 40);
        return this;
    }

    /// @param mebibytes −1 is without a limit
    SettingsDraft promptCache(OptionalDouble mebibytes) {
        if (isIn(mebibytes, 0, 1L << 40)) promptCache = Optional.of(Bytes.ofMiB((long) mebibytes.getAsDouble()));
        else if (isIn(mebibytes, -1, -1)) promptCache = Optional.of(new Bytes(Long.MAX_VALUE));
        return this;
    }

    private static boolean isIn(OptionalDouble number, long least, long most) {
        return number.isPresent() && number.getAsDouble() >= least && number.getAsDouble() <= most;
    }

    ServerSettings built() {
        return new ServerSettings(
                model,
                port,
                gpuMemoryShare,
                contextLength,
                parallelSequences,
                tensorParallel,
                gpuLayers,
                kvCacheType,
                promptCache);
    }
}
