"""An office that dreams under a real Prefect server: organisations that come and go, workers that can die."""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from bench.faults.invariants import Checker
from bench.faults.tally import say
from bench.fleet.running import latest_night
from bench.fleet.town import Town, found_town
from tests.support.prefect_api import PrefectApi
from tests.support.prefect_server import ROOT, PrefectStack, end_group, prefect_stack
from tests.support.repositories import Hosted

NIGHTLY = "nightly/nightly"
ORGANISATION = "dream-organisation/dream-organisation"
_PATIENCE_SECONDS = 240
_ORDERED = Path(__file__).parent / "ordered"


@dataclass(kw_only=True)
class Office:
    """One Prefect server with its workers, and the town whose organisations dream there."""

    stack: PrefectStack
    town: Town
    root: Path
    _tries: int = 0

    @property
    def api(self) -> PrefectApi:
        """The server's API."""
        return self.stack.api

    @property
    def night(self) -> str:
        """The night that is due."""
        return self.town.night.isoformat()

    @property
    def due(self) -> datetime:
        """When it was due."""
        return datetime(self.town.night.year, self.town.night.month, self.town.night.day, 4, tzinfo=UTC)

    def newcomer(self, **told: Any) -> tuple[str, Hosted, Checker]:
        """Let one new organisation live here and nobody else; return it, its memory, and a checker of that."""
        self.town.served.recover()
        self.town.served.before_push = None
        self.town.before_answer = None
        self.order("")
        self.town.move_out()
        self._tries += 1
        name = f"try-{self._tries:03d}"
        hosted = self.town.move_in(name, **told)
        return name, hosted, Checker(hosted.path)

    def order(self, step: str, number: signal.Signals = signal.SIGKILL) -> None:
        """Have the next flow run that comes to `step` signal itself; an empty step forgets what was ordered."""
        file = self.root / "order"
        file.with_suffix(".taken").unlink(missing_ok=True)
        file.unlink(missing_ok=True)
        if step:
            file.write_text(f"{step} {number.name}")

    def is_carried_out(self, *, seconds: float = _PATIENCE_SECONDS) -> bool:
        """Wait until an order has been carried out."""
        return wait_until((self.root / "order.taken").exists, seconds=seconds)

    def work(
        self, *, home: str = "homes", limit: int = 8, told: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a worker whose runs keep what they keep in `home`: another one is another machine."""
        environment = {
            **self.town.told,
            "DREAM_HOME": str(self.town.root / home),
            "DREAM_LOCK_WAIT_SECONDS": "5",
            "DREAM_NIGHTLY__POLL_SECONDS": "1",
            "DREAM_NIGHTLY__FIRST_WAIT_SECONDS": "5",
            "DREAM_NIGHTLY__LONGEST_WAIT_SECONDS": "10",
            "DREAM_NIGHTLY__AGAIN_SECONDS": "60",
            "BENCH_ORDER": str(self.root / "order"),
            "PYTHONPATH": f"{_ORDERED}{os.pathsep}{ROOT}",
            **(told or {}),
        }
        return self.stack.start_worker(limit=limit, told=environment)

    def let_go(self) -> None:
        """Kill every worker and every flow run."""
        for worker in self.stack.workers:
            with suppress(ProcessLookupError):
                end_group(worker)
        self.stack.workers.clear()
        for pid in self.flow_processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def flow_processes(self, flow_run: str = "") -> list[int]:
        """Return the processes of flow runs, or of one."""
        return [pid for pid in self.stack.processes() if flow_run_of(pid) and flow_run in flow_run_of(pid)]

    def dream(self, *, deployment: str = NIGHTLY, at: datetime | None = None, **parameters: Any) -> str:
        """Have a run made as its schedule does, for 04:00 UTC of the night that is due unless `at` says otherwise."""
        return self.api.start(deployment, at=at or self.due, **parameters)

    def dream_again(
        self, checker: Checker, *, landings: int = 1, expected: Sequence[str] = ("COMPLETED",)
    ) -> list[str]:
        """Start one more run, as anybody may at any time; return what is then not as it must be."""
        self.town.served.recover()
        begun = time.monotonic()
        problems = checker.check()
        try:
            ended = self.api.wait(self.dream(), seconds=_PATIENCE_SECONDS)
        except TimeoutError as error:
            return [*problems, f"the next run: {error}"]
        if ended["state_type"] not in expected:
            problems.append(f"the next run is {ended['state_type']}: {(ended['state'] or {}).get('message')}")
        problems += [*checker.check(), *checker.sound()]
        if checker.landings(self.night) != landings:
            problems.append(f"{checker.landings(self.night)} landings")
        say(f"    settled in {time.monotonic() - begun:.0f} s")
        return problems


@contextmanager
def open_office(*, seed: int, answer_seconds: float = 0.05) -> Iterator[Office]:
    """Open an office with a server and its deployments, and no worker yet, for as long as the context lasts."""
    night = latest_night(datetime.now(UTC)).date()
    with tempfile.TemporaryDirectory(prefix="dream-office-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        with (
            found_town(root / "town", night=night, answer_seconds=answer_seconds, seed=seed) as town,
            prefect_stack({"PREFECT_WORKER_HEARTBEAT_SECONDS": "5"}) as stack,
        ):
            stack.deploy(names=("nightly", "dream-organisation"))
            yield Office(stack=stack, town=town, root=root)


@cache
def the_office(seed: int) -> Office:
    """Return one office for all tests of this process, with a worker in it; it closes when the process ends."""
    context = ExitStack()
    atexit.register(context.close)
    office = context.enter_context(open_office(seed=seed))
    office.work()
    return office


def wait_until(holds: Callable[[], Any], *, seconds: float = _PATIENCE_SECONDS) -> bool:
    """Return whether something came to hold within so many seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.05)
    return False


def flow_run_of(pid: int) -> str:
    """Return the id of the flow run that a process was started for; empty for any other process."""
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return ""
    found: Mapping[bytes, bytes] = dict(one.partition(b"=")[::2] for one in environment)
    return found.get(b"PREFECT__FLOW_RUN_ID", b"").decode()
