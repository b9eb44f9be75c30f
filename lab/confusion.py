# SPDX-License-Identifier: Apache-2.0
"""The confusion matrix: what was there against what was named."""
import os
from collections import Counter

from trial import SKIPPED, Outcome


def counts(outcomes: list[Outcome]) -> Counter[tuple[str, str]]:
    """A scenario with two causes counts once for each; a cause that was missed counts against what was said instead."""
    cells: Counter[tuple[str, str]] = Counter()
    for outcome in outcomes:
        if outcome.result == SKIPPED:
            continue
        wanted, got = outcome.scenario.expected.label(), outcome.got()
        invented = [cause for cause in got if cause not in wanted]
        for cause in wanted:
            cells[cause, cause if cause in got else (invented or got)[0]] += 1
        if all(cause in got for cause in wanted):
            for cause in invented:      # all that was there was found, and something that was not
                cells["(nothing)", cause] += 1
    return cells


def plain(outcomes: list[Outcome]) -> str:
    """For the terminal: a row a cause, its hits, and what it was taken for."""
    cells = counts(outcomes)
    rows = _rows(cells)
    width = max(map(len, rows), default=0)
    lines = [f"{'what was there':{width}}  right  taken for"]
    for row in rows:
        wrong = ", ".join(f"{column} {cells[row, column]}" for column in _columns(cells)
                          if column != row and cells[row, column])
        total = sum(count for (there, _), count in cells.items() if there == row)
        lines.append(f"{row:{width}}  {cells[row, row]:2d}/{total:<2d}  {wrong}".rstrip())
    return "\n".join(lines)


def markdown(outcomes: list[Outcome], made: str = "") -> str:
    """For docs/: the whole square, with how it was made."""
    cells = counts(outcomes)
    columns = _columns(cells)
    played = sum(outcome.result != "skipped" for outcome in outcomes)
    right = sum(outcome.result == "passed" for outcome in outcomes)
    made = made or f"Made by `./lab/run --matrix docs/CONFUSION-MATRIX.md` on Linux {os.uname().release}"
    lines = ["# Confusion matrix", "",
             f"{made}: {played} scenarios, "
             f"{right} verdicts right. A row is what was there, a column what `ullage diagnose` named.", "",
             "| there ↓ named → | " + " | ".join(columns) + " |", "|---|" + "---|" * len(columns)]
    for row in _rows(cells):
        numbers = [str(cells[row, column]) if cells[row, column] else "" for column in columns]
        numbers = [f"**{number}**" if column == row and number else number for column, number in zip(columns, numbers)]
        lines.append(f"| {row} | " + " | ".join(numbers) + " |")
    return "\n".join(lines) + "\n"


def _rows(cells) -> list[str]:
    return sorted({row for row, _ in cells}, key=_healthy_last)


def _columns(cells) -> list[str]:
    return sorted({name for cell in cells for name in cell if not name.startswith("(")}, key=_healthy_last)


def _healthy_last(name: str) -> tuple[bool, str]:
    return name in ("healthy", "(nothing)"), name
