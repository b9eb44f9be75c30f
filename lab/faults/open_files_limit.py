# SPDX-License-Identifier: Apache-2.0
"""A process may open no more files."""
from scenario import fault
from stage import Stage, kernel
from stage.processes import limited


@fault("open-files-limit", status="critical")
def no_connection_more(stage: Stage) -> None:
    """A server keeps every connection open until its RLIMIT_NOFILE of 1024 refuses the next one."""
    model = stage.safetensors(200)
    server = stage.installed("hoarding_server", "vllm", ["serve", model.parent, "--port", "8000"],
                             under=limited(nofile=1024), path=str(model), sockets=5000)
    server.await_line("Too many open files")
    stage.until("open files", lambda: kernel.open_files(server.pid), at_least=1023)
