# SPDX-License-Identifier: Apache-2.0
"""What a scenario declares: its story, how it is set up, and the verdict that `ullage diagnose` must come to.

A scenario is a function in `faults/`, `lookalikes/` or `bad_luck/`. Its docstring tells the story in one sentence; it sets the stage
and returns when the kernel's counters show that the fault is there.
"""
import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from stage import Stage

HEALTHY = "healthy"           # how the confusion matrix calls a host that nothing is wrong with


@dataclass(frozen=True)
class Expected:
    """The verdict a scenario must get: one of the statuses, and exactly one of the sets of causes.

    `verdict.cause` and `verdict.also` together must be that set: a cause that is not there is as wrong as one that is
    missing.
    """
    statuses: frozenset[str]
    causes: tuple[frozenset[str], ...]
    headline: str = ""
    not_seen: str = ""            # a reason that must be among those under "could not see"
    servers: tuple[str, ...] = ()    # each must be named; ` … ` stands between parts that must all be there
    explains: str = ""            # a part of what the verdict explains
    within: float = 60.0          # seconds of wall time after which even the right answer is too late

    def label(self) -> list[str]:
        """Its rows in the confusion matrix."""
        return [HEALTHY] if "healthy" in self.statuses and frozenset({"none"}) in self.causes else sorted(self.causes[0])


@dataclass(frozen=True)
class Scenario:
    name: str
    story: str
    set_up: Callable[[Stage], None]
    expected: Expected
    smoke: bool = False
    arguments: tuple[str, ...] = field(default=())
    through: tuple[str, ...] = field(default=())      # a command that runs `ullage`: setpriv, nice, unshare


_found: dict[str, Scenario] = {}


def fault(*causes: str, status: str | Iterable[str], smoke: bool = False, arguments: Iterable[str] = (), headline: str = "",
          within: float = 60.0, servers: Iterable[str] = (), explains: str = ""):
    """Declares a fault: diagnose must name all these causes and no other, with one of these statuses."""
    statuses = {status} if isinstance(status, str) else status
    return _declared(Expected(frozenset(statuses), (frozenset(causes),), headline, within=within, servers=tuple(servers),
                              explains=explains), smoke, arguments)


def lookalike(*, smoke: bool = False, causes: Iterable[str] = ("none", "not-memory"), headline: str = "",
              arguments: Iterable[str] = (), servers: Iterable[str] = ()):
    """Declares a host that only looks sick: diagnose must call it healthy."""
    one_of = tuple(frozenset({cause}) for cause in causes)
    return _declared(Expected(frozenset({"healthy"}), one_of, headline, servers=tuple(servers)), smoke, arguments)


def bad_luck(*, status: Iterable[str], causes: Iterable[str] = ("none", "not-memory"), not_seen: str = "",
             within: float = 60.0, smoke: bool = False, arguments: Iterable[str] = (), through: Iterable[str] = ()):
    """Declares a host that hides something or makes it wait: the report must come all the same, and say so."""
    one_of = tuple(frozenset({cause}) for cause in causes)
    return _declared(Expected(frozenset(status), one_of, not_seen=not_seen, within=within), smoke, arguments, through)


def _declared(expected: Expected, smoke: bool, arguments: Iterable[str], through: Iterable[str] = ()):
    def register(set_up: Callable[[Stage], None]) -> Callable[[Stage], None]:
        name = set_up.__name__.replace("_", "-")
        if name in _found:
            raise ValueError(f"two scenarios are called {name}")
        story = " ".join(set_up.__doc__.split())
        _found[name] = Scenario(name, story, set_up, expected, smoke, tuple(arguments), tuple(through))
        return set_up
    return register


def catalogue(folders: Iterable[str] = ("faults", "lookalikes", "bad_luck")) -> list[Scenario]:
    """All scenarios, faults first, in the order of their files."""
    for folder in folders:
        package = importlib.import_module(folder)
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
            importlib.import_module(f"{folder}.{module.name}")
    return list(_found.values())
