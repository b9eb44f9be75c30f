# SPDX-License-Identifier: Apache-2.0
"""Memory that was set aside for huge pages and that nobody uses."""
from lookalikes.calm import waiting_server
from scenario import fault
from stage import GiB, Stage, kernel, neighbours


@fault("hugepages-reserved", status="warning")
def huge_pages_that_nobody_uses(stage: Stage) -> None:
    """An eighth of the host was set aside for the huge pages of a database that has moved; now the host is short."""
    neighbours.await_quiet()
    size = stage.huge_pages(share=0.125)
    waiting_server(stage)
    stage.short_of_memory()
    stage.until("GiB of idle huge pages", lambda: kernel.huge_pages("Free") / GiB, at_least=size / GiB)
