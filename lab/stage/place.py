# SPDX-License-Identifier: Apache-2.0
"""Where the lab keeps its things, and the one name by which its leftovers are known.

Everything lies under one folder, every control group under one parent and every process carries one variable in its
environment, so that `--clean` can find what a killed run left without keeping a diary.
"""
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
FOLDER = Path(os.environ.get("ULLAGE_LAB_FOLDER", "/var/tmp/ullage-lab"))
NAME = FOLDER.name            # two labs in two folders do not touch each other's groups
MODELS = FOLDER / "models"
MOUNTS = FOLDER / "mnt"
IMAGES = FOLDER / "images"
LOGS = FOLDER / "logs"
PROGRAMS = FOLDER / "bin"
SETTINGS = FOLDER / "settings"      # old values of kernel settings that a scenario has changed
MARK = "ULLAGE_LAB_PROCESS_OF"
PYTHON = os.path.realpath(sys.executable)

MiB = 1 << 20
GiB = 1 << 30


def make_folders() -> None:
    for folder in (MODELS, MOUNTS, IMAGES, LOGS, PROGRAMS):
        folder.mkdir(parents=True, exist_ok=True)
