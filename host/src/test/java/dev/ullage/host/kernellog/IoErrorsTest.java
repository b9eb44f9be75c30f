// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import static dev.ullage.host.kernellog.KernelLogTest.log;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.host.kernellog.IoError.Trouble;
import dev.ullage.measure.Seconds;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IoErrorsTest {
    private static void is(Trouble trouble, String text) {
        assertEquals(
                List.of(new IoError(Optional.of(new Seconds(12.5)), trouble, text)),
                IoErrors.in(log("[   12.500000] " + text)));
    }

    private static void isNothing(String text) {
        assertEquals(List.of(), IoErrors.in(log("[   12.500000] " + text)));
    }

    @Test
    void a_refused_read_names_its_device_in_the_words_of_every_kernel() {
        Trouble sda = new Trouble.OfDevice("sda", false);
        is(sda, "end_request: I/O error, dev sda, sector 123");
        is(sda, "blk_update_request: I/O error, dev sda, sector 123");
        is(sda, "print_req_error: I/O error, dev sda, sector 123 flags 0");
        is(
                sda,
                "blk_update_request: I/O error, dev sda, sector 123 op 0x0:(READ) flags 0x80700 phys_seg 1 prio class 0");
        is(sda, "I/O error, dev sda, sector 2 op 0x0:(READ) flags 0x1000 phys_seg 1 prio class 2");
        is(sda, "timeout error, dev sda, sector 2 op 0x0:(READ) flags 0x1000 phys_seg 1 prio class 2");
        is(
                new Trouble.OfDevice("nvme0n1", true),
                "critical medium error, dev nvme0n1, sector 2 op 0x0:(READ) flags 0x0");
        is(new Trouble.OfDevice("dm-0", false), "Buffer I/O error on dev dm-0, logical block 0, async page read");
        is(new Trouble.OfDevice("sda1", false), "Buffer I/O error on device sda1, logical block 0");
        is(new Trouble.OfDevice("254:0", false), "Read-error on swap-device (254:0:123)");
    }

    @Test
    void an_nvme_that_does_not_answer_is_named() {
        is(new Trouble.OfDevice("nvme0", false), "nvme nvme0: I/O 12 QID 3 timeout, aborting");
        is(
                new Trouble.OfDevice("nvme1", false),
                "nvme nvme1: I/O tag 12 (000c) opcode 0x2 (I/O Cmd) QID 3 timeout, aborting req_op:READ(0) size:4096");
    }

    @Test
    void an_operation_that_a_device_may_decline_is_no_error() {
        isNothing("operation not supported error, dev nvme0n1, sector 0 op 0x9:(WRITE_ZEROES) flags 0x0 phys_seg 0");
        isNothing("blk_update_request: operation not supported error, dev loop0, sector 0 op 0x9:(WRITE_ZEROES)");
    }

    @Test
    void a_file_system_that_found_itself_damaged_is_named_with_its_device() {
        is(
                new Trouble.OfFileSystem("ext4", "sda1"),
                "EXT4-fs error (device sda1): ext4_lookup:1602: inode #2: comm ls: deleted inode referenced: 13");
        is(new Trouble.OfFileSystem("ext4", "sda1"), "EXT4-fs (sda1): Remounting filesystem read-only");
        is(
                new Trouble.OfFileSystem("xfs", "sda1"),
                "XFS (sda1): metadata I/O error in \"xfs_trans_read_buf_map\" at daddr 0x2 len 1 error 5");
        is(
                new Trouble.OfFileSystem("xfs", "sda1"),
                "XFS (sda1): Metadata corruption detected at xfs_inode_buf_verify+0x14d/0x160 [xfs], xfs_inode block 0x1b0");
        is(
                new Trouble.OfFileSystem("btrfs", "sda1"),
                "BTRFS error (device sda1): bdev /dev/sda1 errs: wr 0, rd 1, flush 0, corrupt 0, gen 0");
        is(
                new Trouble.OfFileSystem("btrfs", "dm-1"),
                "BTRFS: error (device dm-1: state A) in btrfs_run_delayed_refs:2144: errno=-5 IO failure");
        isNothing("EXT4-fs (sda1): mounted filesystem with ordered data mode. Opts: (null)");
        isNothing("XFS (sda1): Mounting V5 Filesystem");
        isNothing("BTRFS info (device sda1): using crc32c (crc32c-intel) checksum algorithm");
    }

    @Test
    void a_file_server_that_answers_again_is_told_from_one_that_does_not() {
        List<IoError> errors = IoErrors.in(log("""
                [ 100.0] nfs: server filer not responding, still trying
                [ 101.0] nfs: server other not responding, timed out
                [ 160.0] nfs: server filer OK
                [ 200.0] nfs: server filer not responding, still trying
                [ 300.0] CIFS: VFS: \\\\share has not responded in 180 seconds. Reconnecting...
                """));
        assertEquals(
                List.of(
                        new Trouble.OfServer("filer", true),
                        new Trouble.OfServer("other", false),
                        new Trouble.OfServer("filer", false),
                        new Trouble.OfServer("\\\\share", false)),
                errors.stream().map(IoError::trouble).toList());
    }

    @Test
    void a_stuck_task_is_named_though_its_name_holds_colons() {
        is(
                new Trouble.OfStuckTask(812, "llama-server", new Seconds(120)),
                "INFO: task llama-server:812 blocked for more than 120 seconds.");
        is(
                new Trouble.OfStuckTask(77, "kworker/0:1", new Seconds(122)),
                "INFO: task kworker/0:1:77 blocked in I/O wait for more than 122 seconds.");
        isNothing("INFO: task x:99999999999 blocked for more than 120 seconds.");
    }

    @Test
    void the_errors_of_a_real_log_are_found_in_their_order() {
        List<IoError> errors = IoErrors.in(log(Linux618Text.LINUX_6_18 + Linux618Text.LINUX_6_18_EXT4));
        assertEquals(7 + 4, errors.size());
        assertEquals(new Trouble.OfDevice("loop0", false), errors.getFirst().trouble());
        assertEquals(new Trouble.OfFileSystem("ext4", "loop0"), errors.getLast().trouble());
        assertEquals(Optional.of(new Seconds(1251.471712)), errors.getLast().sinceBoot());
    }
}
