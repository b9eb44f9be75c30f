// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.diagnosis.rules.CalmHost;
import dev.ullage.host.Call;
import dev.ullage.host.Evidence;
import dev.ullage.host.Focus;
import dev.ullage.host.HostRoot;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.Sampler;
import dev.ullage.host.TextTree;
import dev.ullage.measure.Reading;
import java.time.Instant;
import java.util.List;

/// The calm host, looked at once a second for a long time: it uses more and more memory, waits, swaps and reads.
public final class LongWindow {
    private LongWindow() {}

    public static Evidence ofSeconds(int seconds) {
        HostRoot calm =
                new RecordedHost(TextTree.of(new CalmHost().atOneInstant().files())).at(0);
        Sampler sampler = new Sampler(Focus.EVERYTHING);
        for (int t = 0; t <= seconds; t++) sampler.take(new Second(calm, t), t == 0, t == seconds);
        return sampler.evidence();
    }

    private record Second(HostRoot calm, int t) implements HostRoot {
        @Override
        public Reading<String> text(String path) {
            return switch (path) {
                case "/proc/meminfo" ->
                    Reading.of("MemTotal: 65536000 kB\nMemFree: 4096000 kB\nMemAvailable: " + (52_428_800 - t * 1024)
                            + " kB\nCached: 40000000 kB\nAnonPages: " + (8_192_000 + t * 1024)
                            + " kB\nSwapTotal: 8388608 kB\nSwapFree: " + (8_388_608 - t * 256) + " kB\n");
                case "/proc/vmstat" -> Reading.of("pgmajfault 1\npswpin " + t * 64 + "\npswpout " + t * 32 + "\n");
                case "/proc/pressure/io" ->
                    Reading.of("some avg10=0 total=" + t * 250_000 + "\nfull avg10=0 total=" + t * 125_000 + "\n");
                case "/proc/diskstats" ->
                    Reading.of(" 259 0 nvme0n1 " + t * 100 + " 0 " + t * 20_480 + " " + t * 50 + " 0 0 0 0 0 0 0\n");
                default -> calm.text(path);
            };
        }

        @Override
        public Reading<List<String>> names(String directory) {
            return calm.names(directory);
        }

        @Override
        public Reading<String> link(String path) {
            return calm.link(path);
        }

        @Override
        public Reading<String> ask(Call call, String about) {
            return call == Call.CLOCK
                    ? Reading.of(Instant.parse("2026-03-01T10:00:00Z").plusSeconds(t) + " " + (1000 + t))
                    : calm.ask(call, about);
        }
    }
}
