// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Secrets that are given away by the name they stand under, and values of environment variables.
///
/// ```
/// --api-key 12ab    --hf-token=…    VLLM_API_KEY=…    -Ddb.password=…    "secret": "…"    X-Api-Key: …    ?sig=…
/// FOO=bar           in capitals, so an environment variable: hidden whatever it is called
/// ```
/// Mistake people make: looking for "token" and hiding `--tokenizer /models/x` and `--max-tokens 4096`, without which
/// nobody can tell what the server does.
final class NamedSecrets {
    private static final Set<String> WORDS = Set.of(
            "key",
            "apikey",
            "token",
            "secret",
            "password",
            "passwd",
            "passphrase",
            "passcode",
            "pass",
            "pwd",
            "pw",
            "credential",
            "credentials",
            "creds",
            "auth",
            "authorization",
            "cookie",
            "signature",
            "sig",
            "bearer",
            "keys",
            "apikeys",
            "tokens",
            "secrets",
            "passwords",
            "pin",
            "otp");

    private static final List<String> ENDS = List.of(
            "apikey",
            "token",
            "secret",
            "password",
            "passwd",
            "passphrase",
            "credential",
            "credentials",
            "accesskey",
            "privatekey");

    /// Variables that decide how a server behaves and tell nothing about its owner.
    private static final Set<String> HARMLESS = Set.of(
            "CUDA_VISIBLE_DEVICES",
            "CUDA_DEVICE_ORDER",
            "ROCR_VISIBLE_DEVICES",
            "HIP_VISIBLE_DEVICES",
            "OMP_NUM_THREADS",
            "MKL_NUM_THREADS",
            "OPENBLAS_NUM_THREADS",
            "MALLOC_ARENA_MAX",
            "PYTORCH_CUDA_ALLOC_CONF",
            "PYTORCH_ALLOC_CONF",
            "TOKENIZERS_PARALLELISM",
            "OLLAMA_NUM_PARALLEL",
            "OLLAMA_MAX_LOADED_MODELS",
            "OLLAMA_KEEP_ALIVE",
            "OLLAMA_CONTEXT_LENGTH",
            "WORLD_SIZE",
            "RANK",
            "LOCAL_RANK",
            "SUBSYSTEM",
            "DEVICE");

    private static final String VALUE = "(\"[^\"]*\"|'[^']*'|[^\\s\\x00,;&|\"']+)";
    private static final Pattern ASSIGNMENT =
            Pattern.compile("(?<![A-Za-z0-9_.])([A-Za-z_][\\w.-]{0,80})\\s?=\\s?" + VALUE);
    private static final Pattern FLAG = Pattern.compile("(?<![\\w-])--?([A-Za-z][\\w.-]{0,80})[ \\t]+(?!-)" + VALUE);
    private static final Pattern HEADER = Pattern.compile("(?<![\\w.-])([A-Za-z][\\w-]{0,80}):[ \\t]+" + VALUE);
    private static final Pattern QUOTED =
            Pattern.compile("[\"']([A-Za-z_][\\w.-]{0,80})[\"']\\s*]?\\s*[:=,]\\s*(\"[^\"]*\"|'[^']*'|[^\\s,}\\]]+)");
    private static final Pattern VARIABLE =
            Pattern.compile("(?<![\\w./-])([A-Z_][A-Z0-9_]{1,60})=(\"[^\"]*\"|'[^']*'|[^\\s\\x00;&|\"',]+)");

    /// `{"FOO": "bar"}`, as some programs are given an environment.
    private static final Pattern VARIABLE_IN_JSON =
            Pattern.compile("\\\\?\"([A-Z_][A-Z0-9_]{1,60})\\\\?\"\\s*:\\s*\\\\?(\"[^\"\\\\]*)");

    private final Disguises disguises;

    NamedSecrets(Disguises disguises) {
        this.disguises = disguises;
    }

    /// Whether what stands under this name is a secret.
    static boolean smells(String name) {
        String[] words = name.replaceAll("([a-z0-9])([A-Z])", "$1-$2")
                .toLowerCase(Locale.ROOT)
                .split("[^a-z0-9]+");
        for (String word : words) if (WORDS.contains(word) || ENDS.stream().anyMatch(word::endsWith)) return true;
        return false;
    }

    /// Whether it smells and this is no harmless value of it: a count of tokens, the file a key is in.
    static boolean isSecret(String name, String value) {
        if (!smells(name)) return false;
        String lower = name.toLowerCase(Locale.ROOT);
        boolean isCount = value.matches("-?\\d+(\\.\\d+)?") && lower.endsWith("s");
        boolean isSwitch = value.matches("(?i)true|false|on|off|yes|no|auto|none|null");
        boolean isFile = value.matches("\\.{0,2}/.*") && lower.matches(".*(file|path|dir|folder)");
        return !isCount && !isSwitch && !isFile;
    }

    String hide(String text) {
        String hidden = replace(QUOTED, text);
        hidden = replace(ASSIGNMENT, hidden);
        hidden = replace(FLAG, hidden);
        return replace(HEADER, hidden);
    }

    private String replace(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        StringBuilder out = new StringBuilder();
        int done = 0;
        for (int from = 0; found.find(from); ) {
            String value = unquoted(found.group(2));
            if (!isSecret(found.group(1), value)) {
                // What is no value of this name may hold others: `sh -c 'run --secret 12ab'`.
                from = found.start(2);
                continue;
            }
            // "/cgroup/token=12ab/memory.max": a part of a path, which goes on behind it.
            boolean isPart = found.start() > 0 && text.charAt(found.start() - 1) == '/' && value.indexOf('/') > 0;
            String rest = isPart ? value.substring(value.indexOf('/')) : "";
            String secret = value.substring(0, value.length() - rest.length());
            out.append(text, done, found.start()).append(withValue(found, disguises.secret(secret) + rest));
            done = found.end();
            from = done;
        }
        return done == 0 ? text : out.append(text, done, text.length()).toString();
    }

    String hideVariables(String text) {
        String hidden = VARIABLE.matcher(text)
                .replaceAll(found ->
                        quoteReplacement(withValue(found, variable(found.group(1), unquoted(found.group(2))))));
        return VARIABLE_IN_JSON.matcher(hidden).replaceAll(found -> {
            String before = found.group().substring(0, found.start(2) + 1 - found.start());
            return quoteReplacement(
                    before + variable(found.group(1), found.group(2).substring(1)));
        });
    }

    /// The value of an environment variable, whose name may be in small letters.
    String variable(String name, String value) {
        if (HARMLESS.contains(name)) return value;
        return isSecret(name, value) ? disguises.secret(value) : disguises.of(Disguises.Kind.REDACTED, value);
    }

    private static String quoteReplacement(String text) {
        return Matcher.quoteReplacement(text);
    }

    /// The match with another value, its quotes kept.
    private static String withValue(MatchResult found, String value) {
        String old = found.group(2);
        boolean quoted = old.length() > 1 && (old.charAt(0) == '"' || old.charAt(0) == '\'');
        String before = found.group().substring(0, found.start(2) - found.start());
        String after = found.group().substring(found.end(2) - found.start());
        return before + (quoted ? old.charAt(0) + value + old.charAt(0) : value) + after;
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 1 && (value.charAt(0) == '"' || value.charAt(0) == '\'');
        return quoted ? value.substring(1, value.length() - 1) : value;
    }
}
