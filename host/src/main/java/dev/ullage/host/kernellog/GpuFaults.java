// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.host.kernellog.GpuFault.Kind;
import dev.ullage.host.kernellog.KernelLog.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Trouble of GPUs in the kernel log. Sources: NVIDIA's open kernel modules, drivers/gpu/drm/amd/amdgpu,
/// drivers/gpu/drm/i915, drivers/gpu/drm/xe, drivers/gpu/drm/drm_drv.c, and lines that people posted.
///
/// ```
/// NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.
/// NVRM: Xid (PCI:0000:03:00): 31, pid=18865, name=llama-server, channel 0x00000019, intr 10000000. MMU Fault: …
/// NVRM: Xid (PCI:0000:41:00 GPU-I:05): 94, pid=1234, name=python3, Contained ECC error      a MIG instance
/// NVRM: Xid (0000:03:00): 13, 0001 00000000 …                                                 before 2013
/// NVRM: GPU at PCI:0000:3b:00 has fallen off the bus                                      older drivers
/// NVRM: The NVIDIA GPU 0000:b3:00.0                                                       over three lines:
/// NVRM: (PCI ID: 10de:26b5) installed in this system has
/// NVRM: fallen off the bus and is not responding to commands.
/// NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x26:0xffff:1470)
/// amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=12, emitted seq=14
/// amdgpu 0000:03:00.0: amdgpu: GPU reset(1) succeeded!
/// amdgpu 0000:03:00.0: amdgpu: GPU Recovery Failed: -110
/// amdgpu 0000:03:00.0: amdgpu: [gfxhub0] no-retry page fault (src_id:0 … for process python pid 812 thread …
/// amdgpu 0000:03:00.0: amdgpu: 1 uncorrectable hardware errors detected in umc block
/// [drm:amdgpu_cs_ioctl [amdgpu]] *ERROR* Not enough memory for command submission!
/// i915 0000:03:00.0: [drm] GPU HANG: ecode 12:1:85dffffb, in python3 [1234]
/// xe 0000:03:00.0: [drm] Tile0: GT0: Timedout job: seqno=98, lrc_seqno=98, guc_id=28 in python3 [1234]
/// xe 0000:03:00.0: [drm] *ERROR* CRITICAL: Xe has declared device 0000:03:00.0 as wedged.
/// ```
/// Not a fault: "ring gfx timeout, but soft recovered", and "no uncorrectable hardware errors detected".
public final class GpuFaults {
    /// A fault is told in several lines at once.
    private static final double SAME_FAULT_SECONDS = 1;

    private static final Pattern XID = Pattern.compile(
            "Xid \\((?:PCI:)?([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2})(\\.[0-7])?(?: GPU-I:\\w{1,4})?\\): (\\d{1,4})\\b");
    private static final Pattern XID_PROCESS = Pattern.compile("pid=(\\d{1,10}), (?:name=([^,]{1,40}),)?");
    private static final Pattern ADDRESS =
            Pattern.compile("\\b([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2})(\\.[0-7])?\\b");
    private static final Pattern DRM_PROCESS =
            Pattern.compile("\\b(?:process (\\S{1,15}) pid (\\d{1,10})|in (\\S{1,15}) \\[(\\d{1,10})\\])");

    private GpuFaults() {}

    /// What a line means that has all of `has` and none of `hasNot`.
    private record Sign(String driver, Kind kind, List<String> has, List<String> hasNot) {}

    private static final List<Sign> SIGNS = List.of(
            sign("NVRM", Kind.LOST, "fallen off the bus"),
            sign("NVRM", Kind.LOST, "RmInitAdapter failed"),
            sign("NVRM", Kind.LOST, "rm_init_adapter failed"),
            sign("nvidia-uvm", Kind.LOST, "fatal error"),
            new Sign("amdgpu", Kind.HUNG, List.of("ring ", " timeout, "), List.of("soft recovered")),
            sign("amdgpu", Kind.RESET, "GPU reset(", "succeeded"),
            sign("amdgpu", Kind.LOST, "GPU Recovery Failed"),
            sign("amdgpu", Kind.LOST, "GPU reset end with ret = -"),
            sign("amdgpu", Kind.LOST, "device lost from bus"),
            sign("amdgpu", Kind.APPLICATION, "page fault (src_id"),
            sign("amdgpu", Kind.APPLICATION, "VM_L2_PROTECTION_FAULT_STATUS"),
            new Sign(
                    "amdgpu",
                    Kind.UNCORRECTABLE,
                    List.of("uncorrectable hardware error"),
                    List.of("no uncorrectable", " in total ", " 0 uncorrectable")),
            sign("amdgpu", Kind.NO_MEMORY, "Not enough memory for command submission"),
            sign("i915", Kind.HUNG, "GPU HANG: "),
            sign("xe ", Kind.HUNG, "Timedout job"),
            sign("xe ", Kind.HUNG, "Engine reset: "),
            sign("xe ", Kind.LOST, "has declared device", "wedged"),
            sign("[drm]", Kind.LOST, "device wedged, needs recovery"));

    private static Sign sign(String driver, Kind kind, String... has) {
        return new Sign(driver, kind, List.of(has), List.of());
    }

    /// The faults in a log, from the oldest to the newest; several lines about one count once.
    public static List<GpuFault> in(KernelLog log) {
        List<GpuFault> faults = new ArrayList<>();
        String named = "";
        for (Entry entry : log.entries()) {
            String text = entry.text();
            // The address of a message that goes on in the next lines.
            if (text.contains("The NVIDIA GPU ")) named = address(text);
            Optional<GpuFault> fault = fault(entry, named);
            if (fault.isPresent()
                    && faults.stream().skip(Math.max(0, faults.size() - 8)).noneMatch(f -> isSame(f, fault.get())))
                faults.add(fault.get());
        }
        return List.copyOf(faults);
    }

    private static Optional<GpuFault> fault(Entry entry, String named) {
        String text = entry.text();
        int xid = text.indexOf("Xid (");
        if (xid >= 0) return xid(entry, xid);
        for (Sign sign : SIGNS) {
            if (!text.contains(sign.driver)
                    || !sign.has.stream().allMatch(text::contains)
                    || sign.hasNot.stream().anyMatch(text::contains)) continue;
            String gpu = address(text);
            Matcher process = DRM_PROCESS.matcher(text);
            boolean isNamed = process.find();
            boolean first = isNamed && process.group(1) != null;
            return Optional.of(new GpuFault(
                    entry.sinceBoot(),
                    gpu.isEmpty() && sign.driver.equals("NVRM") ? named : gpu,
                    sign.kind,
                    OptionalInt.empty(),
                    isNamed ? pid(process.group(first ? 2 : 4)) : OptionalInt.empty(),
                    isNamed ? process.group(first ? 1 : 3) : "",
                    text));
        }
        return Optional.empty();
    }

    private static Optional<GpuFault> xid(Entry entry, int at) {
        String text = entry.text();
        Matcher xid = XID.matcher(text);
        if (!xid.find(at) || xid.start() != at) return Optional.empty();
        int number = Integer.parseInt(xid.group(3));
        Matcher process = XID_PROCESS.matcher(text);
        boolean isNamed = process.find(xid.end());
        return Optional.of(new GpuFault(
                entry.sinceBoot(),
                whole(xid.group(1), xid.group(2)),
                kind(number, text),
                OptionalInt.of(number),
                isNamed ? pid(process.group(1)) : OptionalInt.empty(),
                isNamed && process.group(2) != null && !process.group(2).startsWith("<") ? process.group(2) : "",
                text));
    }

    /// 154 announces a change of what is to be done, to nothing as well.
    private static Kind kind(int number, String text) {
        return number == 154 && text.contains("(None)") && text.lastIndexOf("(None)") > text.lastIndexOf(" to ")
                ? Kind.WATCH
                : Xid.meaning(number).kind();
    }

    private static String address(String text) {
        Matcher address = ADDRESS.matcher(text);
        return address.find() ? whole(address.group(1), address.group(2)) : "";
    }

    /// `0000:3B:00` → `0000:3b:00.0`: NVIDIA's driver leaves the function away.
    private static String whole(String address, String function) {
        return address.toLowerCase(Locale.ROOT) + (function == null ? ".0" : function);
    }

    private static OptionalInt pid(String digits) {
        return OomLine.pid(digits).map(OptionalInt::of).orElse(OptionalInt.empty());
    }

    private static boolean isSame(GpuFault before, GpuFault now) {
        return before.kind() == now.kind()
                && (before.gpu().equals(now.gpu()) || now.gpu().isEmpty())
                && (now.xid().isEmpty() || before.xid().equals(now.xid()) && now.kind() == Kind.LOST)
                && before.sinceBoot().isPresent()
                && now.sinceBoot().isPresent()
                && now.sinceBoot().get().seconds() - before.sinceBoot().get().seconds() <= SAME_FAULT_SECONDS;
    }
}
