# SPDX-License-Identifier: Apache-2.0
"""A neighbour that works in huge pages, as databases and DPDK do. Settings: size (bytes, whole huge pages)."""
import mmap
import time

import role

_MAP_HUGETLB = 0x40000


def main() -> None:
    size = role.settings()["size"]
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_HUGETLB)
    for at in range(0, size, 2 << 20):
        memory[at] = 1
    role.say("took them")
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    main()
