// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.Diagnostician;
import dev.ullage.diagnosis.report.VerdictLine;
import dev.ullage.diagnosis.rules.Rules;
import dev.ullage.host.Focus;
import dev.ullage.host.kernel.HttpAccess;
import dev.ullage.host.kernel.LiveHost;
import dev.ullage.measure.Seconds;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/// `ullage diagnose --watch`: one window after another, a line for each change of the verdict, until Ctrl-C.
///
/// Numbers change all the time; a line is printed when the status or a cause does. On a terminal the last line says
/// what
/// holds now.
final class Watch {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private final LiveHost host;
    private final Interrupt interrupt = Interrupt.install();
    private final Diagnostician diagnostician = new Diagnostician(Rules.ALL);
    private final Focus focus;
    private final Seconds window;

    Watch(Focus focus, Seconds window, HttpAccess access) {
        this.host = new LiveHost(access);
        this.focus = focus;
        this.window = window;
    }

    /// @return the status of the last verdict
    int run() {
        String before = "";
        while (true) {
            host.startWindow();
            Diagnosis now = diagnostician.diagnose(
                    new LiveWindow(host, focus, interrupt, false).look(window), "live", DiagnoseVerb.hostName(host));
            String change = key(now);
            if (Terminal.showsProgress()) System.err.print("\r\u001b[K");
            String time = TIME.format(now.evidence().to().wall().orElse(Instant.now()));
            if (!change.equals(before)) System.out.println(time + "  " + VerdictLine.of(now));
            System.out.flush();
            before = change;
            if (interrupt.within(0)) return DiagnoseVerb.exitOf(now);
            if (Terminal.showsProgress())
                System.err.print(fitted(time + "  " + now.status().word() + ", "
                        + (now.numbers().isEmpty() ? now.causeWord() : now.numbers())));
        }
    }

    /// What makes two verdicts the same.
    private static String key(Diagnosis diagnosis) {
        Set<String> also = new TreeSet<>();
        for (Cause cause : diagnosis.also()) also.add(cause.word());
        return diagnosis.status().word() + " " + diagnosis.causeWord() + " " + also;
    }

    /// One line of the terminal: a longer one would not be wiped by a carriage return.
    private static String fitted(String text) {
        return text.substring(0, Math.min(text.length(), Terminal.width() - 1));
    }
}
