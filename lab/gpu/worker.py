# SPDX-License-Identifier: Apache-2.0
"""A process with memory on a GPU, as the plan in LAB_GPU_PLAN says: a server, a notebook, a leak.

Its name and command line are what it is started as (`vllm serve …`). With a port it answers /health and /metrics as vLLM
does. It prints "ready" when it holds what it is to hold.
"""
import fcntl
import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

MIB = 1 << 20


class OnTheCard:
    """Real memory, by torch."""

    def __init__(self) -> None:
        import torch
        self._torch = torch
        self._pieces: list = []
        torch.empty(1, device="cuda")          # the context

    def take(self, size: int) -> None:
        self._pieces.append(self._torch.empty(size, dtype=self._torch.uint8, device="cuda"))

    def drop_every_other(self) -> None:
        """What torch keeps then is reserved and not allocated, in pieces."""
        self._pieces = self._pieces[::2]


class OnPaper:
    """A rehearsal: memory is a line in the script of the fake library."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._size = folder, 300 * MIB
        self._write()

    def take(self, size: int) -> None:
        self._size += size
        self._write()

    def drop_every_other(self) -> None:
        """The driver sees nothing of it."""

    def _write(self) -> None:
        (self._folder / "holders").mkdir(exist_ok=True)
        (self._folder / "holders" / str(os.getpid())).write_text(str(self._size))
        write_script(self._folder)


def write_script(folder: Path) -> None:
    """The script of the fake library, made of its card and of who lives and holds memory."""
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        card = json.loads((folder / "card.json").read_text())
        held = holders(folder)
        used = sum(held.values())
        lines = [*card["lines"],
                 f"memory {card['total']} {card['reserved']} {card['total'] - card['reserved'] - used} {used}",
                 *(f"process {pid} compute {size}" for pid, size in held.items())]
        new = folder / "script.new"
        new.write_text("\n".join(lines) + "\n")
        new.rename(folder / "libnvidia-ml.so.1.script")


def holders(folder: Path) -> dict[int, int]:
    found = {int(file.name): int(file.read_text() or 0) for file in (folder / "holders").glob("*")}
    return {pid: size for pid, size in sorted(found.items()) if Path(f"/proc/{pid}").exists()}


def serve(port: int, health: int) -> None:
    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            metrics = self.path == "/metrics"
            body = ('vllm:num_requests_running{model_name="lab"} 2.0\nvllm:num_requests_waiting{model_name="lab"} 0.0\n'
                    'vllm:kv_cache_usage_perc{model_name="lab"} 0.31\n' if metrics else "").encode()
            self.send_response(200 if metrics else health if self.path == "/health" else 404)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    threading.Thread(target=ThreadingHTTPServer(("127.0.0.1", port), Answers).serve_forever, daemon=True).start()


def main() -> None:
    plan = json.loads(os.environ["LAB_GPU_PLAN"])
    memory = OnPaper(Path(plan["paper"])) if plan.get("paper") else OnTheCard()
    piece = plan.get("piece", 256 * MIB)
    for _ in range(plan.get("hold", 0) // piece):
        memory.take(piece)
    if plan.get("fragment"):
        memory.drop_every_other()
    if plan.get("port"):
        serve(plan["port"], plan.get("health", 200))
    print("ready", flush=True)
    while True:
        time.sleep(0.25)
        if plan.get("grow"):
            memory.take(plan["grow"] // 4)


if __name__ == "__main__":
    try:
        main()
    except Exception as trouble:
        print(f"{type(trouble).__name__}: {trouble}", flush=True)
        sys.exit(1)
