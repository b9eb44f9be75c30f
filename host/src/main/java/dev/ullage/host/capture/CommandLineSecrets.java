// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import java.util.Set;
import java.util.regex.Pattern;

/// Secrets on a command line, where a flag and its value are two arguments: `--api-key<NUL>12ab`, `env<NUL>FOO=bar`,
/// `docker run -e<NUL>FOO=bar`, `curl -u<NUL>alice:12ab`, `sshpass -p<NUL>12ab`, `mysql -p12ab`.
final class CommandLineSecrets {
    private static final Pattern FLAG = Pattern.compile("--?[A-Za-z][\\w.-]*");
    private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_]\\w*=[\\s\\S]*");
    private static final Set<String> OF_VARIABLES = Set.of("-e", "--env", "-E", "--setenv", "--build-arg");
    private static final Set<String> OF_LOGINS = Set.of("-u", "--user", "--proxy-user", "--creds", "-a", "-U");

    private final Disguises disguises;
    private final NamedSecrets named;

    CommandLineSecrets(Disguises disguises, NamedSecrets named) {
        this.disguises = disguises;
        this.named = named;
    }

    String hide(String text) {
        String[] arguments = text.split("\0", -1);
        String program = arguments[0].substring(arguments[0].lastIndexOf('/') + 1);
        boolean afterEnv = program.equals("env");
        for (int i = 0; i < arguments.length; i++) {
            String before = i == 0 ? "" : arguments[i - 1];
            String argument = arguments[i];
            if (afterEnv
                    && i > 0
                    && !argument.startsWith("-")
                    && !ASSIGNMENT.matcher(argument).matches()) afterEnv = false;
            boolean isVariable = afterEnv || OF_VARIABLES.contains(before);
            if (FLAG.matcher(before).matches() && !argument.startsWith("--") && NamedSecrets.isSecret(before, argument))
                arguments[i] = disguises.secret(argument);
            else if (isVariable && ASSIGNMENT.matcher(argument).matches()) arguments[i] = assignment(argument);
            else if (argument.startsWith("--env=")) arguments[i] = "--env=" + assignment(argument.substring(6));
            else if (OF_LOGINS.contains(before) && argument.indexOf(':') > 0 && !argument.matches("\\d*:\\d*"))
                arguments[i] = login(argument);
            else if (program.equals("sshpass") && before.equals("-p")) arguments[i] = disguises.secret(argument);
            else if (isPasswordFlag(program, argument)) {
                int value = argument.startsWith("-p") ? 2 : "sshpass".length();
                arguments[i] = "-p" + disguises.secret(argument.substring(value));
            } else arguments[i] = named.hideVariables(named.hide(argument));
        }
        return String.join("\0", arguments);
    }

    private static boolean isPasswordFlag(String program, String argument) {
        return (program.startsWith("mysql") || program.startsWith("mariadb") || program.equals("sshpass"))
                && argument.matches("-p.+");
    }

    private String assignment(String argument) {
        int equals = argument.indexOf('=');
        if (equals < 0) return argument;
        String name = argument.substring(0, equals);
        return name + "=" + named.variable(name, argument.substring(equals + 1));
    }

    /// `alice:12ab`: the password; who it is has its own rule.
    private String login(String argument) {
        int colon = argument.indexOf(':');
        return argument.substring(0, colon + 1) + disguises.secret(argument.substring(colon + 1));
    }
}
