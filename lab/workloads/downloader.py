# SPDX-License-Identifier: Apache-2.0
"""A server that fetches its model into a cache folder before it serves, and tries again when the disk is full.

Settings: path (a model it already has, mapped) · target (the file it writes) · pace (bytes a second) · source (the
file whose bytes it gets; random ones without) · stop (bytes after which it is done; 0 = never).
"""
import errno
import mmap
import os
import time

import role

_BLOCK = 1 << 20


def main() -> None:
    play = role.settings()
    role.disguise(play.get("shown"))
    model = None
    if play.get("path"):
        with open(play["path"], "rb") as file:
            model = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    source = open(play["source"], "rb") if play.get("source") else None
    block = os.urandom(_BLOCK)
    written = 0
    with open(play["target"], "ab", buffering=0) as file:
        while not play.get("stop") or written < play["stop"]:
            try:
                written += file.write(source.read(_BLOCK) if source else block)
                os.fdatasync(file.fileno())
            except OSError as trouble:
                if trouble.errno != errno.ENOSPC:
                    raise
                role.say(f"OSError: [Errno 28] No space left on device: '{play['target']}', {written} bytes so far")
                time.sleep(0.5)
            time.sleep(_BLOCK / play.get("pace", 256 << 20))
    role.say("done")
    while True:
        if model:
            model[::mmap.PAGESIZE]
        time.sleep(0.2)


if __name__ == "__main__":
    main()
