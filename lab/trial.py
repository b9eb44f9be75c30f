# SPDX-License-Identifier: Apache-2.0
"""Plays one scenario: set up, diagnose, compare, undo."""
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import diagnosis
from scenario import HEALTHY, Scenario
from stage import Stage
from stage.outcome import NotEstablished, Skipped

START = 5                     # seconds: from the question to the first look at the kernel log, at most
PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


@dataclass
class Outcome:
    scenario: Scenario
    result: str
    why: str = ""
    report: diagnosis.Report | None = None
    proof: list[str] = field(default_factory=list)
    left_behind: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def got(self) -> list[str]:
        """The columns of the confusion matrix that this trial belongs to."""
        if not self.report:
            return ["no report"]
        named = sorted(self.report.causes - {"none"})
        calm = self.report.status == "healthy" and (not named or self.scenario.expected.label() == [HEALTHY])
        return [HEALTHY] if calm else named or [self.report.status]


def play(scenario: Scenario, program: Path, captures: Path | None = None, slower: int = 1) -> Outcome:
    """`slower`: how many times as long as on a host everything may take; an emulated processor is not the product's fault."""
    stage, began = Stage(), time.monotonic()
    actions: list[threading.Timer] = []
    outcome = Outcome(scenario, FAILED)
    try:
        scenario.set_up(stage)
        stage.proof.open()
        actions += [threading.Timer(after, action) for after, action in stage.during]
        for action in actions:
            action.start()
        since = int(time.monotonic() - began) + 1 + START * (slower - 1)
        capture = captures / scenario.name if captures else None
        through = (*stage.through, *scenario.through)
        outcome.report = diagnosis.ask(program, since, scenario.arguments, through, capture, slower, stage.environment)
        outcome.proof = stage.proof.close()
        outcome.why = differences(scenario, outcome.report, slower)
        outcome.result = FAILED if outcome.why else PASSED
    except Skipped as reason:
        outcome.result, outcome.why = SKIPPED, str(reason)
    except (NotEstablished, diagnosis.NoReport) as trouble:
        outcome.why = f"{type(trouble).__name__}: {trouble}"
        outcome.proof = stage.proof.close()
    except Exception as trouble:
        outcome.why = f"the lab itself failed: {trouble!r}"
    finally:
        for action in actions:
            action.cancel()
        outcome.left_behind = stage.undo.everything()
    if outcome.left_behind:
        outcome.result, outcome.why = FAILED, f"{outcome.why} left behind: {'; '.join(outcome.left_behind)}".strip()
    outcome.seconds = time.monotonic() - began
    return outcome


def differences(scenario: Scenario, report: diagnosis.Report, slower: int = 1) -> str:
    """What is wrong with the verdict, in words; nothing when it is right."""
    expected, wrong = scenario.expected, []
    if report.status not in expected.statuses:
        wrong.append(f"status {report.status}, wanted {' or '.join(sorted(expected.statuses))}")
    if report.causes not in expected.causes:
        wanted = " or ".join(" + ".join(sorted(causes)) for causes in expected.causes)
        wrong.append(f"cause {' + '.join(sorted(report.causes))}, wanted {wanted}")
    if expected.not_seen and expected.not_seen not in report.not_seen:
        wrong.append(f"nothing that could not be seen has the reason {expected.not_seen}")
    if report.seconds > expected.within * slower:
        wrong.append(f"answered after {report.seconds:.1f} s, wanted at most {expected.within * slower:.1f} s")
    for wanted in expected.servers:
        if not any(all(word in server for word in wanted.split(" … ")) for server in report.servers):
            wrong.append(f"no server '{wanted}' among {sorted(report.servers)}")
    if expected.explains not in report.explains:
        wrong.append(f"explains '{report.explains}', wanted '{expected.explains}'")
    if expected.headline not in report.headline:
        wrong.append(f"headline without '{expected.headline}'")
    return f"{'; '.join(wrong)}: {report.headline}" if wrong else ""
