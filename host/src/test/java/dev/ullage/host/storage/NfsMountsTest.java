// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Host;
import dev.ullage.host.HostileText;
import dev.ullage.host.Recorded;
import dev.ullage.host.storage.NfsMounts.Traffic;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NfsMountsTest {
    /// Linux 6.1, NFS 4.2, statvers 1.1: eight numbers an operation and the errors.
    private static final String V4 = """
            device 10.0.0.5:/models mounted on /models with fstype nfs4 statvers=1.1
            \topts:\trw,vers=4.2,rsize=1048576,wsize=1048576,namlen=255,hard,proto=tcp,timeo=600,retrans=2
            \tage:\t3600
            \timpl_id:\tname='',domain='',date='0,0'
            \tcaps:\tcaps=0xffffbfff,wtmult=512,dtsize=1048576,bsize=0,namlen=255
            \tnfsv4:\tbm0=0xfdffbfff,bm1=0x40f9be3e,bm2=0x60803,acl=0x3,sessions,pnfs=not configured
            \tsec:\tflavor=1,pseudoflavor=1
            \tevents:\t1 40 0 0 1 2 1312 0 0 40 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0\s
            \tbytes:\t100 200 300 400 5242880 600 1280 0\s
            \tRPC iostats version: 1.1  p/v: 100003/4 (nfs)
            \txprt:\ttcp 0 0 2 0 24 67 67 0 67 0 2 0 0
            \tper-op statistics
            \t        NULL: 1 1 0 44 24 0 0 0 0
            \t        READ: 40 41 2 8160 5247680 12 23456 23512 0
            \t       WRITE: 7 7 7 7 7 7 7 7 7
            \t   READ_PLUS: 0 0 0 0 0 0 0 0 0
            """;

    /// RHEL 7, Linux 3.10, NFS 3, statvers 1.0: no errors.
    private static final String V3 = """
            device filer:/vol/weights mounted on /mnt/my\\040models with fstype nfs statvers=1.0
            \topts:\tro,vers=3,rsize=65536,wsize=65536,namlen=255,acregmin=3,hard,nolock,proto=tcp
            \tbytes:\t0 0 0 0 65536 0 16 0\s
            \tRPC iostats version: 1.0  p/v: 100003/3 (nfs)
            \txprt:\ttcp 766 1 1 0 0 10 10 0 10 0
            \tper-op statistics
            \t        READ: 1 1 0 136 65664 0 3 4
            \t     READDIR: 9 9 9 9 9 9 9 9
            """;

    private static Map<String, Traffic> parse(String text) {
        return NfsMounts.parse(text).byPoint();
    }

    @Test
    void a_v4_mount_tells_what_came_from_its_server_and_how_long_reads_took() {
        assertEquals(
                new Traffic("10.0.0.5:/models", new Bytes(5242880), 40, 23456, 23512, 2),
                parse(V4).get("/models"));
    }

    @Test
    void a_v3_mount_of_an_older_kernel_is_read_too_and_its_point_is_unescaped() {
        assertEquals(
                new Traffic("filer:/vol/weights", new Bytes(65536), 1, 3, 4, 0),
                parse(V3).get("/mnt/my models"));
    }

    @Test
    void reads_that_leave_out_holes_are_reads() {
        Traffic traffic = parse(V4.replace("READ_PLUS: 0 0 0 0 0 0 0 0 0", "READ_PLUS: 10 10 1 9 9 1 100 200 0"))
                .get("/models");
        assertEquals(50, traffic.reads());
        assertEquals(23556, traffic.roundTripMillis());
        assertEquals(23712, traffic.totalMillis());
        assertEquals(3, traffic.timeouts());
    }

    @Test
    void other_file_systems_are_no_nfs_mounts_and_take_nothing_from_their_neighbours() {
        Map<String, Traffic> mounts = parse("""
                device /dev/vda mounted on / with fstype ext4
                device proc mounted on /proc with fstype proc
                no device mounted on /run/x with fstype tmpfs
                device nfsd mounted on /proc/fs/nfsd with fstype nfsd
                device sunrpc mounted on /var/lib/nfs/rpc_pipefs with fstype rpc_pipefs
                """ + V4 + """
                no device mounted on /run/y with fstype tmpfs
                \tbytes:\t9 9 9 9 9 9 9 9
                device /dev/vdb mounted on /data with fstype xfs
                \t        READ: 9 9 9 9 9 9 9 9 9
                """ + V3);
        assertEquals(Set.of("/models", "/mnt/my models"), mounts.keySet());
        assertEquals(40, mounts.get("/models").reads());
        assertEquals(new Bytes(5242880), mounts.get("/models").fromServer());
    }

    @Test
    void of_two_mounts_on_one_point_the_upper_one_counts() {
        Traffic traffic = parse(V4 + V4.replace("10.0.0.5", "10.0.0.6").replace("READ: 40", "READ: 3"))
                .get("/models");
        assertEquals("10.0.0.6:/models", traffic.server());
        assertEquals(3, traffic.reads());
    }

    @Test
    void a_host_without_such_mounts_has_no_traffic_and_one_that_was_not_seen_is_unknown() {
        assertEquals(Map.of(), parse("device /dev/vda mounted on / with fstype ext4\n"));
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(NfsMounts.FACT.read(Recorded.host("a", "b"), Host.THE_HOST)));
    }

    @Test
    void hostile_text_gives_no_negative_traffic() {
        for (String text : HostileText.ALL)
            for (Traffic t : parse(V4 + text + "\n\tbytes: " + text + "\n\tREAD: " + text + " -1 -1 -1 -1 -1 -1 -1 -1")
                    .values()) assertTrue(t.reads() >= 0 && t.fromServer().bytes() >= 0 && t.totalMillis() >= 0, text);
    }
}
