// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import dev.ullage.host.capture.Disguises.Kind;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// E-mail addresses, hardware addresses and public IP addresses. Private ones (10.0.0.0/8, 172.16.0.0/12,
/// 192.168.0.0/16, 100.64.0.0/10, link-local, loopback) stay: they lead nowhere from outside, and who looks for a hung
/// NFS server wants to see which one it is.
final class Addresses {
    private static final Pattern EMAIL = Pattern.compile(
            "(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\\.){1,6}([A-Za-z]{2,24})(?![A-Za-z0-9-])");
    /// `getty@tty1.service`, `dev@2.so`: names of units and files, which look like it.
    private static final Set<String> NO_DOMAINS = Set.of(
            "service",
            "scope",
            "slice",
            "socket",
            "mount",
            "automount",
            "swap",
            "timer",
            "target",
            "device",
            "path",
            "conf",
            "so",
            "gguf",
            "safetensors",
            "bin",
            "pt",
            "pth",
            "ckpt",
            "json",
            "py",
            "log",
            "sh",
            "yaml",
            "yml");

    private static final Pattern MAC = Pattern.compile(
            "(?<![0-9A-Fa-f:.-])[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}(?:(?::[0-9A-Fa-f]{2}){8})?(?![0-9A-Fa-f:-])");
    private static final Pattern IPV4 = Pattern.compile("(?<![\\w.])(?:\\d{1,3}\\.){3}\\d{1,3}(?![\\w.]?\\d)");
    private static final Pattern IPV6 = Pattern.compile(
            "(?<![0-9A-Za-z:])[23][0-9A-Fa-f]{3}:(?:[0-9A-Fa-f]{0,4}:){1,6}[0-9A-Fa-f]{0,4}(?![0-9A-Za-z:])");
    private static final Pattern PRIVATE = Pattern.compile("0\\..*|10\\..*|127\\..*|169\\.254\\..*|192\\.168\\..*"
            + "|172\\.(1[6-9]|2\\d|3[01])\\..*|100\\.(6[4-9]|[7-9]\\d|1[01]\\d|12[0-7])\\..*|255\\..*");

    private final Disguises disguises;

    Addresses(Disguises disguises) {
        this.disguises = disguises;
    }

    String hide(String text) {
        String hidden = text;
        if (text.indexOf('@') >= 0)
            hidden = EMAIL.matcher(hidden)
                    .replaceAll(found ->
                            NO_DOMAINS.contains(found.group(1)) || found.group().matches("redacted\\d+@.*")
                                    ? Matcher.quoteReplacement(found.group())
                                    : disguises.of(Kind.EMAIL, found.group()));
        hidden = TokenShapes.hide(MAC, hidden, mac -> disguises.of(Kind.ADDRESS, mac));
        hidden = TokenShapes.hide(IPV4, hidden, ip -> isPublic(ip) ? disguises.of(Kind.ADDRESS, ip) : ip);
        return TokenShapes.hide(
                IPV6,
                hidden,
                ip -> ip.contains("::") || ip.chars().filter(c -> c == ':').count() == 7
                        ? disguises.of(Kind.ADDRESS, ip)
                        : ip);
    }

    private static boolean isPublic(String ip) {
        for (String part : ip.split("\\.")) if (Integer.parseInt(part) > 255) return false;
        return !PRIVATE.matcher(ip).matches();
    }
}
