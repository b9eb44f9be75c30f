# SPDX-License-Identifier: Apache-2.0
"""Asks the program under test, as a user would: `ullage diagnose --json`."""
import json
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

_DEADLINE = 60                # seconds; far more than a diagnosis takes, so that only a hang is cut off
_NO_MEMORY = {"", "none"}


class NoReport(Exception):
    """The program ended without a report that can be read."""


@dataclass(frozen=True)
class Report:
    """The part of a report that is compared (ullage-report/1, see design §5)."""
    status: str
    causes: frozenset[str]
    headline: str
    not_seen: frozenset[str]      # the reasons why facts were not seen
    seconds: float                # wall time until the report was there
    text: str
    servers: frozenset[str]       # each server's engine and version, with its model and symptoms
    explains: str                 # the symptoms that the verdict explains

    @staticmethod
    def of(text: str, seconds: float) -> "Report":
        try:
            report = json.loads(text)
            verdict = report["verdict"]
            named = [verdict["cause"], *verdict.get("also", [])]
            causes = frozenset(named) - _NO_MEMORY or frozenset({"none"})
            not_seen = frozenset(fact["cause"] for fact in report["couldNotSee"])
            servers = frozenset(_server(server) for server in report["servers"])
            return Report(verdict["status"], causes, verdict["headline"], not_seen, seconds, text, servers,
                          "; ".join(verdict["explains"]))
        except (ValueError, KeyError, TypeError) as trouble:
            raise NoReport(f"no ullage-report/1 ({trouble!r}): {text[:200]!r}") from trouble


def _server(server: dict) -> str:
    """`vllm 0.11.0 serves qwen3-8b, holds gpu0 weights; 8 requests running, 0 waiting`"""
    held = sorted(f"{part['where']} {part['what']}" for part in server["memory"])
    return (f"{server['engine']} {server['version']} serves {server['model'].rpartition('/')[2]}, holds {', '.join(held)}; "
            f"{', '.join(server['symptoms'] + server['tells'])}")


def ask(program: Path, since_seconds: int, arguments: tuple[str, ...], through: tuple[str, ...] = (),
        capture: Path | None = None, slower: int = 1, environment: dict[str, str] | None = None) -> Report:
    """One diagnosis. Kills of earlier scenarios are in the same kernel log, hence `--since`.

    With `capture` the host is written down there too; the report is that of the capture.
    """
    verb = ["capture", str(capture), "--force"] if capture else ["diagnose"]
    command = [*through, str(program), *verb, "--json", "--since", f"{since_seconds}s", *arguments]
    began = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_DEADLINE * slower, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, **environment or {}))
    except subprocess.TimeoutExpired as trouble:
        raise NoReport(f"no answer after {_DEADLINE * slower} s") from trouble
    if done.returncode not in (0, 1, 2):
        raise NoReport(f"exit status {done.returncode}: {done.stderr.strip()[-300:]}")
    return Report.of(done.stdout, time.monotonic() - began)
