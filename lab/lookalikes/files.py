# SPDX-License-Identifier: Apache-2.0
"""Model files that change, grow or lie far away without anybody being hurt."""
import os
import shutil

from lookalikes.calm import waiting_server
from scenario import lookalike
from stage import MiB, Stage


@lookalike()
def model_replaced_by_a_rename(stage: Stage) -> None:
    """A new model was written beside the old one and renamed over it, as it should be; the server goes on with the old."""
    old = stage.copy_to_spoil(stage.gguf(200))
    server = stage.program("mapped_model", ["llama-server", "-m", old, "--port", "8080", "--ctx-size", "4096"],
                           path=str(old), tokens=1).await_line("idle")
    new = old.with_suffix(".new")
    shutil.copyfile(stage.gguf(201), new)
    os.rename(new, old)
    stage.proof.level("MiB of the deleted file in its memory", stage.resident_by(server))


@lookalike()
def next_model_is_downloaded(stage: Stage) -> None:
    """A hub client writes the next model into the folder of the one that is served: shorter than its header says, as yet."""
    served = stage.copy_to_spoil(stage.gguf(200))
    stage.program("mapped_model", ["llama-server", "-m", served, "--port", "8080", "--ctx-size", "4096"],
                  path=str(served), tokens=1).await_line("idle")
    _download(stage, stage.script, served.parent, "download", "org/next-model")


@lookalike()
def server_downloads_its_next_model(stage: Stage) -> None:
    """The server itself fetches a model and has the file open: half a model that grows is no broken one."""
    model = stage.gguf(200)
    waiting_server(stage)
    folder = stage.copy_to_spoil(model).parent
    _download(stage, lambda *command, **role: stage.installed(command[0], "vllm", ["serve", *command[1]], **role),
              folder, "org/next-model", "--download-dir", folder)


def _download(stage: Stage, start, folder, *arguments) -> None:
    target = folder / "next-model.gguf"
    stage.undo.later(f"file {target}", lambda: target.unlink(missing_ok=True))
    source = stage.gguf(900)
    start("downloader", list(arguments), target=str(target), source=str(source), pace=20 * MiB)
    stage.until("MiB of the next model", lambda: target.exists() and target.stat().st_size / MiB, at_least=30)


@lookalike()
def warm_model_on_a_file_server(stage: Stage) -> None:
    """The model came over a network file system when the server started; nothing is read there any more."""
    model, _ = stage.file_server("models-share", stage.gguf(200), rate=1_000_000_000)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"],
                           path=str(model), tokens=1)
    server.await_line("idle")
    stage.until("MiB of the model in its memory", stage.resident_by(server), at_least=190)
