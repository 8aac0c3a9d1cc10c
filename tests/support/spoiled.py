"""Two conversations, a vendor that a fault meets in the middle of one of them, and what must come of both."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

from dream.memory.outcomes import Failed
from dream.models.port import Reason
from flows.telling.logs import configure_logs
from tests.support.model_faults import STOPS, Fault
from tests.support.planning import Planned, Planner
from tests.support.sensible import KEY, Finding, Question, Sensible, fenced
from tests.support.stage import NIGHT
from tests.support.vendors import Request, Response, vendor_server
from tests.tasks.stories import NOON, talk, thread

CALM = Finding(
    quote="The ledger closes at noon on Fridays.",
    statement="The ledger closes at noon on Fridays",
    resource="ledger",
)
STORMY = Finding(
    quote="The checkout API listens on port 9443 since the move.",
    statement="The checkout API listens on port 9443",
    resource="checkout API",
)
SESSIONS = (
    thread("8d3f", *talk(f"bo: {CALM.quote}", "agent: Noted.")),
    thread("7c2e", *talk(f"ana: {STORMY.quote}", "agent: Noted.", start=NOON + timedelta(hours=2))),
)
"""The calm one, which ends first and is asked about first, and the one whose questions meet the fault."""

DAY = "daily/2026-10-21.md"
CHECKOUT, LEDGER = "services/checkout.md", "services/ledger.md"

_OF_THE_INPUT = {Reason.REFUSED, Reason.FILTERED, Reason.TRUNCATED, Reason.TOO_LONG, Reason.INVALID}


class Place(StrEnum):
    """Which questions meet the fault."""

    DREAMER = "dreamer"
    JUDGE = "judge"
    EXAMINATION = "examination"
    EVERYWHERE = "everywhere"


@dataclass(kw_only=True)
class Spoiled:
    """A vendor that is well but where `fault` meets a question; `met` counts how often it did."""

    fault: Fault | None = None
    place: Place = Place.EVERYWHERE
    mind: Sensible = field(default_factory=lambda: Sensible(findings=(CALM, STORMY)))
    met: int = 0

    def __call__(self, request: Request) -> Response:
        """Answer over the wire of the request, or as the fault does."""
        if self.fault is None or not self._meets(request):
            return self.mind(request)
        self.met += 1
        return self.fault.answer(request, self.mind.reply(request))

    def _meets(self, request: Request) -> bool:
        kind = self.mind.question(request)
        shown = fenced(request)
        match self.place:
            case Place.DREAMER:
                return STORMY.quote in shown.get("one conversation", "")
            case Place.JUDGE:
                return kind is Question.JUDGE and shown["the claim"] == STORMY.statement
            case Place.EXAMINATION:
                return kind is Question.EXAMINATION
            case Place.EVERYWHERE:
                return True


@contextmanager
def logged() -> Iterator[io.StringIO]:
    """Collect everything that is logged or printed on standard error."""
    stream = io.StringIO()
    configure_logs(level="DEBUG", stream=stream)
    try:
        with redirect_stderr(stream):
            yield stream
    finally:
        structlog.reset_defaults()


@dataclass(kw_only=True)
class Storm:
    """Plans tasks while faults meet their questions, and says what is not as it must be."""

    planner: Planner

    def problems(
        self, task: str, fault: Fault, place: Place, *, wire: str, home: Path, tomorrow: bool = True
    ) -> Iterator[str]:
        """Plan `task` while `fault` meets the questions at `place`; `tomorrow` once more, the vendor being well."""
        vendor = Spoiled(fault=fault, place=place)
        planned, log = self._plan(task, vendor, wire=wire, home=home)
        if not vendor.met:
            yield "the fault met no question"
        yield from _wrong_account(planned)
        yield from _told_too_much(planned, log, home)
        expected = expected_ends(task, fault, place)
        if planned.ends != expected:
            yield f"it ended {planned.ends}, and not {expected}"
        if isinstance(planned.task.outcome, Failed) != fails(task, fault, place):
            yield f"its outcome is {planned.task.outcome}"
        changes = planned.changes
        if task == "distil" and set(changes) != ({LEDGER} if "written" in expected.values() else set()):
            yield f"it changed {sorted(changes)}"
        if task == "daily_note" and lines_by_thread(changes.get(DAY, "")) != self._told_by_code(place):
            yield f"the day is told so: {changes}"
        if not tomorrow:
            return
        again, _ = self._plan(task, Spoiled(), wire=wire, home=home, night=NIGHT + timedelta(days=1))
        if set(again.ends.values()) != {"written"}:
            yield f"the next night ended {again.ends}"

    @cached_property
    def worded(self) -> Mapping[str, str]:
        """How the day is told with a model that is well."""
        return self._day(Sensible(findings=(CALM, STORMY)))

    @cached_property
    def counted(self) -> Mapping[str, str]:
        """How the day is told by code alone."""
        return self._day(Sensible())

    def _told_by_code(self, place: Place) -> Mapping[str, str]:
        if place in {Place.EXAMINATION, Place.EVERYWHERE}:
            return self.counted
        return {**self.worded, "thread_7c2e": self.counted["thread_7c2e"]}

    def _day(self, mind: Sensible) -> Mapping[str, str]:
        with TemporaryDirectory() as home:
            planned, _ = self._plan("daily_note", Spoiled(mind=mind), wire="chat", home=Path(home))
            return lines_by_thread(planned.changes[DAY])

    def _plan(self, task: str, vendor: Spoiled, *, wire: str, home: Path, night: date = NIGHT) -> tuple[Planned, str]:
        with logged() as stream, vendor_server(vendor) as server:
            planned = self.planner.plan(task, SESSIONS, server=server, wire=wire, home=home, night=night)
            planned.models.end()
        return planned, stream.getvalue()


def lines_by_thread(text: str) -> dict[str, str]:
    """Return the entries of a note by the thread that each cites."""
    return {found[1]: row for row in text.split("\n") if (found := re.search(r"\[(thread_[0-9a-f]+), ", row))}


def expected_ends(task: str, fault: Fault, place: Place) -> dict[str, str]:
    """Return what must come of both conversations."""
    if task == "daily_note":
        return {"thread_8d3f/2026-10-21": "written", "thread_7c2e/2026-10-21": "written"}
    if place in {Place.EXAMINATION, Place.EVERYWHERE}:
        return {"thread_8d3f": "waits: judge-unfit", "thread_7c2e": "waits: judge-unfit"}
    why = f"{place.value.replace('dreamer', 'model')}-{fault.reason.value}"
    waits = f"failed-{why}" if fault.reason in _OF_THE_INPUT else why
    return {"thread_8d3f": "written", "thread_7c2e": f"waits: {waits}"}


def fails(task: str, fault: Fault, place: Place) -> bool:
    """Whether somebody must be woken: nothing was written, and nobody could be asked."""
    out_of_reach = fault in STOPS.values() or fault.reason in {Reason.OUTAGE, Reason.RATE_LIMITED}
    return task == "distil" and out_of_reach and place in {Place.EXAMINATION, Place.EVERYWHERE}


def _wrong_account(planned: Planned) -> Iterator[str]:
    tally = planned.task.tally
    if tally.inputs != tally.written + sum(tally.not_written.values()) + tally.pending or tally.inputs != len(SESSIONS):
        yield f"the account does not add up: {tally}"
    rows = planned.models.ledger.rows(planned.task.name)
    if not any(row.unanswered for row in rows):
        yield "no question is counted as unanswered"


def _told_too_much(planned: Planned, log: str, home: Path) -> Iterator[str]:
    told = [repr(planned.task.findings), repr(planned.task.outcome), repr(planned.models.findings()), log]
    kept = {str(path.relative_to(home)): path.read_text("latin-1") for path in home.rglob("*") if path.is_file()}
    for text in (KEY, STORMY.quote, "somebody said so", "<<<"):
        if any(text in one for one in told):
            yield f"{text!r} is told"
    for name, text in kept.items():
        if KEY in text or "<<<" in text:
            yield f"the key or a prompt is in {name}"
