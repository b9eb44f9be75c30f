# SPDX-License-Identifier: Apache-2.0
"""Memory that is pinned for devices: it can be neither swapped out nor moved."""
from lookalikes.calm import waiting_server
from scenario import fault
from stage import MiB, Stage, kernel, neighbours
from stage.outcome import Skipped
from stage.processes import as_script


@fault("pinned-memory", status="warning")
def buffers_registered_for_io(stage: Stage) -> None:
    """A storage daemon has registered buffers of 27 % of the host for IO, and less than a tenth of the host is left."""
    if not kernel.has_io_uring():
        raise Skipped("this kernel has no io_uring, or has it switched off")
    neighbours.await_quiet()
    wanted = int(kernel.meminfo()["MemTotal"] * 0.27) // MiB * MiB
    waiting_server(stage)
    stage.start(as_script("pinning", []), None, {"size": wanted}, killed=1000).await_line("pinned")
    stage.short_of_memory()
    stage.until("MiB pinned", lambda: kernel.pinned_bytes() / MiB, at_least=0.99 * wanted / MiB)
