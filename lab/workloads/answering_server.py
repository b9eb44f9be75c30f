# SPDX-License-Identifier: Apache-2.0
"""A server that is known by what it answers: a folder whose files are its endpoints, `v1/models` and the like.

Settings: answers (the folder) · port · changes (of /metrics: `{"vllm:num_requests_waiting": 34}` sets a number,
`{"vllm:num_preemptions_total": "+2"}` lets it grow by so much a second) · status (of all answers but these; 503 is how
engines say that they are loading) · holds (MiB of its own memory) · open (paths of model files it keeps open).
"""
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import role

_LINE = re.compile(r"^([a-zA-Z_:][\w:]*)(\{[^}]*\})? (\S+)$")
_began = time.monotonic()


def main() -> None:
    play = role.settings()
    role.disguise(play.get("shown"))
    held = bytearray(b"\1") * (play.get("holds", 0) << 20)
    files = [open(path, "rb") for path in play.get("open", [])]
    folder = Path(play["answers"])

    class Endpoints(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            file = (folder / self.path.split("?")[0].strip("/")).resolve()
            found = file.is_relative_to(folder) and file.is_file()
            status = play.get("status", 200) if found else 404
            body = (_changed(file.read_text(), play.get("changes", {})) if found and status == 200 else "").encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json" if body[:1] in (b"{", b"[") else "text/plain; version=0.0.4")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", play["port"]), Endpoints)
    role.say(f"listening on {play['port']}, holds {len(held) >> 20} MiB and {len(files)} files")
    server.serve_forever()


def _changed(text: str, changes: dict) -> str:
    return "".join(_line(line, changes) + "\n" for line in text.splitlines()) if changes else text


def _line(line: str, changes: dict) -> str:
    found = _LINE.match(line)
    change = changes.get(found[1]) if found else None
    if change is None:
        return line
    value = change
    if isinstance(change, str):
        value = float(found[3]) + float(change) * (time.monotonic() - _began)
    return f"{found[1]}{found[2] or ''} {value}"


if __name__ == "__main__":
    main()
