# SPDX-License-Identifier: Apache-2.0
"""The slow end of a pipe, as a network copy is: reads standard input at a pace. Settings: pace (bytes a second)."""
import os
import time

import role


def main() -> None:
    pace = role.settings()["pace"]
    began, taken = time.monotonic(), 0
    while block := os.read(0, 1 << 20):
        taken += len(block)
        time.sleep(max(0.0, began + taken / pace - time.monotonic()))


if __name__ == "__main__":
    main()
