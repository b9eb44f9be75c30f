# SPDX-License-Identifier: Apache-2.0
"""A mount that hangs, a user without rights."""
from lookalikes.calm import calm_server
from scenario import bad_luck
from stage import MiB, Stage

_WINDOW = 3                   # seconds: the default of `diagnose`


@bad_luck(status=("healthy", "unknown"), causes=("none", "not-memory", "unknown"), not_seen="timed-out",
          within=_WINDOW + 2, smoke=True)
def hung_mount(stage: Stage) -> None:
    """A mounted FUSE file system answers nothing: whoever looks at it waits for ever; the server beside it is well."""
    calm_server(stage)
    stage.hung_mount("hung")


@bad_luck(status=("healthy", "unknown"), causes=("none", "not-memory", "unknown"), not_seen="no-permission",
          through=("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"), within=_WINDOW + 2, smoke=True)
def user_without_rights(stage: Stage) -> None:
    """Nobody asks about a server of root's: the report comes, and names what could not be seen."""
    calm_server(stage)


@bad_luck(status=("critical", "warning", "unknown"), causes=("cgroup-limit", "unknown"), not_seen="no-permission",
          through=("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"), within=_WINDOW + 2)
def user_without_rights_on_a_sick_host(stage: Stage) -> None:
    """Nobody asks about a server of root's that thrashes in its box: never healthy, whatever could not be seen."""
    model = stage.gguf(900)
    box = stage.group("llama").limit_memory(400 * MiB)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"], box,
                           path=str(model))
    stage.until_rate("pages read again", box.refaults, at_least=5_000)
    stage.show_wait(server, box)
