# SPDX-License-Identifier: Apache-2.0
"""What was done last is undone first, whatever happens in between."""
import signal
from collections.abc import Callable


class Undo:
    """A stack of steps that take back what a scenario did to the host.

    Each step is pushed *before or right after* the thing it takes back exists, and must bear that the thing is already
    gone. A step that fails does not stop the ones below it: its words are collected, and the trial counts as failed.
    """

    def __init__(self) -> None:
        self._steps: list[tuple[str, Callable[[], object]]] = []

    def later(self, what: str, step: Callable[[], object]) -> None:
        self._steps.append((what, step))

    def everything(self) -> list[str]:
        """Runs all steps; a second Ctrl-C must not leave a swap file or a mount behind, so signals wait."""
        waiting = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
        signal.pthread_sigmask(signal.SIG_BLOCK, waiting)
        left_behind = []
        try:
            while self._steps:
                what, step = self._steps.pop()
                try:
                    step()
                except Exception as trouble:
                    left_behind.append(f"{what}: {trouble}")
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, waiting)
        return left_behind
