"""What processes take while something runs: CPU seconds and peak memory by role, read from /proc every second."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_PAUSE_SECONDS = 1.0

Roles = Callable[[int, bytes], str]
"""What a process is called, told by its number and command line; the empty name for one that is nobody's here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """One look at a process; `children_seconds` is the CPU time of those that it started and that have ended."""

    parent: int
    seconds: float
    children_seconds: float
    bytes: int


@dataclass(kw_only=True)
class Watch:
    """What was seen of each role's processes."""

    roles: Roles
    peak_bytes: dict[str, int] = field(default_factory=dict)
    """The most that one process of a role held."""
    together_bytes: int = 0
    """The most that all of them held at once; pages that they share are counted more than once."""
    most: dict[str, int] = field(default_factory=dict)
    """The most processes of a role at once."""
    _looks: int = 0
    _first: dict[int, Process] = field(default_factory=dict)
    _last: dict[int, tuple[str, Process]] = field(default_factory=dict)
    _known: dict[int, str] = field(default_factory=dict)
    _met: set[int] = field(default_factory=set)

    def look(self) -> None:
        """Look once at every process there is."""
        held: dict[str, int] = {}
        counts: dict[str, int] = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            pid = int(entry.name)
            seen = read_process(pid)
            role = self._role(pid) if seen else ""
            if not seen or not role:
                continue
            if not self._looks:
                self._first[pid] = seen
            self._last[pid] = (role, seen)
            held[role] = held.get(role, 0) + seen.bytes
            counts[role] = counts.get(role, 0) + 1
            self.peak_bytes[role] = max(self.peak_bytes.get(role, 0), seen.bytes)
        self.together_bytes = max(self.together_bytes, sum(held.values()))
        self._looks += 1
        self.most = {role: max(self.most.get(role, 0), counts.get(role, 0)) for role in {*self.most, *counts}}

    def seconds(self) -> Mapping[str, tuple[float, float]]:
        """Return the CPU seconds of each role since the first look: its own, and of the programs that it started."""
        found: dict[str, tuple[float, float]] = {}
        for pid, (role, last) in self._last.items():
            first = self._first.get(pid)
            own, children = found.get(role, (0.0, 0.0))
            found[role] = (
                own + last.seconds - (first.seconds if first else 0),
                children + last.children_seconds - (first.children_seconds if first else 0),
            )
        return found

    def _role(self, pid: int) -> str:
        """Return what a process is, and remember it from the second look on: the first may be before it is itself."""
        if pid in self._known:
            return self._known[pid]
        try:
            role = self.roles(pid, Path(f"/proc/{pid}/cmdline").read_bytes())
        except OSError:
            return ""
        if pid in self._met:
            self._known[pid] = role
        self._met.add(pid)
        return role


@contextmanager
def watching(roles: Roles) -> Iterator[Watch]:
    """Look every second, and once at the end."""
    watch = Watch(roles=roles)
    stop = threading.Event()

    def work() -> None:
        while not stop.wait(_PAUSE_SECONDS):
            watch.look()

    watch.look()
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        stop.set()
        thread.join()
        watch.look()


def read_process(pid: int) -> Process | None:
    """Return a look at a process; None where there is none."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
    own, system, children, children_system = (int(value) for value in told[11:15])
    return Process(
        parent=int(told[1]),
        seconds=(own + system) / _TICKS,
        children_seconds=(children + children_system) / _TICKS,
        bytes=int(told[21]) * _PAGE,
    )


def is_below(pid: int, ancestor: int) -> bool:
    """Whether a process is `ancestor` or was started below it."""
    while pid > 1:
        if pid == ancestor:
            return True
        found = read_process(pid)
        pid = found.parent if found else 0
    return False
