# SPDX-License-Identifier: Apache-2.0
"""A neighbour that reads or writes a file past the page cache with many requests at once, as backups and databases do.

Settings: path · readers (threads) · block (bytes a request) · write (whether it writes instead) · random.
"""
import mmap
import os
import random
import threading
import time

import role


def main() -> None:
    play = role.settings()
    role.disguise(play.get("shown"))
    size = os.path.getsize(play["path"])
    threads = [threading.Thread(target=_copy, args=(play, size, index), daemon=True)
               for index in range(play.get("readers", 1))]
    for thread in threads:
        thread.start()
    role.say("running")
    while True:
        time.sleep(3600)


def _copy(play: dict, size: int, index: int) -> None:
    block = play["block"]
    buffer = mmap.mmap(-1, block)          # direct IO wants page-aligned memory
    mode = os.O_RDWR if play.get("write") else os.O_RDONLY
    file = os.open(play["path"], mode | os.O_DIRECT)
    share = size // play.get("readers", 1) // block * block
    at = start = share * index
    while True:
        if play.get("write"):
            os.pwritev(file, [buffer], at)
        else:
            os.preadv(file, [buffer], at)
        at = start + random.randrange(share // block) * block if play.get("random") else at + block
        if at + block > start + share:
            at = start


if __name__ == "__main__":
    main()
