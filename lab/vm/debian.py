# SPDX-License-Identifier: Apache-2.0
"""Folders with Debian packages and all that they depend on, unpacked and not installed: the host stays as it is.

apt-get works out the list as for a machine that has nothing yet, so the host's own packages do not matter. What lies in such
a folder is run through the folder's own loader and libraries, so that neither do its libraries.
"""
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

GUEST = ("linux-image-cloud-amd64", "python3-minimal", "libpython3-stdlib", "bash", "coreutils", "findutils", "grep", "sed",
         "libc-bin", "hostname", "util-linux", "mount", "kmod", "procps", "iproute2", "e2fsprogs", "nfs-common", "nfs-kernel-server")
MACHINE = ("qemu-system-x86", "seabios")

# They come along as dependencies of what only runs at installation, and are large.
_NOT_UNPACKED = ("perl", "libperl", "dpkg_", "debconf_", "adduser_", "usrmerge_", "gcc-12-base_", "dracut", "libgl1-", "libllvm",
                 "mesa-", "libicu")
_NOT_WANTED = ("./usr/share/doc", "./usr/share/man", "./usr/share/locale", "./usr/share/info", "./usr/share/icons")
_MERGED = ("bin", "sbin", "lib", "lib64")


class Missing(Exception):
    """What the host lacks for a virtual machine, and what to do about it."""


def tree(name: str, packages: tuple[str, ...], cache: Path) -> Path:
    """The folder, made when it is not there yet; its name says what is in it."""
    key = hashlib.sha256("\n".join((*packages, *_NOT_UNPACKED, *_NOT_WANTED)).encode()).hexdigest()[:12]
    done = cache / f"{name}-{key}"
    if done.exists():
        return done
    for program in ("apt-get", "dpkg-deb", "tar"):
        if not shutil.which(program):
            raise Missing(f"{program} is not on this host, and the machine's Debian packages are fetched with it "
                          f"({', '.join(packages)})")
    archives, growing = cache / "archives", cache / f"{name}-{key}.growing"
    (archives / "partial").mkdir(parents=True, exist_ok=True)
    shutil.rmtree(growing, ignore_errors=True)
    growing.mkdir()
    for folder in _MERGED:                      # before anything is unpacked, as on every Debian since 12
        (growing / "usr" / folder).mkdir(parents=True)
        (growing / folder).symlink_to(f"usr/{folder}")
    for file in _fetched(packages, archives):
        if not file.name.startswith(_NOT_UNPACKED):
            _unpack(file, growing)
    for old in cache.glob(f"{name}-*"):
        if old != growing:
            shutil.rmtree(old)
    growing.rename(done)
    for file in archives.glob("*.deb"):
        file.unlink()
    return done


def program(root: Path, path: str, name: str = "") -> list[str]:
    """The start of a command that runs a program of such a folder on this host."""
    loader = root / "usr/lib64/ld-linux-x86-64.so.2"
    libraries = root / "usr/lib/x86_64-linux-gnu"
    return [str(loader), "--library-path", f"{libraries}:{libraries}/pulseaudio", "--argv0", name or Path(path).name,
            str(root / path)]


def _fetched(packages: tuple[str, ...], archives: Path) -> list[Path]:
    nothing = archives / "no-package-is-installed"
    nothing.write_text("")
    command = ["apt-get", "-qq", "-y", "--no-install-recommends", "-o", f"Dir::State::status={nothing}", "-o",
               f"Dir::Cache::archives={archives}", "-o", "Debug::NoLocking=1", "-o", "APT::Sandbox::User=root"]
    listed = _ask([*command, "--print-uris", "install", *packages], packages)
    _ask([*command, "--download-only", "install", *packages], packages)
    # 'http://…/bash_5.2_amd64.deb' bash_5.2_amd64.deb 1491252 MD5Sum:…
    return [archives / line.split()[1] for line in listed.splitlines() if line.startswith("'")]


def _ask(command: list[str], packages: tuple[str, ...]) -> str:
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive", LC_ALL="C")
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0 and os.geteuid() == 0:           # no package lists yet, or old ones
        subprocess.run(["apt-get", "-qq", "update"], capture_output=True, env=environment)
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        trouble = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise Missing(f"apt-get cannot fetch {', '.join(packages)}: {trouble} (as root, try: apt-get update)")
    return done.stdout


def _unpack(file: Path, into: Path) -> None:
    content = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(file)], stdout=subprocess.PIPE)
    unpacked = subprocess.run(["tar", "-x", "--keep-directory-symlink", "-C", str(into),
                               *(f"--exclude={path}" for path in _NOT_WANTED)], stdin=content.stdout, capture_output=True, text=True)
    content.stdout.close()
    if content.wait() != 0 or unpacked.returncode != 0:
        raise Missing(f"{file} cannot be unpacked: {unpacked.stderr.strip()[-300:]}")
