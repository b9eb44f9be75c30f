# SPDX-License-Identifier: Apache-2.0
"""A neighbour that only computes, as a compiler or an encoder does. Settings: workers (processes)."""
import os

import role


def main() -> None:
    play = role.settings()
    role.disguise(play.get("shown"))
    for _ in range(1, play.get("workers", 1)):
        if os.fork() == 0:
            break
    role.say("running")
    number = 1
    while True:
        number = number * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1


if __name__ == "__main__":
    main()
