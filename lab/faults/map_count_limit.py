# SPDX-License-Identifier: Apache-2.0
"""A process has as many mappings as the kernel allows."""
from pathlib import Path

from scenario import fault
from stage import Stage, kernel
from stage.outcome import Skipped

_MOST_MAPPINGS = 300_000      # 262144 is what Elasticsearch asks for; making a million takes longer than it teaches


@fault("map-count-limit", status="warning")
def almost_as_many_mappings_as_the_kernel_allows(stage: Stage) -> None:
    """A server has split its memory into 65,000 mappings, and the kernel allows 65,530."""
    model = stage.gguf(200)
    limit = int(Path("/proc/sys/vm/max_map_count").read_text())
    if limit > _MOST_MAPPINGS:
        raise Skipped(f"vm.max_map_count is {limit}")
    wanted = int(limit * 0.992)
    server = stage.program("hoarding_server", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "8192"],
                           path=str(model), mappings=wanted)
    server.await_line("ready")
    stage.until("mappings", lambda: kernel.mappings(server.pid), at_least=wanted, at_most=limit)
