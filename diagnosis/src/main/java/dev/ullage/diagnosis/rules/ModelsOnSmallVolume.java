// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Shell;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.FileSystemSpace;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.Mounts;
import dev.ullage.host.storage.Mounts.Mount;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading.Present;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
/// Models lie on a file system that is filling up, and a larger one is nearly empty.

public final class ModelsOnSmallVolume implements Rule {
    /// Of the file system, used.
    private static final double FILLING = 0.8;

    /// Times what is left on the small one.
    private static final double MUCH_MORE = 4;

    /// A volume with less is no home for models.
    private static final Bytes A_MODEL = Bytes.ofGiB(20);

    @Override
    public String name() {
        return "models-on-the-small-volume";
    }

    @Override
    public Cause cause() {
        return Cause.DISK_FULL;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(Mounts.FACT);
    }

    @Override
    public Verdict judge(Evidence evidence) {
        Mounts mounts = evidence.latest(Mounts.FACT).orThrow();
        for (Workload server : evidence.servers()) {
            for (ModelFile file : server.models()) {
                Optional<Mount> of = mounts.ofDevice(file.device());
                if (of.isEmpty()
                        || !(evidence.latest(FileSystemSpace.FACT, of.get())
                                instanceof Present<FileSystemSpace>(FileSystemSpace space))) continue;
                Optional<Mount> other = roomier(evidence, of.get(), space);
                if (space.usedShare().isAtLeast(FILLING) && other.isPresent())
                    return new Verdict.Problem(List.of(finding(evidence, server, of.get(), space, other.get())));
            }
        }
        return new Verdict.Clear("no server's model lies on a file system that is filling up beside a larger one");
    }

    private static Optional<Mount> roomier(Evidence evidence, Mount than, FileSystemSpace space) {
        return evidence.subjects(FileSystemSpace.FACT).stream()
                .filter(m -> !m.equals(than)
                        && !m.isReadOnly()
                        && !m.isRemote()
                        && !m.type().equals("tmpfs")
                        && !m.point().startsWith("/boot"))
                .filter(m -> available(evidence, m).isMoreThan(space.available().times(MUCH_MORE))
                        && available(evidence, m).isMoreThan(A_MODEL))
                .max(Comparator.comparing(m -> available(evidence, m)));
    }

    private static Bytes available(Evidence evidence, Mount mount) {
        return evidence.latest(FileSystemSpace.FACT, mount)
                .map(FileSystemSpace::available)
                .orElse(Bytes.NONE);
    }

    private Finding finding(Evidence evidence, Workload server, Mount mount, FileSystemSpace space, Mount other) {
        return new Finding(
                this,
                Severity.ADVICE,
                new Signs().sign(true).sign(true).confidence(),
                "models lie on " + mount.point() + ", which is "
                        + space.usedShare().shown() + " full ("
                        + space.available().shown() + " left), while " + other.point() + " has "
                        + available(evidence, other).shown(),
                List.of(
                        Saw.of("left on " + mount.point(), space.available(), "statfs " + mount.point()),
                        Saw.of("left on " + other.point(), available(evidence, other), "statfs " + other.point())),
                "the next download fills the small one; container images and the Hugging Face cache land on / unless they are told otherwise",
                Subject.of(server).at(mount.point()),
                List.of(Remedy.medium(
                        "put the model cache on the larger volume (HF_HOME, OLLAMA_MODELS, or a bind mount into the container)",
                        "export HF_HOME=" + Shell.word(other.point() + "/huggingface"),
                        Remedy.Cost.RESTART,
                        Remedy.Risk.NONE,
                        "df -h " + Shell.word(mount.point()) + " " + Shell.word(other.point()),
                        "unset HF_HOME")));
    }
}
