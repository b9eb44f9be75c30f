# SPDX-License-Identifier: Apache-2.0
"""A file system that has room and can hold no file more."""
from scenario import fault
from stage import MiB, Stage


@fault("inode-exhaustion", status="critical")
def cache_of_small_files(stage: Stage) -> None:
    """A tokenizer cache of small files has used up the inodes of the volume that the model lies on; half of it is free."""
    model = stage.gguf(128)
    disk = stage.disk("models", 300, content=model.parent, inodes=512)
    there = disk.mount / model.name
    stage.program("mapped_model", ["llama-server", "-m", there, "--port", "8080", "--ctx-size", "2048"],
                  path=str(there), tokens=1).await_line("idle")
    number = 0
    while disk.free_inodes():
        (disk.mount / f"tokens-{number}.json").touch()
        number += 1
    stage.until("inodes left", disk.free_inodes, at_most=0)
    stage.until("MiB free", lambda: disk.free_bytes() / MiB, at_least=100)
