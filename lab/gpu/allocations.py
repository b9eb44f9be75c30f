# SPDX-License-Identifier: Apache-2.0
"""Memory on a GPU that comes, stays and grows, and the verdict that each must get."""
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
PORT = 18377


@dataclass(frozen=True)
class Actor:
    """A worker (worker.py): what it is called, and its plan by shares of the card's free memory."""
    arguments: tuple[str, ...]
    hold: float = 0.0
    grow_in: float = 0.0          # seconds until what is free is taken
    health: int = 0               # 0: it does not listen
    fragment: bool = False


@dataclass(frozen=True)
class Story:
    name: str
    story: str
    causes: tuple[str, ...]       # one of them
    statuses: tuple[str, ...]
    actors: tuple[Actor, ...]
    window: str = "4s"


_VLLM = ("{bin}/vllm", "serve", "{model}", "--gpu-memory-utilization", "0.90", "--port", str(PORT))
_NOTEBOOK = ("{bin}/notebook.py",)

# Nobody asks these servers anything: that they idle may be said, and is no trouble.
_CALM = ("none", "not-memory")

STORIES = (
    Story("filled-by-its-server", "a vLLM holds most of the card, as it was told to, and serves", _CALM, ("healthy",), (Actor(_VLLM, hold=0.85, health=200),)),
    Story("second-process", "a notebook holds most of the card, and the vLLM beside it cannot start",
          ("vram-other-process",), ("critical", "warning"), (Actor(_NOTEBOOK, hold=0.6), Actor(_VLLM, health=500))),
    Story("leak", "a server takes more in every step, and the card is full in three minutes", ("vram-leak",),
          ("warning",), (Actor(_VLLM, hold=0.2, grow_in=180, health=200),), "6s"),
    Story("pieces", "torch has given back every other piece: nothing fails, so nothing is wrong yet", _CALM,
          ("healthy",), (Actor(_VLLM, hold=0.6, health=200, fragment=True),)),
)


@dataclass
class Played:
    story: Story
    wrong: str = ""
    headline: str = ""
    report: str = field(default="", repr=False)


class Stage:
    """Where the workers run: on the card, or on paper."""

    def __init__(self, folder: Path, free: int, paper: Path | None, ullage: list[str], environment: dict[str, str]) -> None:
        self.folder, self.free, self.paper, self.ullage, self.environment = folder, free, paper, ullage, environment
        self.python = os.environ.get("LAB_GPU_PYTHON", sys.executable)
        (folder / "bin").mkdir(exist_ok=True)
        (folder / "model").mkdir(exist_ok=True)
        (folder / "model/config.json").write_text('{"architectures": ["LlamaForCausalLM"], "model_type": "llama"}')
        for name in ("vllm", "notebook.py"):
            shutil.copy(HERE / "worker.py", folder / "bin" / name)

    def play(self, story: Story, captures: Path) -> Played:
        played, workers = Played(story), []
        try:
            for actor in story.actors:
                workers.append(self._start(actor))
            command = [*self.ullage, "capture", str(captures / story.name), "--force", "--json", "--since", "1s", "--for", story.window]
            done = subprocess.run(command, capture_output=True, text=True, timeout=90, env=self.environment)
            played.report = done.stdout
            verdict = json.loads(done.stdout)["verdict"]
            causes = {verdict["cause"], *verdict.get("also", [])} - {"", "none"} or {"none"}
            played.headline = verdict["headline"]
            if len(causes) != 1 or not causes <= set(story.causes):
                played.wrong = f"cause {' + '.join(sorted(causes))}, wanted {' or '.join(story.causes)}"
            elif verdict["status"] not in story.statuses:
                played.wrong = f"status {verdict['status']}, wanted {' or '.join(story.statuses)}"
        except (OSError, ValueError, KeyError, RuntimeError, subprocess.TimeoutExpired) as trouble:
            played.wrong = f"{type(trouble).__name__}: {trouble}"
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()
            if not self.paper:
                time.sleep(2)              # the driver takes a moment to tear a context down
        return played

    def _start(self, actor: Actor) -> subprocess.Popen:
        plan = {"hold": int(actor.hold * self.free), "health": actor.health, "fragment": actor.fragment,
                "port": PORT if actor.health else 0, "paper": str(self.paper or ""),
                "grow": int(self.free * (1 - actor.hold) / actor.grow_in) if actor.grow_in else 0}
        words = [word.format(bin=self.folder / "bin", model=self.folder / "model") for word in actor.arguments]
        worker = subprocess.Popen([self.python, *words], stdout=subprocess.PIPE, text=True,
                                  env=dict(os.environ, LAB_GPU_PLAN=json.dumps(plan)))
        said = worker.stdout.readline().strip()
        if said != "ready":
            worker.kill()
            worker.wait()
            raise RuntimeError(f"{' '.join(words)} did not get its memory: {said}")
        return worker
