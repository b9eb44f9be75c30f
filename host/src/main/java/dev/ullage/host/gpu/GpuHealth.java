// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.measure.Reading;

/// What a GPU says of the state of its hardware.
///
/// @param ecc absent on cards without it, or where it is switched off
/// @param repairs absent on cards that repair nothing
/// @param throttling absent where clocks may not be read
/// @param celsius of the GPU
public record GpuHealth(
        Reading<Ecc> ecc, Reading<Repairs> repairs, Reading<Throttling> throttling, Reading<Integer> celsius) {
    /// Errors of its memory: *volatile* since the driver was loaded, *aggregate* over its life.
    ///
    /// @param uncorrectedVolatile data was lost; whoever used it was killed
    public record Ecc(
            long correctedVolatile, long uncorrectedVolatile, long correctedAggregate, long uncorrectedAggregate) {}

    /// Memory taken out of use: pages (before Ampere) or rows (since).
    ///
    /// @param pending it takes effect with the next reset of the GPU
    /// @param failed a row could not be replaced: the card has to be sent back
    public record Repairs(long retiredPages, long remappedRows, boolean pending, boolean failed) {}

    /// Why the clocks are below what they could be. Source: nvml.h `nvmlClocksEventReason…`.
    ///
    /// @param reasons NVML's bit mask; see [#isSlowedByHeat()] and the like
    /// @param clockMHz of the multiprocessors, now
    /// @param maxClockMHz of them, at most
    public record Throttling(long reasons, int clockMHz, int maxClockMHz) {
        private static final long SW_POWER_CAP = 0x4;
        private static final long HW_SLOWDOWN = 0x8;
        private static final long SW_THERMAL = 0x20;
        private static final long HW_THERMAL = 0x40;
        private static final long HW_POWER_BRAKE = 0x80;

        public boolean isSlowedByHeat() {
            return (reasons & (SW_THERMAL | HW_THERMAL)) != 0;
        }

        /// The power supply or the chassis holds it back. A card at its own power limit ([#isAtPowerLimit()]) is at
        /// work, not ill.
        public boolean isSlowedByPowerSupply() {
            return (reasons & HW_POWER_BRAKE) != 0;
        }

        /// Slowed by the hardware, whatever the reason: heat, power supply, or a mistake of either's sensor.
        public boolean isSlowedByHardware() {
            return (reasons & HW_SLOWDOWN) != 0;
        }

        public boolean isAtPowerLimit() {
            return (reasons & SW_POWER_CAP) != 0;
        }
    }
}
