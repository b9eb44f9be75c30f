// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// rsyslog writes control characters as `#` and three octal digits: `#033[36m` is a colour, `#011` a tab. Undone only
/// in inputs that begin with such: "#012" may be the number of an issue elsewhere.
final class SyslogEscapes {
    static final String SIGN = "#033[";
    private static final Pattern ESCAPE = Pattern.compile("#0([0-3][0-7])");

    private SyslogEscapes() {}

    static String undo(String line) {
        if (line.indexOf('#') < 0) return line;
        Matcher escape = ESCAPE.matcher(line);
        return escape.replaceAll(
                found -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(1), 8))));
    }
}
