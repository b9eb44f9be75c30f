// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import dev.ullage.host.capture.Disguises.Kind;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Names of users: learned where they are certain, hidden wherever they stand as a word.
///
/// ```
/// /home/alice/models    /Users/alice    sshd: alice [priv]    su - alice    ssh alice@gpu7    session … for user alice
/// ```
/// Accounts that every machine has (`root`, `ubuntu`, `ollama`) tell nothing and stay. A user whose name is also a word
/// of the kernel's files (`max`, `memory`, `server`) is hidden in home folders only: elsewhere the word means
/// something.
final class People {
    private static final Set<String> ACCOUNTS = Set.of(
            "root",
            "ubuntu",
            "debian",
            "centos",
            "fedora",
            "rocky",
            "ec2-user",
            "azureuser",
            "opc",
            "admin",
            "user",
            "vagrant",
            "runner",
            "jovyan",
            "nobody",
            "nvidia",
            "daemon",
            "linuxbrew",
            "ollama",
            "vllm",
            "sglang",
            "llama",
            "docker",
            "lost+found");

    /// Words of the paths and texts that facts are parsed from.
    private static final Set<String> WORDS_OF_THE_HOST = Set.of(
            ("absent action all anon api app apps bin blkio blocks boot bsize by cache cached cachestat cgroup cmdline "
                            + "conf config containerd cpu cpuset cpuacct current data dev device devices dirty disk etc events evicted ext4 "
                            + "file files full fuse group head high home host huge hugepages hugetlb init ino io kernel kind kmsg kubepods "
                            + "lib lib64 limit limits link links llama loop low machine main map maps max mem meminfo memory min mincore misc "
                            + "mnt mode model models mount mounts names net nfs node none null opt oom other overlay page pages path pid pids "
                            + "pod pressure proc process python queue read recorded relatime run scope self serve server servers service "
                            + "session shared size slice some srv stat statfs status storage swap sys system systemd task test tmp tmpfs "
                            + "total train type uid unified usr var vm vmstat wchan work worker workspace write xfs zfs")
                    .split(" "));

    private static final String NAME = "([A-Za-z_][A-Za-z0-9_.-]{1,31}\\$?)";
    private static final String NAME_END = "(?![A-Za-z0-9_.-])";
    private static final Pattern HOME = Pattern.compile(
            "/(?:home|Users|var/mail|var/spool/mail|var/spool/cron(?:/crontabs)?|var/lib/systemd/linger)/"
                    + "([^/\\s\\x00:\"',;()\\\\]{1,64})");
    private static final List<Pattern> CERTAIN = List.of(
            Pattern.compile("sshd(?:-session)?: " + NAME + NAME_END),
            Pattern.compile("(?:^|/)(?:ssh|scp|sftp|rsync|mosh)\\x00(?:[^\\x00]*\\x00){0,100}?" + NAME + "@"),
            Pattern.compile("(?:^|/)(?:su|runuser)\\x00(?:-[^\\x00]*\\x00){0,30}" + NAME + "(?:\\x00|$)"),
            Pattern.compile("(?:^|/)(?:sudo|doas|runuser)\\x00(?:-[^\\x00]*\\x00){0,30}?(?:-u|--user)[\\x00=]" + NAME
                    + "(?:\\x00|$)"),
            Pattern.compile("--(?:user|username|user-name|login)[\\x00= ]" + NAME + "(?![A-Za-z0-9_.:/-])"),
            Pattern.compile("(?:for|of) user " + NAME + NAME_END),
            Pattern.compile("(?<![\\w-])(?:acct|user|username|ruser|logname|USER|LOGNAME)=\"?" + NAME + NAME_END));

    private final Disguises disguises;
    private final Set<String> names =
            new TreeSet<>(Comparator.comparing(String::length).reversed().thenComparing(Comparator.naturalOrder()));
    private Optional<Pattern> words = Optional.empty();

    People(Disguises disguises) {
        this.disguises = disguises;
    }

    void learn(String text) {
        Matcher home = HOME.matcher(text);
        while (home.find()) learnName(home.group(1));
        for (Pattern pattern : CERTAIN) {
            Matcher certain = pattern.matcher(text);
            while (certain.find()) learnName(certain.group(1));
        }
    }

    private void learnName(String name) {
        if (ACCOUNTS.contains(name) || name.matches("\\d+|(user|redacted|email|address)\\d+")) return;
        disguises.of(Kind.USER, name);
        boolean isWord = name.length() < 3 || WORDS_OF_THE_HOST.contains(name);
        if (!isWord && names.add(name)) words = Optional.empty();
    }

    String hide(String text) {
        String hidden = TokenShapes.hide(
                HOME,
                text,
                name -> ACCOUNTS.contains(name) || name.matches("\\d+") ? name : disguises.of(Kind.USER, name));
        if (names.isEmpty()) return hidden;
        if (words.isEmpty())
            words = Optional.of(Pattern.compile("(?<![A-Za-z0-9_])(?:"
                    + String.join("|", names.stream().map(Pattern::quote).toList()) + ")(?![A-Za-z0-9_])"));
        return TokenShapes.hide(words.get(), hidden, name -> disguises.of(Kind.USER, name));
    }
}
