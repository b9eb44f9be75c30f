# SPDX-License-Identifier: Apache-2.0
"""Settings of the running kernel that hold for the whole host.

They carry no name by which a leftover could be known, so the old value lies in a file from before the change until it
is back: a killed run is cleaned up by the next one.
"""
from pathlib import Path

from stage.place import SETTINGS
from stage.undo import Undo


def change(setting: Path, value: str, undo: Undo) -> None:
    """Writes a file below /proc/sys; the kernel may take less than was asked for (nr_hugepages), so read it again."""
    SETTINGS.mkdir(parents=True, exist_ok=True)
    note = SETTINGS / str(setting).strip("/").replace("/", "+")
    if not note.exists():
        note.write_text(setting.read_text().strip())
        undo.later(f"setting {setting}", lambda: put_back(note))
    setting.write_text(value)


def put_back(note: Path) -> None:
    setting = Path("/" + note.name.replace("+", "/"))
    old = note.read_text()
    setting.write_text(old)
    if setting.read_text().strip() != old:
        raise RuntimeError(f"{setting} is {setting.read_text().strip()}, and was {old}")
    note.unlink()


def notes() -> list[Path]:
    """What a killed run has not put back; vm.overcommit_memory before the ratio that makes it bearable."""
    return sorted(SETTINGS.iterdir()) if SETTINGS.exists() else []
