"""A night in a process of its own that carries out one order against itself: die, run dry, be lied to by its clock."""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from pkgutil import iter_modules
from types import FrameType
from typing import Any, TypeVar

import structlog

from config.organisation import Organisation
from config.settings import Git, Settings
from dream.errors import DreamError
from flows.clock import Clock
from flows.night import dream_night
from flows.opening import Request
from flows.workplace import Workplace
from tests.support.repositories import Hosted
from tests.support.stage import NIGHT, Stage

T = TypeVar("T")

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_CHANGING = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.chmod", "os.truncate", "os.link", "os.symlink"}
_FORMATS = "dream.sources.sessions.formats"
_IMPORTED = (
    "bench.faults.child",
    "dream.sources.production.code.probe",
    "fsspec.core",
    "sqlite3",
    *(module.name for module in iter_modules(import_module(_FORMATS).__path__, f"{_FORMATS}.")),
)
"""What the night of a scene imports, at the latest when it needs it: once for all nights that are started here."""
PUBLISH = "publish"
"""What a night does after it has landed has no step of its own; here it is called so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """Which night to dream and what to do to it; everything can be pickled, and defaults do nothing."""

    path: str
    url: str
    root: str
    extra: str
    now: str
    notes: str
    home: str = "home"
    night: str = NIGHT.isoformat()
    step: str = ""
    call: int = 0
    """At the `call`-th function call of `step`, 1 being its beginning…"""
    action: str = "kill"
    """…do this: kill, stop, full, no-file-grows, no-descriptors."""
    once: bool = False
    """Whether what was done is lifted again when the next step begins."""
    write_error: int = 0
    write_call: int = 0
    """The `write_call`-th change under the home fails with this number, and all after it unless `once`."""
    clock_call: int = 0
    clock: str = ""
    """The `clock_call`-th reading of the clock raises or jumps, and all after it unless `once`."""
    search_path: str = ""
    filler: str = ""
    count: bool = False
    at: str = ""
    """What the clock shows, if not `now`."""
    git_seconds: float = 30
    landing_seconds: float = 20
    real_time: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a night's process ended: a status of the product, `error`, `crash`, or `killed`."""

    status: str
    reason: str = ""
    steps: tuple[str, ...] = ()
    calls: Mapping[str, int] | None = None
    findings: tuple[str, ...] = ()
    tries: int = 0
    write_calls: int = 0
    peak_bytes: int = 0
    seconds: float = 0.0

    @property
    def last_step(self) -> str:
        """The step that it was in when it ended."""
        return self.steps[-1] if self.steps else ""


class Night:
    """A night that is running."""

    def __init__(self, process: ForkServerProcess, answers: Connection, notes: Path) -> None:
        """Take what `start` made."""
        self._process = process
        self._answers = answers
        self._notes = notes
        self._began = time.perf_counter()

    @classmethod
    def start(cls, orders: Orders) -> Night:
        """Start a process that has everything imported already."""
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(list(_IMPORTED))
        answers, told = context.Pipe(duplex=False)
        process = context.Process(target=_main, args=(orders, told), daemon=True)
        process.start()
        told.close()
        return cls(process, answers, Path(orders.notes))

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid or 0

    def steps(self) -> tuple[str, ...]:
        """The steps that have begun so far."""
        return tuple(self._notes.read_text().split()) if self._notes.exists() else ()

    def state(self) -> str:
        """The letter by which the kernel tells running from stopped; empty where there is no such process."""
        try:
            return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return ""

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the night alone."""
        if self._process.is_alive():
            os.kill(self.pid, number)

    def kill(self, *, with_git: bool = True) -> None:
        """Kill it, and the git programs that it runs unless they are to outlive it."""
        if not self._process.is_alive():  # its number may be another process's by now
            return
        family = _descendants(self.pid) if with_git else []
        for pid in [self.pid, *family]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def end(self, *, timeout: float = 120) -> Ended:
        """Wait for it and return how it ended; what does not end is killed and called hung."""
        told: dict[str, Any] = {}
        try:
            if self._answers.poll(timeout):
                told = self._answers.recv()
            else:
                self.kill()
                told = {"status": "hung", "reason": f"still running after {timeout:.0f} s"}
        except (EOFError, ConnectionResetError):
            told = {"status": "killed"}
        self._process.join(10)
        if told == {"status": "killed"} and self._process.exitcode != -signal.SIGKILL:
            told = {"status": "crash", "reason": f"its process ended with {self._process.exitcode}"}
        return Ended(steps=self.steps(), seconds=time.perf_counter() - self._began, **told)


def _descendants(pid: int) -> list[int]:
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError, ValueError, IndexError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    family: list[int] = []
    found = [pid]
    while found:
        found = [child for child, parent in parents.items() if parent in found]
        family += found
    return family


def _main(orders: Orders, told: Connection) -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    if orders.search_path:
        os.environ["PATH"] = orders.search_path + os.pathsep + os.environ["PATH"]
    trigger = _Trigger(orders)
    told_of = _dream(orders, trigger)
    sys.setprofile(None)
    trigger.lift()
    if orders.count:
        told_of["calls"] = trigger.counts
    told_of["write_calls"] = trigger.writes
    told_of["peak_bytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    told.send(told_of)


def _dream(orders: Orders, trigger: _Trigger) -> dict[str, Any]:
    stage = Stage(
        hosted=Hosted(path=Path(orders.path), url=orders.url), root=Path(orders.root), extra=json.loads(orders.extra)
    )
    document = stage.organisation.model_dump()
    document["limits"]["landing"]["seconds"] = orders.landing_seconds
    workplace = Workplace(
        organisation=Organisation.model_validate(document),
        settings=Settings(
            home=stage.root / orders.home,
            organisations=stage.root,
            lock_wait_seconds=0,
            git=Git(
                local_seconds=orders.git_seconds, fetch_seconds=orders.git_seconds, push_seconds=orders.git_seconds
            ),
        ),
    )
    if orders.write_call:
        _fail_writes(orders, str(workplace.home), trigger)
    clock = _clock(orders)

    async def call(name: str, step: Callable[[], T]) -> T:
        trigger.begin(name)
        try:
            return step()
        finally:
            if name == "land":
                trigger.begin(PUBLISH)

    try:
        request = Request(night=date.fromisoformat(orders.night) if orders.night else None)
        trigger.begin("start")
        result = asyncio.run(dream_night(workplace, request, clock=clock, call=call))
    except DreamError as error:
        return {"status": "error", "reason": f"{type(error).__name__}: {error}"}
    except Exception as error:  # noqa: BLE001 - a crash is an answer too
        return {"status": "crash", "reason": f"{type(error).__name__}: {error}"}
    return {"status": result.status, "reason": result.reason, "findings": result.findings, "tries": result.tries}


class _Trigger:
    """Counts function calls, Python's and C's, and does what was ordered at one of them."""

    def __init__(self, orders: Orders) -> None:
        self._orders = orders
        self._notes = os.open(orders.notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._left = 0
        self._is_done = False
        self._limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        self._step = ""
        self.counts: dict[str, int] = {}
        self.writes = 0

    def begin(self, step: str) -> None:
        """Note that a step begins; what was done once is lifted."""
        sys.setprofile(None)
        if self._is_done and self._orders.once:
            self.lift()
        with suppress(OSError):  # the fault may be one that stops this as well
            os.write(self._notes, f"{step}\n".encode())
        self._step = step
        if self._orders.count:
            self.counts[step] = 0
            sys.setprofile(self._count)
        elif step == self._orders.step and not self._is_done:
            self._left = self._orders.call
            sys.setprofile(self._watch)

    def lift(self) -> None:
        """Take back what was done to the machine."""
        resource.setrlimit(resource.RLIMIT_NOFILE, self._limits)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        if self._orders.filler:
            with suppress(OSError):
                Path(self._orders.filler).unlink(missing_ok=True)

    def _count(self, frame: FrameType, event: str, argument: object) -> None:
        del frame, argument
        if event in {"call", "c_call"}:
            self.counts[self._step] += 1

    def _watch(self, frame: FrameType, event: str, argument: object) -> None:
        del frame, argument
        if event not in {"call", "c_call"}:
            return
        self._left -= 1
        if self._left > 0:
            return
        sys.setprofile(None)
        self._is_done = True
        self._act()

    def _act(self) -> None:
        match self._orders.action:
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case "stop":
                os.kill(os.getpid(), signal.SIGSTOP)
            case "full":
                fill(Path(self._orders.filler))
            case "no-file-grows":
                resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
            case "no-descriptors":
                used = sum(1 for _ in Path("/proc/self/fd").iterdir())
                resource.setrlimit(resource.RLIMIT_NOFILE, (used, self._limits[1]))
            case other:
                raise ValueError(other)


def fill(filler: Path, *, leave: int = 0) -> None:
    """Write a file until its file system has no more than `leave` bytes left."""
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            room = os.statvfs(filler.parent)
            file.write(b"\0" * max(1, min(65_536, room.f_bavail * room.f_frsize - leave)))
            if leave and os.statvfs(filler.parent).f_bavail * room.f_frsize <= leave:
                return


def _fail_writes(orders: Orders, home: str, trigger: _Trigger) -> None:
    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            changes = isinstance(arguments[2], int) and bool(arguments[2] & _WRITES)
        else:
            changes = event in _CHANGING
        if not changes or not str(arguments[0]).startswith(home):
            return
        trigger.writes += 1
        if trigger.writes == orders.write_call or (trigger.writes > orders.write_call and not orders.once):
            raise OSError(orders.write_error, os.strerror(orders.write_error), str(arguments[0]))

    sys.addaudithook(hook)


def _clock(orders: Orders) -> Clock:
    now = datetime.fromisoformat(orders.at or orders.now)
    calls, ticks = 0, 0.0

    def disturbed() -> bool:
        nonlocal calls
        calls += 1
        return calls == orders.clock_call or (0 < orders.clock_call < calls and not orders.once)

    def strike() -> timedelta:
        if not disturbed():
            return timedelta(0)
        match orders.clock:
            case "raise":
                raise OSError(errno.EIO, os.strerror(errno.EIO), "clock")
            case "back":
                return timedelta(days=-365)
            case "ahead":
                return timedelta(days=365)
            case _:
                return timedelta(0)

    def sleep(seconds: float) -> None:
        nonlocal ticks
        strike()
        ticks += seconds
        if orders.real_time:
            time.sleep(seconds)

    return Clock(
        now=lambda: now.astimezone(UTC) + strike(),
        monotonic=lambda: (time.monotonic() if orders.real_time else ticks) + strike().total_seconds(),
        sleep=sleep,
        jitter=lambda seconds: seconds,
    )
