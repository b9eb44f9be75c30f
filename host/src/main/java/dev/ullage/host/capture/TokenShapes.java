// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Secrets that show by their shape, wherever they stand: keys of the large services, PEM blocks, bearer tokens, users
/// and passwords in URLs.
///
/// ```
/// hf_…  sk-…  ghp_…  github_pat_…  glpat-…  AKIA…  xoxb-…  AIza…  nvapi-…  eyJhbGciOi….eyJ….
/// Authorization: Bearer …      https://user:password@host/      -----BEGIN PRIVATE KEY-----…
/// ```
/// Where a pattern has a group, the group is the secret.
final class TokenShapes {
    /// Loops over alternatives are bounded: java.util.regex takes a stack frame a round.
    private static final List<Pattern> SHAPES = List.of(
            Pattern.compile("-----BEGIN [A-Z0-9 ]{0,40}-----(?:[^-]++|-(?!----)){0,400}+-----END [A-Z0-9 ]{0,40}-----"),
            // Cut off before its end: the base64 behind it.
            Pattern.compile("-----BEGIN [A-Z0-9 ]{0,40}-----(?:[A-Za-z0-9+/=\\s]++|\\\\x0a|\\\\n){0,200}+"),
            Pattern.compile("(?<![A-Za-z0-9])(?:hf_[A-Za-z0-9]{8,}|api_org_[A-Za-z0-9]{8,}|sk-[A-Za-z0-9_-]{16,}"
                    + "|gh[a-z]_[A-Za-z0-9]{16,}|github_pat_\\w{16,}|glpat-[\\w-]{16,}|(?:AKIA|ASIA)[0-9A-Z]{12,}"
                    + "|xox[a-z]-[A-Za-z0-9-]{8,}|AIza[\\w-]{30,}|nvapi-[\\w-]{16,}|gsk_\\w{20,}|r8_\\w{20,}"
                    + "|npm_[A-Za-z0-9]{30,}|pypi-[\\w-]{20,}|dckr_pat_[\\w-]{16,}|ya29\\.[\\w-]{20,}"
                    + "|eyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*)?)"),
            Pattern.compile("(?i)\\bbearer[\\s\\x00=:]+([A-Za-z0-9._~+/=-]{6,})"),
            Pattern.compile("(?i)authorization[\"']?[\\s\\x00]*[:=][\\s\\x00\"']*(?:(?:basic|bearer|token|digest)"
                    + "[\\s\\x00]+)?([^\\s\\x00\"',]+)"),
            Pattern.compile("://([^\\s\\x00/@'\"]{1,300})@"));

    private TokenShapes() {}

    /// @param disguise what to put in a secret's place
    static String hide(String text, UnaryOperator<String> disguise) {
        String hidden = text;
        for (Pattern shape : SHAPES) hidden = hide(shape, hidden, disguise);
        return hidden;
    }

    /// The last group of a match, or all of it.
    static String hide(Pattern pattern, String text, UnaryOperator<String> disguise) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) return text;
        StringBuilder out = new StringBuilder();
        int done = 0;
        do {
            int group = matcher.groupCount();
            if (matcher.start(group) < 0) continue;
            out.append(text, done, matcher.start(group)).append(disguise.apply(matcher.group(group)));
            done = matcher.end(group);
        } while (matcher.find());
        return out.append(text, done, text.length()).toString();
    }
}
