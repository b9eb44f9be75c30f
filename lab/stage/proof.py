# SPDX-License-Identifier: Apache-2.0
"""The numbers that show a fault to be real, taken while `diagnose` looks."""
import time
from collections.abc import Callable

Number = Callable[[], float]


class Proof:
    """Counters are read when the window opens and when it closes; levels when it closes."""

    def __init__(self) -> None:
        self._rates: dict[str, Number] = {}
        self._levels: dict[str, Number] = {}
        self._at_start: dict[str, float] = {}
        self._began = 0.0
        self._notes: list[str] = []

    def note(self, text: str) -> None:
        self._notes.append(text)

    def rate(self, what: str, counter: Number | None) -> None:
        if counter:
            self._rates[what] = counter

    def level(self, what: str, gauge: Number) -> None:
        self._levels[what] = gauge

    def open(self) -> None:
        self._began = time.monotonic()
        self._at_start = {what: _read(counter) for what, counter in self._rates.items()}

    def close(self) -> list[str]:
        seconds = time.monotonic() - self._began
        rates = [f"{what}: {(_read(counter) - self._at_start[what]) / seconds:,.2f}/s"
                 for what, counter in self._rates.items() if what in self._at_start]
        return self._notes + rates + [f"{what}: {_read(gauge):,.1f}" for what, gauge in self._levels.items()]


def _read(number: Number) -> float:
    """A process that was killed meanwhile has no counters: that is a proof of its own, not an error."""
    try:
        return number()
    except (OSError, KeyError, IndexError):
        return float("nan")
