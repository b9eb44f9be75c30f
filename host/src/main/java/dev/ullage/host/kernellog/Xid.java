// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import static dev.ullage.host.kernellog.GpuFault.Kind.APPLICATION;
import static dev.ullage.host.kernellog.GpuFault.Kind.CONTAINED;
import static dev.ullage.host.kernellog.GpuFault.Kind.HUNG;
import static dev.ullage.host.kernellog.GpuFault.Kind.LINK;
import static dev.ullage.host.kernellog.GpuFault.Kind.LOST;
import static dev.ullage.host.kernellog.GpuFault.Kind.REPAIR_FAILED;
import static dev.ullage.host.kernellog.GpuFault.Kind.RESET_NEEDED;
import static dev.ullage.host.kernellog.GpuFault.Kind.UNCLEAR;
import static dev.ullage.host.kernellog.GpuFault.Kind.UNCORRECTABLE;
import static dev.ullage.host.kernellog.GpuFault.Kind.WATCH;

import dev.ullage.host.kernellog.GpuFault.Kind;
import java.util.Map;

/// What NVIDIA's error numbers mean, reconciled.
///
/// Three who publish a meaning — NVIDIA's own catalogue, its data-centre monitor DCGM, and the monitor gpud — agree on
/// the rare numbers (48, 64, 79, 95, 119, 120, 140: the GPU is not to be used as it is) and disagree on the common
/// ones.
/// We decide by what a person at the machine can do:
///
/// - 13, 31, 43, 45: catalogue and gpud name the program first, some monitors alarm on any. A GPU that is fine shows
///   them whenever a program reads what it does not have, or is killed. One is the program's; the same again and again
///   is worth a warning, because bad memory makes programs go wrong too.
/// - 63: some want a reset at once. It says that a bad place *was* replaced: work goes on, and the next reset makes
///   it final. Alone it is for watching. 64, the same that failed, is bad everywhere.
/// - 94: an error that was contained. The catalogue restarts the program, others drain the host. The program that is
///   named has died; that is bad when it was a server.
///
/// No number means that the GPU's memory is full.
///
/// Mistake people make: watching the last number as a gauge. Whatever comes after 48 hides it; count them.
public final class Xid {
    private Xid() {}

    /// @param clause what happened, for a report
    public record Meaning(Kind kind, String clause) {}

    private static final Map<Integer, Meaning> TABLE = Map.ofEntries(
            xid(8, HUNG, "the GPU stopped working on a program's commands"),
            xid(13, APPLICATION, "a program's kernel did something it may not"),
            xid(31, APPLICATION, "a program read or wrote GPU memory it does not have"),
            xid(32, UNCLEAR, "the commands of a program came in damaged: driver, bus or memory"),
            xid(38, UNCLEAR, "the driver's firmware failed"),
            xid(43, APPLICATION, "a program's work was stopped; the GPU is fine"),
            xid(45, APPLICATION, "the work of a program that ended was cleared away"),
            xid(48, UNCORRECTABLE, "an error of two bits in its memory"),
            xid(61, LOST, "its controller halted"),
            xid(62, LOST, "its controller halted"),
            xid(63, WATCH, "a bad place in its memory was replaced"),
            xid(64, REPAIR_FAILED, "a bad place in its memory could not be replaced"),
            xid(69, APPLICATION, "a program's kernel did something it may not"),
            xid(74, LINK, "an error of NVLink"),
            xid(79, LOST, "it fell off the bus"),
            xid(92, WATCH, "many errors of one bit, corrected"),
            xid(94, CONTAINED, "an uncorrectable memory error that was contained"),
            xid(95, UNCORRECTABLE, "an uncorrectable memory error that was not contained"),
            xid(109, HUNG, "a switch between programs did not end"),
            xid(119, LOST, "its system processor does not answer"),
            xid(120, LOST, "its system processor failed"),
            xid(121, LINK, "an error of the link to the processor"),
            xid(140, UNCORRECTABLE, "an uncorrectable memory error that was not recovered from"),
            xid(143, LOST, "it could not be started"),
            xid(144, LINK, "an error of NVLink"),
            xid(145, LINK, "an error of NVLink"),
            xid(146, LINK, "an error of NVLink"),
            xid(147, LINK, "an error of NVLink"),
            xid(148, LINK, "an error of NVLink"),
            xid(149, LINK, "an error of NVLink"),
            xid(150, LINK, "an error of NVLink"),
            xid(154, RESET_NEEDED, "the driver says how to get it back"),
            xid(171, UNCORRECTABLE, "an uncorrectable error of its memory"),
            xid(172, UNCORRECTABLE, "an uncorrectable error of its caches"));

    private static final Meaning UNKNOWN = new Meaning(UNCLEAR, "an error of a number that is not in our table");

    private static Map.Entry<Integer, Meaning> xid(int number, Kind kind, String clause) {
        return Map.entry(number, new Meaning(kind, clause));
    }

    public static Meaning meaning(int number) {
        return TABLE.getOrDefault(number, UNKNOWN);
    }
}
