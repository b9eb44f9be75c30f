# SPDX-License-Identifier: Apache-2.0
"""A model file is not what it was, or not what its header says."""
import os
import subprocess

from scenario import fault
from stage import MiB, Stage, kernel


@fault("corrupt-file", status="critical")
def model_shortened_under_its_mapping(stage: Stage) -> None:
    """A deploy script writes the next model over the one that llama-server maps: half of it is gone."""
    model = stage.copy_to_spoil(stage.gguf(200))
    stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"],
                  path=str(model), tokens=1).await_line("idle")
    os.truncate(model, 100 * MiB)
    stage.until("MiB of the file", lambda: model.stat().st_size / MiB, at_most=100)


@fault("corrupt-file", status="critical")
def download_of_a_gguf_broke_off(stage: Stage) -> None:
    """llama-server has opened a GGUF of which the last quarter never came."""
    model = stage.copy_to_spoil(stage.gguf(200), mib=150)
    _held_open(stage, stage.program, model, "llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096")


@fault("corrupt-file", status="critical")
def download_of_safetensors_broke_off(stage: Stage) -> None:
    """A server has opened a shard of safetensors of which only the first third came."""
    model = stage.copy_to_spoil(stage.safetensors(200), mib=70)
    _held_open(stage, stage.script, model, "--model", model.parent, "--dtype", "bfloat16")


def _held_open(stage: Stage, start, model, *arguments) -> None:
    """The server maps another, whole file, so that nothing but the length of this one tells."""
    whole = stage.gguf(201)
    shown = list(arguments)
    server = start("hoarding_server", shown, path=str(whole), held=[str(model)])
    server.await_line("ready")
    stage.proof.level("MiB of the file", lambda: model.stat().st_size / MiB)


@fault("corrupt-file", status="critical")
def disk_that_cannot_be_read(stage: Stage) -> None:
    """The second half of the model's disk cannot be read: a checksum of the model fails with EIO, and the kernel says so."""
    model = stage.gguf(200)
    disk = stage.lost_disk("archive", 300, model.parent, left_mib=120)
    there = disk.mount / model.name
    stage.program("mapped_model", ["llama-server", "-m", there, "--port", "8080", "--no-warmup"],
                  path=str(there), tokens=-1).await_line("mapped")
    errors = kernel.log_lines(f"I/O error, dev {disk.name}")
    check = lambda: subprocess.run(["sha256sum", there], capture_output=True, text=True)
    ended = check()
    stage.proof.note(f"sha256sum ended with {ended.returncode}: {ended.stderr.strip()}")
    stage.until("lines of the kernel log about it", lambda: kernel.log_lines(f"I/O error, dev {disk.name}") - errors,
                at_least=1)
    stage.while_diagnosing(1, check)          # and once more, for `--since` is counted from the end of the window
