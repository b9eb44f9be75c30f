// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.host.kernellog.IoError.Trouble;
import dev.ullage.host.kernellog.KernelLog.Entry;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Storage trouble in the kernel log. Sources: block/blk-core.c, fs/buffer.c, mm/page_io.c, drivers/nvme/host/pci.c,
/// fs/ext4/super.c, fs/xfs/xfs_error.c, fs/btrfs/messages.c, net/sunrpc/clnt.c, fs/smb/client, kernel/hung_task.c.
///
/// ```
/// I/O error, dev loop0, sector 2 op 0x0:(READ) flags 0x1000 phys_seg 1 prio class 2     since 5.17
/// blk_update_request: I/O error, dev sda, sector 123                                    4.x, 5.x
/// print_req_error: critical medium error, dev sda, sector 123                           4.14 to 5.2
/// end_request: I/O error, dev sda, sector 123                                           3.x
/// Buffer I/O error on dev loop0, logical block 0, async page read
/// Buffer I/O error on device sda1, logical block 0                                      3.x
/// Read-error on swap-device (254:0:123)
/// nvme nvme0: I/O 12 QID 3 timeout, aborting
/// EXT4-fs error (device loop0): dx_probe:791: inode #12: comm cat: Directory index failed checksum
/// XFS (sda1): metadata I/O error in "xfs_trans_read_buf_map" at daddr 0x2 len 1 error 5
/// BTRFS error (device sda1): bdev /dev/sda1 errs: wr 0, rd 1, flush 0, corrupt 0, gen 0
/// nfs: server filer not responding, still trying
/// nfs: server filer OK
/// INFO: task llama-server:812 blocked for more than 120 seconds.
/// ```
/// Not an error: "operation not supported error, dev nvme0n1, sector … op 0x9:(WRITE_ZEROES)"; a device may decline
/// that, and a discard.
public final class IoErrors {
    private IoErrors() {}

    /// What a pattern's match means; null when it means nothing.
    private record Sign(String has, Pattern pattern, Function<Matcher, Trouble> means) {}

    private static final List<Sign> SIGNS = List.of(
            sign(
                    " error, dev ",
                    "(?:\\w{1,40}: )?(.{1,40}) error, dev (\\S{1,64}), sector \\d.*",
                    m -> m.group(1).equals("operation not supported") ? null : device(m.group(2), m.group(1))),
            sign(
                    "Buffer I/O error on dev",
                    "Buffer I/O error on dev(?:ice)? (\\S{1,64}), logical block .*",
                    m -> device(m.group(1), "")),
            sign(
                    "on swap-device (",
                    "(?:Read|Write)-error on swap-device \\((\\d{1,6}:\\d{1,9}):.*",
                    m -> device(m.group(1), "")),
            sign(" timeout, ", "nvme (nvme\\d{1,5}): I/O .*\\bQID \\d{1,5} timeout, .*", m -> device(m.group(1), "")),
            sign(
                    "EXT4-fs error (device ",
                    "EXT4-fs error \\(device (\\S{1,64})\\): .*",
                    m -> new Trouble.OfFileSystem("ext4", m.group(1))),
            sign(
                    "Remounting filesystem read-only",
                    "EXT4-fs \\((\\S{1,64})\\): Remounting filesystem read-only",
                    m -> new Trouble.OfFileSystem("ext4", m.group(1))),
            sign(
                    "XFS (",
                    "XFS \\((\\S{1,64})\\): "
                            + "(?:.{0,40}I/O [Ee]rror|Metadata (?:corruption|CRC error)|Corruption "
                            + "|Filesystem has been shut down|Log I/O Error|.{0,20}internal error).*",
                    m -> new Trouble.OfFileSystem("xfs", m.group(1))),
            sign(
                    "BTRFS",
                    "BTRFS:? (?:error|critical) \\(device ([^\\s:)]{1,64})(?:: state \\w{1,8})?\\)(?::| in ).*",
                    m -> new Trouble.OfFileSystem("btrfs", m.group(1))),
            sign(
                    " not responding, ",
                    "nfs: server (\\S{1,255}) not responding, (?:still trying|timed out).*",
                    m -> new Trouble.OfServer(m.group(1), false)),
            sign(
                    "has not responded in ",
                    "CIFS:? ?(?:VFS: )?(?:Server )?(\\S{1,255}) has not responded in \\d{1,9} seconds.*",
                    m -> new Trouble.OfServer(m.group(1), false)),
            sign(
                    "INFO: task ",
                    "INFO: task (.{1,64}):(\\d{1,10}) blocked (?:in I/O wait )?for more than (\\d{1,9}) seconds.*",
                    IoErrors::stuck));

    private static final Pattern ANSWERS = Pattern.compile("nfs: server (\\S{1,255}) OK");

    /// The troubles in a log, from the oldest to the newest.
    public static List<IoError> in(KernelLog log) {
        List<IoError> errors = new ArrayList<>();
        Set<String> answering = new HashSet<>();
        // From the end on, so that a server's "OK" is known when its trouble is met.
        for (Entry entry : log.entries().reversed()) {
            Matcher ok = ANSWERS.matcher(entry.text());
            if (ok.matches()) answering.add(ok.group(1));
            trouble(entry.text(), answering)
                    .ifPresent(trouble -> errors.add(new IoError(entry.sinceBoot(), trouble, entry.text())));
        }
        return List.copyOf(errors.reversed());
    }

    private static Optional<Trouble> trouble(String text, Set<String> answering) {
        for (Sign sign : SIGNS) {
            if (!text.contains(sign.has)) continue;
            Matcher matcher = sign.pattern.matcher(text);
            if (!matcher.matches()) continue;
            Trouble trouble = sign.means.apply(matcher);
            return trouble instanceof Trouble.OfServer silent && answering.contains(silent.server())
                    ? Optional.of(new Trouble.OfServer(silent.server(), true))
                    : Optional.ofNullable(trouble);
        }
        return Optional.empty();
    }

    private static Sign sign(String has, String pattern, Function<Matcher, Trouble> means) {
        return new Sign(has, Pattern.compile(pattern), means);
    }

    private static Trouble device(String device, String error) {
        return new Trouble.OfDevice(device, error.equals("critical medium"));
    }

    private static Trouble stuck(Matcher m) {
        // A name may hold colons ("kworker/0:1"): the number is behind the last one.
        return OomLine.pid(m.group(2))
                .<Trouble>map(
                        pid -> new Trouble.OfStuckTask(pid, m.group(1), new Seconds(OomNumbers.number(m.group(3)))))
                .orElse(null);
    }
}
