// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import dev.ullage.measure.Seconds;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ParseResult;

/// Durations as people type them: `10s`, `500ms`, `2m`, `1h`, a bare number of seconds.
final class Durations {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|s|m|min|h)?");

    private Durations() {}

    /// @throws BadOption when the text is no duration, or zero, or longer than `longest`
    static Seconds option(ParseResult parsed, String name, Seconds otherwise, Seconds longest) {
        String text = parsed.matchedOptionValue(name, (String) null);
        if (text == null) return otherwise;
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) throw new BadOption(name + " " + text + ": expected a duration such as 10s, 2m or 1h");
        double number = Double.parseDouble(matcher.group(1));
        String unit = matcher.group(2) == null ? "s" : matcher.group(2);
        Seconds duration =
                switch (unit) {
                    case "ms" -> Seconds.ofMillis(number);
                    case "m", "min" -> Seconds.ofMinutes(number);
                    case "h" -> Seconds.ofMinutes(60 * number);
                    default -> new Seconds(number);
                };
        if (duration.seconds() <= 0 || duration.compareTo(longest) > 0)
            throw new BadOption(name + " " + text + ": expected more than 0 and at most " + longest.shown());
        return duration;
    }
}
