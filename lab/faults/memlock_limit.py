# SPDX-License-Identifier: Apache-2.0
"""A process may lock less memory than it was told to."""
from scenario import fault
from stage import MiB, Stage, kernel
from stage.processes import may_lock


@fault("memlock-limit", status="warning", smoke=True)
def may_lock_8_mib_of_the_model(stage: Stage) -> None:
    """llama-server was told to --mlock its model of 200 MiB, and may lock 8 MiB, as systemd has it for every unit."""
    model = stage.gguf(200)
    server = stage.program("hoarding_server", ["llama-server", "--mlock", "-m", model, "--port", "8080", "-c", "4096"],
                           under=may_lock(8 * MiB), path=str(model), lock=True)
    server.await_line("failed to mlock").await_line("ready")
    stage.until("MiB locked", lambda: kernel.status(server.pid, "VmLck") / MiB, at_least=1, at_most=8)
