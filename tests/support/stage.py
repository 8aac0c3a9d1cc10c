"""An organisation on a served remote, whose nights run in this process at an hour of the test's choosing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from config.limits import Landing, Limits
from config.organisation import Organisation
from config.settings import Settings
from dream.memory.records import NightRecord, parse_record, record_path
from dream.memory.state import STATE_PATH, State, parse_state
from dream.night.result import NightResult
from flows.binding import ordered_steps
from flows.calling import Call, call_here
from flows.clock import Clock
from flows.course import StepMaker
from flows.dreaming import ModelMaker, build_models
from flows.night import dream_night
from flows.opening import Request
from flows.probes import open_probes
from flows.production import ProbeMaker
from flows.reverting.night import RevertRequest, revert_night
from flows.reverting.result import RevertResult
from flows.workplace import Workplace
from tests.support.repositories import Hosted, Person, host
from tests.support.served import Served

NIGHT = date(2026, 10, 22)
"""The night that a stage dreams unless a test says otherwise; its day is the 21st."""


@dataclass(kw_only=True)
class Stage:
    """One organisation: its hosted memory, its sessions, its home, and a wall clock that stands still."""

    hosted: Hosted
    root: Path
    name: str = "acme"
    now: datetime = datetime(2026, 10, 22, 4, 0, 5, tzinfo=UTC)
    extra: Mapping[str, Any] = field(default_factory=dict)
    store: str = ""
    waits: list[float] = field(default_factory=list)

    @property
    def sessions(self) -> Path:
        """The folder of its ready summaries and transcripts."""
        folder = self.root / "sessions"
        folder.mkdir(exist_ok=True)
        return folder

    @property
    def organisation(self) -> Organisation:
        """The organisation as its YAML file would say it."""
        document = {
            "organisation": self.name,
            "memory": {"url": self.hosted.url},
            "sessions": [
                {"kind": "summaries", "path": str(self.sessions / "summaries.jsonl")},
                {"kind": "claude-code", "path": str(self.sessions / "claude"), "person": "ana"},
            ],
            "limits": Limits(landing=Landing(seconds=20)).model_dump(),
            **self.extra,
        }
        return Organisation.model_validate(document)

    def workplace(self, home: str = "home") -> Workplace:
        """The organisation in a working directory of its own."""
        settings = Settings(home=self.root / home, organisations=self.root, store=self.store, lock_wait_seconds=0)
        return Workplace(organisation=self.organisation, settings=settings)

    def clock(self) -> Clock:
        """A clock that stands at `now` and whose waits cost nothing."""
        ticks = [0.0]

        def sleep(seconds: float) -> None:
            ticks[0] += seconds
            self.waits.append(seconds)

        return Clock(now=lambda: self.now, monotonic=lambda: ticks[0], sleep=sleep, jitter=lambda seconds: seconds)

    def dream(
        self,
        night: date | None = NIGHT,
        *,
        home: str = "home",
        call: Call = call_here,
        steps: StepMaker = ordered_steps,
        models: ModelMaker = build_models,
        probes: ProbeMaker = open_probes,
        only: Sequence[str] = (),
        redo: Sequence[str] = (),
        dry_run: bool = False,
        accept_history: bool = False,
    ) -> NightResult:
        """Dream a night and return how it ended."""
        request = Request(
            night=night, only=tuple(only), redo=tuple(redo), dry_run=dry_run, accept_history=accept_history
        )
        night_of = dream_night(
            self.workplace(home),
            request,
            clock=self.clock(),
            call=call,
            steps=steps,
            models=models,
            probes=probes,
        )
        return asyncio.run(night_of)

    def next_night(self, days: int = 1, **options: Any) -> NightResult:
        """Let days pass and dream the night that is then due."""
        self.now += timedelta(days=days)
        return self.dream((self.now - timedelta(hours=4)).date(), **options)

    def revert(
        self,
        task: str | None = None,
        *,
        night: date = NIGHT,
        retry: bool = False,
        operations: Sequence[str] = (),
        dry_run: bool = False,
        shown: str | None = None,
    ) -> RevertResult:
        """Take back a night, one task of it, or single operations."""
        wanted = RevertRequest(night=night, task=task, operations=tuple(operations), retry=retry)
        return revert_night(self.workplace(), wanted, dry_run=dry_run, clock=self.clock(), shown=shown)

    def person(self, name: str = "Ada Person") -> Person:
        """Somebody with a working copy of the memory."""
        return Person(self.hosted, self.root / f"copy-{name.split(maxsplit=1)[0].lower()}", name)

    def files(self) -> dict[str, bytes]:
        """The memory at the remote's tip."""
        return self.hosted.files()

    def state(self) -> State:
        """The state at the remote's tip."""
        return parse_state(self.files()[STATE_PATH])

    def record(self, night: date = NIGHT) -> NightRecord:
        """The record of a night at the remote's tip."""
        return parse_record(self.files()[record_path(night)])

    def commit_of(self, task: str, night: date = NIGHT) -> str:
        """The commit that a task made in a night."""
        return self.record(night).tasks[task].commit

    def summarise(self, *summaries: Mapping[str, Any]) -> None:
        """Add ready summaries of sessions to what the night is told."""
        with (self.sessions / "summaries.jsonl").open("a", encoding="utf-8") as file:
            file.writelines(json.dumps({**SUMMARY, **one}) + "\n" for one in summaries)


SUMMARY: Mapping[str, Any] = {
    "id": "7c2e0001",
    "started": "2026-10-21T10:00:00Z",
    "ended": "2026-10-21T10:30:00Z",
    "person": "ana",
    "title": "Refund limits",
    "lasting": "The checkout API refuses refunds above 500 euros.",
    "stale": "",
    "pull_requests": [],
    "repository": "acme/web",
}

MEMORY: Mapping[str, str] = {
    "MEMORY.md": "# Memory\n\nWe are polite to customers.\n\n- [Checkout](services/checkout.md)\n",
    "services/checkout.md": (
        "# Checkout\n\n- 2026-10-01: The checkout API listens on port 8443. [thread_0001, 2026-10-01]\n"
        "- 2026-10-02: Payments are captured within seven days of the order. [thread_0002, 2026-10-02]\n"
    ),
    "services/orders.md": (
        "# Orders\n\nSee [checkout](checkout.md).\n\n"
        "- 2026-10-03: Orders are archived after ninety days by the nightly job. [thread_0003, 2026-10-03]\n"
    ),
    "queues/invoices.md": (
        "# Invoice events\n\n"
        "- 2026-10-03: Orders are archived after ninety days by the nightly job. [thread_0003, 2026-10-03]\n"
        "- 2026-10-04: Invoice events are retried five times before they are parked. [thread_0004, 2026-10-04]\n"
    ),
}


def stage_of(
    served: Served,
    root: Path,
    files: Mapping[str, str | bytes] | None = MEMORY,
    **options: Any,
) -> Stage:
    """Host a memory and return its organisation's stage."""
    return Stage(hosted=host(served, options.pop("hosted_as", "memory"), files), root=root, **options)


def failing(task: str, cause: Callable[[], Exception] = lambda: RuntimeError("broken on purpose")) -> StepMaker:
    """Return the night's steps, of which `task` breaks off."""

    def steps(told: Any, names: Sequence[str]) -> Sequence[Any]:
        def broken(tree: Any) -> Any:
            del tree
            raise cause()

        return [replace(step, propose=broken) if step.name == task else step for step in ordered_steps(told, names)]

    return steps
