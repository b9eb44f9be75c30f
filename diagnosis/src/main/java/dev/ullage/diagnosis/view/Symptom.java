// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.diagnosis.Death;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.measure.Count;
import dev.ullage.measure.PerSecond;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Seconds;

/// One thing that a server's users feel, or that the server itself complains of: what a cause has to explain.
///
/// Not each is a trouble: a server that runs three requests and lets none wait is a number worth showing. From when on
/// it is one, each record says.
public sealed interface Symptom {
    /// In a few words, as the report says it behind the server's name: `waits 43 % of the time`.
    String words();

    /// Whether somebody suffers.
    boolean isTrouble();

    /// The number, and where to look it up.
    Saw saw();

    /// A thread of it waited uninterruptibly: for a page, for swap, for a disk.
    ///
    /// @param share of the window
    record Waits(Ratio share, String source) implements Symptom {
        @Override
        public String words() {
            return "waits " + share.shown() + " of the time";
        }

        @Override
        public boolean isTrouble() {
            return share.isAtLeast(Severity.WARNING_STALL);
        }

        @Override
        public Saw saw() {
            return Saw.of("share of the window it waited", share, source);
        }
    }

    /// It works in the kernel for half of the time, waiting included: page faults and reclaim are work that nobody
    /// asked
    /// for. Where it waits a tenth of the time already, [Waits] says it.
    ///
    /// @param share of the window its threads worked in the kernel
    /// @param waiting share of the window it waited besides
    record KernelWork(Ratio share, Ratio waiting, String source) implements Symptom {
        @Override
        public String words() {
            return "works in the kernel " + share.shown() + " of the time";
        }

        @Override
        public boolean isTrouble() {
            return !waiting.isAtLeast(Severity.WARNING_STALL)
                    && new Ratio(share.ratio() + waiting.ratio()).isAtLeast(Severity.CRITICAL_STALL);
        }

        @Override
        public Saw saw() {
            return Saw.of("share of the window it worked in the kernel", share, source);
        }
    }

    /// @param mean of the requests that got their first token in the window
    record FirstToken(Seconds mean, String source) implements Symptom {
        /// What MLPerf Inference asks of a server of Llama 2 70B: nobody waits longer for the first word.
        private static final Seconds SLOW = new Seconds(2);

        @Override
        public String words() {
            return "time to first token " + mean.shown();
        }

        @Override
        public boolean isTrouble() {
            return mean.compareTo(SLOW) >= 0;
        }

        @Override
        public Saw saw() {
            return Saw.of("time to first token", mean, source);
        }
    }

    /// @param mean from one token to the next, in the window
    record NextToken(Seconds mean, String source) implements Symptom {
        /// Also MLPerf's: 200 ms a token is about 240 words a minute, as fast as people read.
        private static final Seconds SLOW = new Seconds(0.2);

        @Override
        public String words() {
            return "time between tokens " + mean.shown();
        }

        @Override
        public boolean isTrouble() {
            return mean.compareTo(SLOW) >= 0;
        }

        @Override
        public Saw saw() {
            return Saw.of("time between tokens", mean, source);
        }
    }

    /// Requests at the end of the window; they are a trouble when many waited at its beginning too.
    ///
    /// @param waitedBefore how many waited at the beginning
    record Queue(long running, long waiting, long waitedBefore, String source) implements Symptom {
        /// A burst of a few is served in the next moment.
        private static final long MANY = 5;

        @Override
        public String words() {
            return new Count(running).shown() + (running == 1 ? " request running, " : " requests running, ")
                    + new Count(waiting).shown() + " waiting";
        }

        @Override
        public boolean isTrouble() {
            return waiting > MANY && waitedBefore > MANY;
        }

        @Override
        public Saw saw() {
            return Saw.of("requests waiting", new Count(waiting), source);
        }
    }

    /// Requests thrown out of the KV cache in the window; all they had is computed again.
    record Preempted(long times, Seconds window, String source) implements Symptom {
        @Override
        public String words() {
            return "preempted " + new Count(times).shown() + (times == 1 ? " request in " : " requests in ")
                    + window.shown();
        }

        @Override
        public boolean isTrouble() {
            return times > 0;
        }

        @Override
        public Saw saw() {
            return Saw.of("requests preempted in the window", new Count(times), source);
        }
    }

    /// It took the connection, or did not, and answered nothing.
    ///
    /// @param why with the patience it was given: `it did not answer within 1 s`
    record Silent(String why, String source) implements Symptom {
        @Override
        public String words() {
            return "answers nothing: " + why;
        }

        @Override
        public boolean isTrouble() {
            return true;
        }

        @Override
        public Saw saw() {
            return Saw.text("its answer", why, source);
        }
    }

    /// It answers that its model is not loaded yet.
    ///
    /// @param age since the process started
    record Loading(Seconds age, String source) implements Symptom {
        /// A load that ends within a minute is none of anybody's business.
        private static final Seconds LONG = Seconds.ofMinutes(1);

        @Override
        public String words() {
            return "still loading " + age.shown() + " after it started";
        }

        @Override
        public boolean isTrouble() {
            return age.compareTo(LONG) >= 0;
        }

        @Override
        public Saw saw() {
            return Saw.of("loading since", age, source);
        }
    }

    /// It answers that it cannot serve.
    record Failing(String source) implements Symptom {
        @Override
        public String words() {
            return "says that it cannot serve";
        }

        @Override
        public boolean isTrouble() {
            return true;
        }

        @Override
        public Saw saw() {
            return Saw.text("its health", "failing", source);
        }
    }

    /// The kernel killed one of it.
    record Killed(RecentKills kill) implements Symptom {
        @Override
        public String words() {
            return "was killed for memory " + kill.shownAge();
        }

        @Override
        public boolean isTrouble() {
            return kill.counts();
        }

        @Override
        public Saw saw() {
            return Saw.text("killed", kill.kill().victim().name() + ", " + kill.shownAge(), "/dev/kmsg");
        }
    }

    /// Its unit or container ended badly, or is started again and again.
    record Died(Death death) implements Symptom {
        @Override
        public String words() {
            return "died: " + death.shown();
        }

        @Override
        public boolean isTrouble() {
            return true;
        }

        @Override
        public Saw saw() {
            return Saw.text("its end", death.shown(), "journalctl, container runtimes");
        }
    }

    /// Tokens it wrote in the window; none of a busy server's users suffers from the number itself.
    record Writes(PerSecond tokens, String source) implements Symptom {
        @Override
        public String words() {
            return "writes "
                    + (tokens.perSecond() == 0 ? "no tokens" : tokens.shown().replace("/s", " tokens/s"));
        }

        @Override
        public boolean isTrouble() {
            return false;
        }

        @Override
        public Saw saw() {
            return Saw.of("tokens written", tokens, source);
        }
    }
}
