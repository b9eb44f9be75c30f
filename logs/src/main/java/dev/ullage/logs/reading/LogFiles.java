// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/// The files that a path given by a user stands for: itself, or those of a folder, the ones in its folders too.
///
/// Of a folder with more than [#MOST] files those written last are taken: what broke is in them. They come in the order
/// of their names. Links to files are followed, for `/var/log/containers` has nothing else; links to folders are not,
/// they may go round in circles; a file that is there twice is read once. Pipes, sockets and devices are left out.
///
/// @param sources to be read
/// @param notes what was left out, as sentences without a full stop
public record LogFiles(List<LogSource> sources, List<String> notes) {
    static final int MOST = 1000;
    static final int MOST_LOOKED_AT = 200_000;
    private static final int DEEPEST = 12;

    /// @throws Refused when it is neither a file nor a folder, or not there
    public static LogFiles of(Path path) throws Refused {
        if (!Files.isDirectory(path)) return new LogFiles(List.of(LogSource.file(path)), List.of());
        Walk walk = new Walk();
        try {
            Files.walkFileTree(path, Set.<FileVisitOption>of(), DEEPEST, walk);
        } catch (IOException e) {
            throw new Refused("cannot be looked through: " + e.getMessage());
        }
        return walk.files();
    }

    private record Seen(Path path, FileTime written) {}

    private static final class Walk implements FileVisitor<Path> {
        private final PriorityQueue<Seen> newest =
                new PriorityQueue<>(Comparator.comparing(Seen::written).thenComparing(Seen::path));
        private final Set<Object> keys = new HashSet<>();
        private int files;
        private int lookedAt;
        private int leftOut;
        private int unreadable;
        private boolean isStopped;

        LogFiles files() {
            List<String> notes = new ArrayList<>();
            if (files > MOST) notes.add("has " + files + " files: the " + MOST + " that were written last are read");
            if (isStopped) notes.add("has more than " + MOST_LOOKED_AT + " entries: the others are not looked at");
            if (leftOut > 0) notes.add(leftOut + " links to folders, pipes, devices or deeper folders are left out");
            if (unreadable > 0) notes.add(unreadable + " entries may not be read by this user");
            List<LogSource> sources = new ArrayList<>();
            for (Seen seen :
                    newest.stream().sorted(Comparator.comparing(Seen::path)).toList())
                try {
                    sources.add(LogSource.file(seen.path()));
                } catch (Refused e) {
                    notes.add(seen.path() + " " + e.getMessage());
                }
            return new LogFiles(sources, notes);
        }

        @Override
        public FileVisitResult visitFile(Path path, BasicFileAttributes found) {
            if (++lookedAt > MOST_LOOKED_AT) {
                isStopped = true;
                return FileVisitResult.TERMINATE;
            }
            BasicFileAttributes is = found;
            if (found.isSymbolicLink())
                try {
                    is = Files.readAttributes(path, BasicFileAttributes.class);
                } catch (IOException e) {
                    unreadable++; // it leads nowhere, or round in a circle
                    return FileVisitResult.CONTINUE;
                }
            if (!is.isRegularFile()) {
                leftOut++;
                return FileVisitResult.CONTINUE;
            }
            if (is.fileKey() != null && !keys.add(is.fileKey())) return FileVisitResult.CONTINUE;
            files++;
            newest.add(new Seen(path, is.lastModifiedTime()));
            if (newest.size() > MOST) newest.remove();
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path path, IOException e) {
            unreadable++;
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes is) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path path, IOException e) {
            return FileVisitResult.CONTINUE;
        }
    }
}
