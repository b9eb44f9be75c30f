// SPDX-License-Identifier: Apache-2.0
import dev.ullage.logs.reading.LogSource;
import dev.ullage.logs.reading.ReadOptions;
import dev.ullage.logs.scan.LogScan;
import dev.ullage.logs.scan.PatternSet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

/// Scans FILE for the patterns in a file, one a line; prints how many lines were found. Started by bench/scan.
class Scan {
    public static void main(String[] arguments) throws Exception {
        List<Pattern> patterns = Files.readAllLines(Path.of(arguments[0])).stream().map(Pattern::compile).toList();
        PatternSet set = PatternSet.of(patterns);
        long[] found = {0};
        try (LogScan scan = new LogScan(set, 0, 1)) {
            scan.over(LogSource.file(Path.of(arguments[1])), ReadOptions.plain(Instant.now()), (_, which) -> {
                if (which.length > 0) found[0]++;
            });
        }
        System.out.println(found[0]);
    }
}
