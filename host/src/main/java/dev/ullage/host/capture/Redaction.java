// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import dev.ullage.host.RecordedHost;
import dev.ullage.host.capture.Disguises.Kind;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Makes of a recorded root one that can be given away: texts and names in, texts and names out, with one mapping for
/// all of it. docs/CAPTURES.md says what is hidden and what is not.
///
/// It goes over everything twice: a password on a command line also hides where the kernel log quotes it, and the
/// user whose home folder a path shows is also hidden in the name of a cgroup.
///
/// What a file needs is decided by its path, in [#RULES]; a file that nobody thought of gets everything.
public final class Redaction {
    /// What is done to a file.
    private enum Rule {
        /// Numbers of the kernel: nothing of a person can stand there but by its shape.
        NUMBERS,
        /// `812 (name) S 1 …`: the name in brackets.
        STAT,
        /// The line `Name:` and nothing else.
        STATUS,
        COMMAND_LINE,
        /// First bytes of models, in hexadecimal; hidden in them, length kept.
        HEADS,
        /// Options of CIFS and the like: `username=alice,domain=CORP`.
        MOUNTS,
        /// Elements that hold the serial number of a card or of its chassis.
        SERIALS,
        /// What [KeptAnswers] let through: numbers whose names speak of tokens, names of models, paths.
        ANSWERS,
        EVERYTHING
    }

    private record RuleFor(Pattern path, Rule rule) {
        RuleFor(String path, Rule rule) {
            this(Pattern.compile(path), rule);
        }
    }

    /// The first that matches counts. A new kind of file that needs more or less is one line here.
    private static final List<RuleFor> RULES = List.of(
            new RuleFor("proc/\\d+/cmdline", Rule.COMMAND_LINE),
            new RuleFor("proc/\\d+/(task/\\d+/)?(stat|comm)", Rule.STAT),
            new RuleFor("proc/\\d+/(task/\\d+/)?status", Rule.STATUS),
            new RuleFor("proc/((\\d+|self)/)?(mountinfo|mounts)", Rule.MOUNTS),
            new RuleFor("recorded/head", Rule.HEADS),
            new RuleFor("recorded/http/.*", Rule.ANSWERS),
            new RuleFor("recorded/(clock|thread-states)", Rule.NUMBERS),
            new RuleFor("recorded/nvidia-smi", Rule.SERIALS),
            new RuleFor("sys/.*/backing_file", Rule.EVERYTHING),
            new RuleFor("sys/.*", Rule.NUMBERS),
            new RuleFor("proc/(pressure|sys/vm|sys/fs)/.*", Rule.NUMBERS),
            new RuleFor(
                    "proc/(meminfo|vmstat|stat|diskstats|loadavg|zoneinfo|buddyinfo|uptime|slabinfo)", Rule.NUMBERS),
            new RuleFor(
                    "proc/\\d+/(task/\\d+/)?(io|limits|smaps_rollup|schedstat|oom_score_adj|oom_score|statm|wchan|fdinfo/\\d+)",
                    Rule.NUMBERS));

    private static final Pattern MOUNT_LOGIN = Pattern.compile("(?<=[, ])(?:username|user|domain)=([^,\\s]+)");

    private static final Pattern SERIAL = Pattern.compile(
            "<(?:\\w{0,40}serial\\w{0,40}|gpu_fabric_guid|host_id|clusterUuid)>\\s*(?!N/A)([^<\\s]{1,100})");

    private final Disguises disguises = new Disguises();
    private final GpuIds gpuIds = new GpuIds();
    private final NamedSecrets named = new NamedSecrets(disguises);
    private final CommandLineSecrets commandLines = new CommandLineSecrets(disguises, named);
    private final People people = new People(disguises);
    private final Addresses addresses = new Addresses(disguises);

    private Redaction() {}

    /// @param tree a recorded root, as [RecordingHost#finish()] gives it
    public static NavigableMap<String, String> of(NavigableMap<String, String> tree) {
        Redaction redaction = new Redaction();
        // Learn all names and secrets first, then hide them.
        tree.forEach(redaction::learn);
        NavigableMap<String, String> hidden = new TreeMap<>();
        for (Map.Entry<String, String> file : tree.entrySet())
            hidden.put(redaction.path(file.getKey()), redaction.text(file.getKey(), file.getValue()));
        return hidden;
    }

    private void learn(String path, String text) {
        Rule rule = ruleFor(path);
        if (rule != Rule.NUMBERS && rule != Rule.HEADS) people.learn(text);
        people.learn("/" + path);
        gpuIds.learn(text);
        text(path, text);
        path(path);
    }

    private static String withoutInstant(String path) {
        int slash = path.indexOf('/');
        return slash > 0
                        && RecordedHost.INSTANT
                                .matcher(path.substring(0, slash))
                                .matches()
                ? path.substring(slash + 1)
                : path;
    }

    private static Rule ruleFor(String path) {
        String file = withoutInstant(path);
        for (RuleFor rule : RULES) if (rule.path.matcher(file).matches()) return rule.rule;
        return Rule.EVERYTHING;
    }

    private String text(String path, String text) {
        return switch (ruleFor(path)) {
            case NUMBERS -> shapes(text);
            case STAT -> between(text, text.indexOf('('), text.lastIndexOf(')'));
            case STATUS -> {
                int start = text.indexOf("Name:");
                yield start < 0 ? text : between(text, start + 4, Math.max(start + 5, text.indexOf('\n', start)));
            }
            case COMMAND_LINE -> people(commandLines.hide(shapes(text)));
            case HEADS -> heads(text);
            case MOUNTS ->
                everything(TokenShapes.hide(
                        MOUNT_LOGIN, text, name -> name.matches("\\d+") ? name : disguises.of(Kind.USER, name)));
            case SERIALS -> everything(TokenShapes.hide(SERIAL, text, disguises::secret));
            case ANSWERS -> people(shapes(text));
            case EVERYTHING -> everything(text);
        };
    }

    private String shapes(String text) {
        return gpuIds.hide(TokenShapes.hide(text, disguises::secret));
    }

    private String people(String text) {
        return addresses.hide(people.hide(disguises.secretsIn(text)));
    }

    private String everything(String text) {
        return people(named.hideVariables(named.hide(shapes(text))));
    }

    /// Hides in `text` what stands behind `from` and before `to`.
    private String between(String text, int from, int to) {
        if (from < 0 || to <= from) return text;
        return text.substring(0, from + 1) + everything(text.substring(from + 1, to)) + text.substring(to);
    }

    private String heads(String text) {
        StringBuilder out = new StringBuilder();
        text.lines().forEach(line -> {
            int tab = line.indexOf('\t');
            out.append(
                            tab < 0
                                    ? everything(line)
                                    : everything(line.substring(0, tab)) + "\t" + head(line.substring(tab + 1)))
                    .append('\n');
        });
        return out.toString();
    }

    private static String head(String hex) {
        try {
            String bytes = new String(HexFormat.of().parseHex(hex.strip()), StandardCharsets.ISO_8859_1);
            String hidden = TokenShapes.hide(bytes, secret -> "x".repeat(secret.length()));
            return HexFormat.of().formatHex(hidden.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /// The name of a file of the recorded root. Its folders stay as many as they are.
    private String path(String path) {
        String file = withoutInstant(path);
        if (file.startsWith("recorded/")) return path;
        String[] names = file.split("/", -1);
        for (int i = 0; i < names.length; i++) {
            String hidden = named.hideVariables(named.hide(shapes(names[i])));
            names[i] = addresses.hide(disguises.secretsIn(hidden)).replace('/', '-');
        }
        String hidden = people.hide("/" + String.join("/", names)).substring(1);
        return path.substring(0, path.length() - file.length()) + hidden;
    }
}
