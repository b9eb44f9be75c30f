// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import dev.ullage.host.capture.BadCapture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// A [TextTree] in a folder. Follows no link and reads regular files only, each to [#LONGEST] at most: the folder may
/// come from somebody else.
public record FolderTree(Path folder) implements TextTree {
    /// The longest file that is read; the longest honest one is a `/proc/<pid>/maps` of 65,530 lines.
    public static final int LONGEST = 16 << 20;

    /// The most names that are read of one folder; a host with more processes than that is none.
    private static final int MOST_NAMES = 50_000;

    @Override
    public Optional<String> text(String path) {
        Path file = inside(path);
        if (file == null || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) return Optional.empty();
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of(new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public List<String> names(String directory) {
        Path dir = inside(directory);
        if (dir == null || !Files.isDirectory(dir, LinkOption.NOFOLLOW_LINKS)) return List.of();
        TreeSet<String> names = new TreeSet<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(dir)) {
            for (Path entry : entries) {
                names.add(entry.getFileName().toString());
                if (names.size() > MOST_NAMES)
                    throw new BadCapture(
                            "/" + BadCapture.shown(directory) + ": more than " + MOST_NAMES + " names in one folder");
            }
        } catch (IOException e) {
            return List.of();
        }
        return List.copyOf(names);
    }

    /// The path in the folder, or null when it leads out of it or through a link.
    private Path inside(String path) {
        Path there = folder;
        for (String part : path.split("/")) {
            if (part.isEmpty() || part.equals(".")) continue;
            if (part.equals("..") || (!there.equals(folder) && Files.isSymbolicLink(there))) return null;
            try {
                there = there.resolve(part);
            } catch (InvalidPathException e) {
                // A name with NUL in it, out of somebody's capture.
                return null;
            }
        }
        return there;
    }
}
