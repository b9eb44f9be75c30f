// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
import dev.ullage.host.Fact;
import dev.ullage.host.KeyValues;
import dev.ullage.host.storage.Mounts.Mount;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;

/// Room on a file system, from statfs(2).
///
/// Mistake people make: "free" includes blocks reserved for root (5 % on ext4 by default); what a server can write
/// is "available". And a file system can be full with gigabytes left when its inodes are gone.
///
/// @param size all blocks
/// @param free blocks free for root
/// @param available blocks free for everyone else
/// @param inodes how many files it can hold; 0 when it makes them as needed (btrfs, xfs mostly, FUSE)
public record FileSystemSpace(Bytes size, Bytes free, Bytes available, long inodes, long freeInodes) {
    public static final Fact<Mount, FileSystemSpace> FACT = new Fact<>(
            "room on a file system", "statfs", Cadence.ENDS, "", (root, mount) -> root.ask(Call.STATFS, mount.point())
                    .flatMap(FileSystemSpace::parse));

    /// `type=0xef53 bsize=4096 blocks=66054411 bfree=… bavail=… files=… ffree=…`.
    public static Reading<FileSystemSpace> parse(String text) {
        KeyValues stat = KeyValues.parsePairs(text);
        // Blocks are counted in frsize; bsize is only the best size for IO (virtiofs says 1 MiB and counts in 4 KiB).
        long block = stat.orZero("frsize") > 0 ? stat.orZero("frsize") : stat.orZero("bsize");
        if (block <= 0 || stat.orZero("blocks") < 0 || stat.get("blocks").isEmpty())
            return Reading.malformed("statfs", text, "\"bsize=<bytes> blocks=<number> …\"");
        Bytes size = blocks(stat, "blocks", block);
        long inodes = Math.max(0, stat.orZero("files"));
        return Reading.of(new FileSystemSpace(
                size,
                atMost(size, blocks(stat, "bfree", block)),
                atMost(size, blocks(stat, "bavail", block)),
                inodes,
                Math.clamp(stat.orZero("ffree"), 0, inodes)));
    }

    private static Bytes atMost(Bytes most, Bytes bytes) {
        return bytes.isMoreThan(most) ? most : bytes;
    }

    private static Bytes blocks(KeyValues stat, String name, long block) {
        long count = Math.max(0, stat.orZero(name));
        return new Bytes(count > Long.MAX_VALUE / block ? Long.MAX_VALUE : count * block);
    }

    public Bytes used() {
        return size.minus(free);
    }

    /// As df computes it: of what everyone can have, how much is taken.
    public Ratio usedShare() {
        return used().shareOf(used().plus(available));
    }

    public Ratio usedInodesShare() {
        return new Ratio(inodes <= 0 ? 0 : (double) (inodes - freeInodes) / inodes);
    }
}
