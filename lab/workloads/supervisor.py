# SPDX-License-Identifier: Apache-2.0
"""Starts a server again whenever it dies, as systemd's Restart=always and the kubelet do.

Settings: command · child (the role of the server) · wait (seconds before each new start) · starts (0 = for ever).
"""
import json
import os
import subprocess
import time

import role


def main() -> None:
    play = role.settings()
    environment = dict(os.environ, ULLAGE_LAB_ROLE=json.dumps(play["child"]))
    starts = 0
    while not play.get("starts") or starts < play["starts"]:
        server = subprocess.Popen(play["command"], env=environment)
        starts += 1
        role.say(f"start {starts}: pid {server.pid}")
        code = server.wait()
        role.say(f"pid {server.pid} ended with {code}")
        time.sleep(play.get("wait", 1))
    role.say("gave up")
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    main()
