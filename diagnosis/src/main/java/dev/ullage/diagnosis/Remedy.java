// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

/// One thing to do about a finding.
///
/// @param action what, as an instruction
/// @param command exactly, with the names of *this* host; empty when it is a decision and not a command
/// @param verify the command or number that shows it helped
/// @param undo how to take it back; `-` when there is nothing to take back
public record Remedy(When when, String action, String command, Cost cost, Risk risk, String verify, String undo) {
    /// When it can be done.
    public enum When {
        NOW("now"),
        /// This week: needs a restart, a change of configuration.
        MEDIUM("medium"),
        /// By design: other hardware, another layout.
        LONG("long");

        private final String word;

        When(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /// What doing it interrupts.
    public enum Cost {
        NONE("none"),
        RELOAD("reload"),
        RESTART("restart"),
        REBOOT("reboot");

        private final String word;

        Cost(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /// What it may do beside helping.
    public enum Risk {
        NONE("none"),
        SLOWER("slower"),
        RESULTS_CHANGE("results-change"),
        DATA_LOSS("data-loss");

        private final String word;

        Risk(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    public static Remedy now(String action, String command, Cost cost, Risk risk, String verify, String undo) {
        return new Remedy(When.NOW, action, command, cost, risk, verify, undo);
    }

    public static Remedy medium(String action, String command, Cost cost, Risk risk, String verify, String undo) {
        return new Remedy(When.MEDIUM, action, command, cost, risk, verify, undo);
    }

    public static Remedy byDesign(String action, String command, Cost cost, Risk risk, String verify, String undo) {
        return new Remedy(When.LONG, action, command, cost, risk, verify, undo);
    }
}
