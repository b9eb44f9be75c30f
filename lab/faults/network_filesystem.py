# SPDX-License-Identifier: Apache-2.0
"""The model lies on a file server: far away, or silent."""
import signal

from scenario import fault
from stage import MiB, Stage

_RATE = 3_000_000             # bytes a second: 256 MiB take a minute and a half


@fault("network-filesystem", status="critical")
def load_from_a_slow_file_server(stage: Stage) -> None:
    """llama-server faults its model of 256 MiB in over a file system that gives 3 MB/s."""
    model, _ = stage.file_server("models-share", stage.gguf(256), rate=_RATE)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "8192"],
                           path=str(model))
    server.await_line("mapped")
    stage.until_rate("MiB of the model that came in", stage.resident_by(server), at_least=1, at_most=4)
    stage.show_wait(server)


@fault("network-filesystem", status="critical", within=10)
def file_server_that_does_not_answer(stage: Stage) -> None:
    """The file server under a running server stops answering; what is in memory is served, and the report comes all the same."""
    model, share = stage.file_server("models-share", stage.gguf(200), rate=1_000_000_000)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"],
                           path=str(model), tokens=1)
    server.await_line("idle")
    stage.undo.later("file server goes on", lambda: share.tell(signal.SIGCONT))     # or the server could not be killed
    share.tell(signal.SIGSTOP)
    stage.proof.level("MiB of the model mapped", lambda: stage.resident_by(server)())
    stage.proof.note(f"file server, pid {share.pid}: stopped")
