# SPDX-License-Identifier: Apache-2.0
"""Model files, made once a run and evicted before each use."""
import shutil
from collections.abc import Callable
from pathlib import Path

from stage import gguf, page_cache, safetensors
from stage.outcome import Skipped
from stage.place import MODELS, MiB

_KEEP_FREE = 4 << 30          # of the disk that the lab shares with everybody else


def gguf_file(mib: int, copy: int = 0) -> Path:
    """A GGUF model; `copy` numbers files of the same content apart."""
    path = MODELS / f"{mib}m-{copy}" / f"random-llama-{mib}m.Q8_0.gguf"
    return _made(path, mib, _copy_of(gguf_file(mib)) if copy else gguf.write)


def safetensors_file(mib: int, copy: int = 0) -> Path:
    return _made(MODELS / f"random-llama-{mib}m-{copy}" / "model.safetensors", mib, safetensors.write)


def sparse_file(mib: int) -> Path:
    """A file of holes: it fills the page cache as fast as memory is cleared, and takes no disk."""
    path = MODELS / f"dataset-{mib}m.bin"
    if not path.exists():
        with open(path, "wb") as file:
            file.truncate(mib * MiB)
    return path


def repetitive_file(mib: int) -> Path:
    """Weights that compress to nearly nothing and are not zero, as those of an embedding table that was padded."""
    def write(path: Path, size: int) -> None:
        block = bytes(range(1, 129)) * (MiB // 128)
        with open(path, "wb", buffering=0) as file:
            for _ in range(size // MiB):
                file.write(block)
    return _made(MODELS / f"padded-{mib}m" / "model.bin", mib, write)


def remove_all() -> None:
    shutil.rmtree(MODELS, ignore_errors=True)


def _copy_of(original: Path):
    def write(path: Path, _size: int) -> None:
        shutil.copyfile(original, path)
        page_cache.evict(original)
    return write


def _made(path: Path, mib: int, write: Callable[[Path, int], object]) -> Path:
    if not path.exists():      # a file left by an interrupted write is no matter: each run begins with none
        path.parent.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(path.parent).free < mib * MiB + _KEEP_FREE:
            raise Skipped(f"less than {mib // 1024 + 4} GiB are free for a model of {mib} MiB in {MODELS}")
        write(path, mib * MiB)
    page_cache.evict(path)
    return path
