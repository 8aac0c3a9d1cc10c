"""Many organisations' nights: ring after ring, spread, tried again, and none of them at another's cost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Protocol

import structlog

from dream.report.durations import spoken_seconds
from flows.clock import Wait
from flows.fleet.rings import RingEnd, end_of, judge_ring

log = structlog.get_logger()

Document = Mapping[str, Any]
"""What one organisation's night came to, as JSON values."""


_SILENT = "its run left nothing that says how it ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Organisations of one ring that dream together: the `number`th of `batches`, for the `attempt`th time.

    `then` says what happens where it fails for a reason that may pass, and `again` whether that is another try of this
    very night.
    """

    names: tuple[str, ...]
    ring: int
    number: int = 1
    batches: int = 1
    attempt: int = 1
    then: str = ""
    again: bool = False


class Runner(Protocol):
    """Dreams the nights of a batch: in this process, or as a run on a work pool."""

    async def run(self, batch: Batch) -> Sequence[Document]:
        """Return what came of each of them; raises nothing that is not a cancellation."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FanOut:
    """How a fleet dreams.

    `size` organisations are a batch, and batches begin within `spread` seconds. `waits` (seconds) lie before the tries
    after the first, which is the `attempt`th of this night; `then` says what happens once those are used up, and
    `again` whether somebody else tries then. Of a sound ring at most `failed_percent` failed.
    """

    size: int = 1
    spread: float = 0
    waits: tuple[float, ...] = ()
    then: str = ""
    again: bool = False
    failed_percent: int = 10
    attempt: int = 1


@dataclass(slots=True)
class Stop:
    """Whether nothing more is begun, and why."""

    why: str = ""
    told: asyncio.Event = field(default_factory=asyncio.Event)

    def stop(self, why: str) -> None:
        """Begin nothing more."""
        self.why = self.why or why
        self.told.set()


class Fleet:
    """The organisations of a run, and how far each of them is."""

    def __init__(self, runner: Runner, limits: FanOut, *, stop: Stop, pause: Wait = asyncio.sleep) -> None:
        """Let `runner` dream; `pause` is how it is waited."""
        self._runner = runner
        self._limits = limits
        self._stop = stop
        self._pause = pause
        self._waiting: dict[str, Document] = {}
        self._changed = asyncio.Event()
        self._broken: Mapping[int, Sequence[str]] = {}
        self.documents: dict[str, Document] = {}

    async def dream(
        self,
        rings: Mapping[int, Sequence[str]],
        *,
        gated: bool = True,
        broken: Mapping[int, Sequence[str]] | None = None,
    ) -> tuple[RingEnd, ...]:
        """Dream every night and return how the rings ended; where `gated`, up to the first that is not sound.

        What came of each organisation that was begun is in `documents` then. Those that are `broken` cannot be begun,
        and count in their ring as failed.
        """
        self._broken = broken or {}
        rings = {ring: rings.get(ring, ()) for ring in sorted({*rings, *self._broken})}
        begun: list[int] = []
        async with asyncio.TaskGroup() as group:
            for ring, names in rings.items():
                begun.append(ring)
                for batch in self._batches(ring, names):
                    group.create_task(self._dream_batch(batch))
                if gated and ring != max(rings) and await self._decided(ring, names):
                    break
        return tuple(
            RingEnd(ring=one, names=(*rings[one], *self._broken.get(one, ())), why=self._why_unsound(one, rings[one]))
            for one in begun
        )

    def _batches(self, ring: int, names: Sequence[str]) -> Iterator[Batch]:
        size = self._limits.size
        parts = [tuple(names[at : at + size]) for at in range(0, len(names), size)]
        for number, part in enumerate(parts, start=1):
            yield Batch(names=part, ring=ring, number=number, batches=len(parts))

    async def _dream_batch(self, batch: Batch) -> None:
        """Dream a batch, and what of it failed for a reason that may pass once more after each wait."""
        await self._rest(spread_of(batch.names[0], self._limits.spread))
        left = batch.names
        for attempt, wait in enumerate((*self._limits.waits, None), start=self._limits.attempt):
            if self._stop.why:
                self._note({name: _not_begun(name, self._stop.why) for name in left if name not in self.documents})
                return
            then = self._limits.then if wait is None else f"it is tried again in {spoken_seconds(wait)}"
            again = wait is not None or self._limits.again
            tried = replace(batch, names=left, attempt=attempt, then=then, again=again)
            told = {str(one["organisation"]): one for one in await self._run(tried)}
            found = {name: {**(told.get(name) or broken_document(name, _SILENT)), "attempts": attempt} for name in left}
            left = () if wait is None else tuple(name for name in left if found[name].get("again"))
            self._note(found, waiting=left)
            if wait is None or not left:
                return
            log.info("night.postponed", organisations=len(left), first=left[0], seconds=wait, attempt=attempt)
            await self._rest(wait)
            if self._stop.why:
                self._note({name: self._waiting[name] for name in left})
                return
            self._note({}, running=left)

    async def _run(self, batch: Batch) -> Sequence[Document]:
        try:
            return await self._runner.run(batch)
        except Exception as error:  # noqa: BLE001  # whatever it is, it is this batch's and no other's
            log.error("batch.broke", ring=batch.ring, number=batch.number, error=type(error).__name__)  # noqa: TRY400
            return [broken_document(name, f"a defect: {type(error).__name__}") for name in batch.names]

    async def _rest(self, seconds: float) -> None:
        """Wait, or until nothing more is begun."""
        if seconds <= 0 or self._stop.why:
            return
        both: list[Awaitable[Any]] = [self._pause(seconds), self._stop.told.wait()]
        waiting = [asyncio.ensure_future(one) for one in both]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waiting:
                one.cancel()

    def _note(self, found: Mapping[str, Document], *, waiting: Sequence[str] = (), running: Sequence[str] = ()) -> None:
        for name in (*found, *running):
            self._waiting.pop(name, None)
        for name, document in found.items():
            (self._waiting if name in waiting else self.documents)[name] = document
        self._changed.set()

    async def _decided(self, ring: int, names: Sequence[str]) -> str:
        """Return why a ring is not sound, as soon as that is known; it does not wait for those that wait for a remote.

        One canary whose remote is down for hours must not keep the fleet from dreaming.
        """
        while True:
            waiting = [name for name in names if name in self._waiting]
            under_way = [name for name in names if name not in self.documents and name not in waiting]
            if not under_way and all(end_of(self._waiting[name]) == "outage" for name in waiting):
                why = self._why_unsound(ring, names)
                if not why or not waiting:
                    return why
            self._changed.clear()
            await self._changed.wait()

    def _why_unsound(self, ring: int, names: Sequence[str]) -> str:
        known = {**self._waiting, **self.documents}
        ends = {name: end_of(known[name]) for name in names}
        ends.update(dict.fromkeys(self._broken.get(ring, ()), "failed"))
        return judge_ring(ends, failed_percent=self._limits.failed_percent)


def spread_of(name: str, seconds: float) -> float:
    """Return when within `seconds` an organisation begins: the same every night, whoever else there is."""
    share = int.from_bytes(sha256(name.encode()).digest()[:4]) / 2**32
    return share * seconds


def broken_document(name: str, reason: str, way_out: str = "", *, exit_code: int = 3) -> dict[str, Any]:
    """Return the document of an organisation whose run left none."""
    return {
        "organisation": name,
        "status": "not-landed",
        "exit": exit_code,
        "reason": reason,
        "way_out": way_out or f"dream run {name}",
    }


def _not_begun(name: str, why: str) -> Document:
    return {**broken_document(name, why), "status": "not-started", "attempts": 0}
