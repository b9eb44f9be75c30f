# SPDX-License-Identifier: Apache-2.0
"""A real NFS mount: the kernel's own server in a network name space of its own, behind a pair of virtual cards.

The server can be made slow (its end of the cable delays and paces) and can go away (the cable is pulled), and the client
notices neither but by waiting, as with any server in another room.
"""
import subprocess
import time
from pathlib import Path

from stage.disks import load_module, require, run
from stage.outcome import NotEstablished
from stage.place import LOGS, MOUNTS, NAME
from stage.undo import Undo

_SPACE = f"{NAME}-nfs"
_CLIENT_CARD, _SERVER_CARD = "lab-nfs-c", "lab-nfs-s"
_CLIENT, _SERVER = "10.117.9.2", "10.117.9.1"


class NfsMount:
    def __init__(self, mount: Path, source: str) -> None:
        self.mount, self.source = mount, source

    def pull_the_cable(self) -> None:
        _inside("ip", "link", "set", _SERVER_CARD, "down")

    def plug_it_in(self) -> None:
        _inside("ip", "link", "set", _SERVER_CARD, "up")

    def pace(self, delay_ms: float, megabits: float) -> None:
        """What comes from the server is late by so much and arrives at most at this rate."""
        _inside("tc", "qdisc", "replace", "dev", _SERVER_CARD, "root", "netem", "delay", f"{delay_ms}ms", "rate", f"{megabits}mbit",
                "limit", "10000")


def new(folder: Path, undo: Undo, delay_ms: float = 0, megabits: float = 0, options: str = "") -> NfsMount:
    require("ip", "ss", "rpc.nfsd", "rpc.mountd", "exportfs", "mount.nfs4")
    for module in ("veth", "sch_netem", "nfsd", "nfsv4"):
        load_module(module)
    _cable(undo)
    _serve(folder, undo)
    mount = MOUNTS / "nfs"
    mount.mkdir(parents=True, exist_ok=True)
    undo.later(f"folder {mount}", mount.rmdir)
    made = NfsMount(mount, f"{_SERVER}:/")
    undo.later(f"mount {mount}", lambda: _unmount(made))
    run("timeout", "60", "mount", "-t", "nfs4", "-o", f"vers=4.2{options}", made.source, str(mount))
    if megabits:
        made.pace(delay_ms, megabits)
    return made


def _cable(undo: Undo) -> None:
    undo.later(f"network name space {_SPACE}", lambda: _gone("ip", "netns", "del", _SPACE))
    run("ip", "netns", "add", _SPACE)
    undo.later(f"card {_CLIENT_CARD}", lambda: _gone("ip", "link", "del", _CLIENT_CARD))
    run("ip", "link", "add", _CLIENT_CARD, "type", "veth", "peer", "name", _SERVER_CARD, "netns", _SPACE)
    run("ip", "address", "add", f"{_CLIENT}/30", "dev", _CLIENT_CARD)
    run("ip", "link", "set", _CLIENT_CARD, "up")
    _inside("ip", "address", "add", f"{_SERVER}/30", "dev", _SERVER_CARD)
    _inside("ip", "link", "set", _SERVER_CARD, "up")
    _inside("ip", "link", "set", "lo", "up")


def _serve(folder: Path, undo: Undo) -> None:
    """NFS 4 needs neither the port mapper nor locks of its own; mountd only answers what the kernel asks about exports.

    All in one process: the kernel stops its server when the last mount of its control files goes, and `ip netns exec` gives
    each command mounts of its own.
    """
    script = (f"mount -t nfsd nfsd /proc/fs/nfsd && exportfs -o rw,no_root_squash,insecure,no_subtree_check,fsid=0 '{_CLIENT}:{folder}'"
              " && rpc.nfsd --no-udp --no-nfs-version 3 --grace-time 10 --lease-time 10 4"
              " && { echo Y > /proc/fs/nfsd/v4_end_grace || :; } && exec rpc.mountd --foreground --no-nfs-version 3")
    LOGS.mkdir(parents=True, exist_ok=True)
    with open(LOGS / "nfs-server.log", "wb") as log:
        mountd = subprocess.Popen(["ip", "netns", "exec", _SPACE, "sh", "-c", script], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    undo.later("NFS server", lambda: (mountd.kill(), mountd.wait(timeout=10), _gone("exportfs", "-ua")))
    deadline = time.monotonic() + 30
    while ":2049 " not in _inside("ss", "-ltn"):
        if mountd.poll() is not None or time.monotonic() > deadline:
            raise NotEstablished(f"no NFS server after 30 s: {(LOGS / 'nfs-server.log').read_text()[-300:]}")
        time.sleep(0.1)


def _unmount(made: NfsMount) -> None:
    made.plug_it_in()
    if any(line.split()[1] == str(made.mount) for line in Path("/proc/self/mounts").read_text().splitlines()):
        run("timeout", "30", "umount", "-f", str(made.mount))


def _inside(*command: str) -> str:
    return run("ip", "netns", "exec", _SPACE, *command)


def _gone(*command: str) -> None:
    """Taking back what may never have been made."""
    subprocess.run(command, capture_output=True)
