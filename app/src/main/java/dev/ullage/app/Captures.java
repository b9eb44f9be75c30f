// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import dev.ullage.app.archive.Archive;
import dev.ullage.host.Evidence;
import dev.ullage.host.Focus;
import dev.ullage.host.FolderTree;
import dev.ullage.host.MemoryTree;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.Sampler;
import dev.ullage.host.TextTree;
import dev.ullage.host.capture.BadCapture;
import dev.ullage.host.capture.CaptureBuilder;
import dev.ullage.host.capture.CaptureFolder;
import dev.ullage.host.capture.CaptureNote;
import dev.ullage.host.capture.RecordingHost;
import dev.ullage.host.capture.Redaction;
import dev.ullage.host.capture.Sosreport;
import dev.ullage.host.kernel.HttpAccess;
import dev.ullage.host.kernel.LiveHost;
import dev.ullage.measure.Seconds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Optional;

/// Hosts that are judged by what was written down of them. A redacted look at this host is one too: it is judged by
/// the very texts a capture holds, so the capture's report is the same to the byte.
final class Captures {
    private static final String HOSTNAME = "/proc/sys/kernel/hostname";

    /// A capture of an hour has no more instants than one of twenty seconds: its size and our memory are bounded.
    private static final int MOST_STEPS = 20;

    private Captures() {}

    /// `diagnose --host FOLDER|FILE`.
    static int diagnose(String given, Focus asked, boolean sinceIsAsked, Output output) {
        try {
            Path path = Path.of(given);
            return report(read(path), path.toAbsolutePath().normalize(), asked, sinceIsAsked, output);
        } catch (BadCapture e) {
            System.err.println("ullage diagnose: --host " + BadCapture.shown(given) + ": " + e.getMessage());
            return Exit.NOT_UNDERSTOOD;
        } catch (OutOfMemoryError e) {
            System.err.println("ullage diagnose: --host " + BadCapture.shown(given) + ": reading it needs more than "
                    + Runtime.getRuntime().maxMemory() / (1 << 20)
                    + " MiB; if you trust it, set ULLAGE_JAVA_OPTIONS=-Xmx512m");
            return Exit.NOT_UNDERSTOOD;
        }
    }

    /// `diagnose --redact`.
    static int diagnoseRedacted(Focus focus, Seconds window, HttpAccess access, Output output) {
        try {
            return report(new MemoryTree(take(focus, window, access)), Path.of("/localhost"), focus, true, output);
        } catch (BadCapture e) {
            System.err.println("ullage diagnose: --redact: " + e.getMessage());
            return Exit.NOT_THERE;
        }
    }

    private static TextTree read(Path path) {
        if (!Files.exists(path)) throw new BadCapture("is not there; expected a capture, a folder or a .tar.zst");
        if (!Files.isDirectory(path)) return Archive.read(path);
        if (CaptureFolder.isOne(path)) return CaptureFolder.read(path);
        TextTree folder = new FolderTree(path);
        if (Sosreport.isOne(folder)) return Sosreport.of(folder);
        if (folder.names("proc").isEmpty())
            throw new BadCapture("holds neither at-0.000/ nor proc/; expected a capture, a copy of /proc or an unpacked"
                    + " sosreport");
        return folder;
    }

    static int report(TextTree tree, Path path, Focus asked, boolean sinceIsAsked, Output output) {
        Optional<CaptureNote> note = tree.text(CaptureNote.FILE).map(CaptureNote::parse);
        RecordedHost host = new RecordedHost(tree);
        Focus focus = note.map(n -> merged(n.focus(), asked, sinceIsAsked)).orElse(asked);
        return DiagnoseVerb.report(Sampler.replay(host, focus), "capture", name(host, note, path), output);
    }

    /// What the question was when the capture was taken, but for what is asked now.
    private static Focus merged(Focus then, Focus now, boolean sinceIsAsked) {
        return new Focus(
                now.pid().or(then::pid),
                now.cgroup().or(then::cgroup),
                now.path().or(then::path),
                sinceIsAsked ? now.since() : then.since());
    }

    private static String name(RecordedHost host, Optional<CaptureNote> note, Path path) {
        String hostname = host.at(host.instants() - 1).text(HOSTNAME).orElse("").strip();
        if (!hostname.isEmpty()) return hostname.lines().findFirst().orElse(hostname);
        String noted = note.map(CaptureNote::name).orElse("");
        return noted.isEmpty() ? String.valueOf(path.getFileName()) : noted;
    }

    /// This host over a window, redacted.
    static NavigableMap<String, String> take(Focus focus, Seconds window, HttpAccess access) {
        LiveHost live = new LiveHost(access);
        live.startWindow();
        if (window.seconds() > 0) Rehearsal.ifSlow(live, focus);
        RecordingHost recorder = new RecordingHost(live);
        new LiveWindow(recorder, focus, Interrupt.install())
                .look(
                        window,
                        new Seconds(Math.max(LiveWindow.stepOf(window).seconds(), window.seconds() / MOST_STEPS)));
        // Nobody judges by it, but the report says it.
        boolean isNamed = recorder.text(HOSTNAME).isPresent();
        NavigableMap<String, String> tree = recorder.finish();
        tree.put(
                CaptureNote.FILE,
                new CaptureNote(Version.ours(), focus, isNamed ? "" : DiagnoseVerb.hostName(live)).text());
        NavigableMap<String, String> redacted = Redaction.of(tree);
        CaptureBuilder.checkOwn(redacted);
        return redacted;
    }

    /// Whether the question can be answered by what was taken: a process that is not there gets no capture.
    static Optional<String> whyFocusFails(NavigableMap<String, String> tree) {
        Focus focus = CaptureNote.parse(tree.get(CaptureNote.FILE)).focus();
        Evidence evidence = Sampler.replay(new RecordedHost(new MemoryTree(tree)), focus);
        return DiagnoseVerb.whyFocusFails(evidence);
    }
}
