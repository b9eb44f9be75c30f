# SPDX-License-Identifier: Apache-2.0
"""The disks of the machine: a Debian with a JDK, the product with the lab, room for models, swap.

The guest sees the product and the JDK under the same paths as the host does: Java's AOT cache is tied to them.
"""
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from debian import Missing, program

REPOSITORY = Path(__file__).resolve().parent.parent.parent
_MiB = 1 << 20
_NOT_OF_THE_JDK = ("src.zip", "ct.sym", "jmods", "man", "legal", "include", "demo")
_NOT_OF_THE_LAB = (".cache", "__pycache__", "node_modules", "target")


def root(guest: Path, java_home: Path, cache: Path) -> Path:
    """Debian and the JDK; made again when either is another one or when this file or the guest's first program changed."""
    first = Path(__file__).with_name("guest") / "first"
    parts = (guest.name, str(java_home), (java_home / "release").read_text(), first.read_text(), Path(__file__).read_text())
    path = cache / f"root-{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:12]}.ext4"
    if path.exists():
        return path
    for old in cache.glob("root-*.ext4"):
        old.unlink()
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        whole = Path(folder) / "root"
        shutil.copytree(guest, whole, symlinks=True, copy_function=os.link)
        _depmod(guest, whole)
        _finish(whole, first)
        _compile(guest, next((whole / "usr/lib").glob("python3.*")))
        shutil.copytree(java_home, whole / java_home.relative_to("/"), symlinks=True,
                        ignore=shutil.ignore_patterns(*_NOT_OF_THE_JDK))
        growing = Path(folder) / "root.ext4"
        _ext4(guest, growing, whole, spare=300)
        growing.rename(path)
    return path


def product(guest: Path, into: Path) -> Path:
    """The built product and the lab as they are now."""
    folder = into / "product"
    built = REPOSITORY / "app/target/ullage"
    shutil.copytree(built, folder / built.relative_to(REPOSITORY), ignore=shutil.ignore_patterns("*.log", "lock"))
    shutil.copytree(REPOSITORY / "lab", folder / "lab", symlinks=True, ignore=shutil.ignore_patterns(*_NOT_OF_THE_LAB))
    shutil.copy2(REPOSITORY / "ullage", folder / "ullage")
    _compile(guest, folder / "lab")
    _ext4(guest, into / "product.ext4", folder, spare=8)
    return into / "product.ext4"


def empty(guest: Path, into: Path, name: str, size: int) -> Path:
    """A file system with nothing on it; a sparse file, so that only what the guest writes takes room."""
    path = into / f"{name}.ext4"
    _ext4(guest, path, None, spare=size // _MiB)
    return path


def raw(into: Path, name: str, size: int) -> Path:
    path = into / f"{name}.raw"
    with open(path, "wb") as file:
        file.truncate(size)
    return path


def _finish(whole: Path, first: Path) -> None:
    """What the packages' own scripts would have done, as far as it is needed."""
    shutil.copy2(first, whole / "usr/sbin/lab-first")
    (whole / "usr/sbin/lab-first").chmod(0o755)
    _write(whole / "etc/passwd", "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
           "_rpc:x:100:65534::/run/rpcbind:/usr/sbin/nologin\nstatd:x:101:65534::/var/lib/nfs:/usr/sbin/nologin\n")
    _write(whole / "etc/group", "root:x:0:\nnogroup:x:65534:\n")
    _write(whole / "etc/hostname", "ullage-lab\n")
    _write(whole / "etc/mtab", None)
    (whole / "etc/mtab").symlink_to("../proc/self/mounts")
    for empty_file in ("var/lib/nfs/etab", "var/lib/nfs/rmtab", "etc/exports"):
        _write(whole / empty_file, "")
    (whole / "var/lib/nfs/v4recovery").mkdir(exist_ok=True)
    awk, sh = whole / "usr/bin/awk", whole / "usr/bin/sh"
    if not awk.exists():
        awk.symlink_to("mawk")
    if not sh.exists():
        sh.symlink_to("bash")


def _write(path: Path, text: str | None) -> None:
    """Never through a hard link: the file belongs to the folder of packages as well."""
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    if text is not None:
        path.write_text(text)


def _depmod(guest: Path, whole: Path) -> None:
    for modules in (whole / "usr/lib/modules").iterdir():
        _run(guest, [*program(guest, "usr/bin/kmod", "depmod"), "-b", str(whole), modules.name])


def _compile(guest: Path, folder: Path) -> None:
    """Python's own byte code: an emulated processor needs 12 s to compile what the first program imports."""
    python = next((guest / "usr/bin").glob("python3.[0-9]*"))
    home = dict(os.environ, PYTHONHOME=str(guest / "usr"))
    subprocess.run([*program(guest, str(python.relative_to(guest))), "-m", "compileall", "-q", "-x", "/(test|idlelib|lib2to3)/",
                    "--invalidation-mode", "unchecked-hash", str(folder)], env=home, capture_output=True)


def _ext4(guest: Path, path: Path, content: Path | None, spare: int) -> None:
    """No lazy work is left for the guest's kernel to do while a scenario runs; hardly any inodes, so it is quick."""
    files = [entry.lstat() for entry in content.rglob("*")] if content else []
    blocks = sum(-(-entry.st_size // 4096) + 1 for entry in files)
    with open(path, "wb") as file:
        file.truncate(blocks * 4096 + spare * _MiB + 16 * _MiB)
    _run(guest, [*program(guest, "usr/sbin/mke2fs"), "-q", "-F", "-t", "ext4", "-b", "4096", "-m", "0", "-N", str(len(files) + 2000),
          "-E", "lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0", *(["-d", str(content)] if content else []), str(path)])


def _run(guest: Path, command: list[str]) -> None:
    settings = dict(os.environ, MKE2FS_CONFIG=str(guest / "etc/mke2fs.conf"))    # not the host's
    done = subprocess.run(command, capture_output=True, text=True, env=settings)
    if done.returncode != 0:
        raise Missing(f"{' '.join(command)}: {done.stderr.strip()[-300:]}")
