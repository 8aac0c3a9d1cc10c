"""Many organisations' nights, without Prefect: rings, tries, spread, and what hangs."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from dream.errors import DreamError, TransientError
from dream.night.result import not_landed, result_payload
from flows.apart import Steps, dream_apart
from flows.binding import ordered_steps
from flows.calling import Call
from flows.fleet.fan_out import Batch, Document, FanOut, Fleet, Stop, spread_of
from flows.night import dream_night
from flows.opening import Request
from tests.support.served import Served
from tests.support.stage import MEMORY, NIGHT, Stage, stage_of

WELL = {"status": "landed", "exit": 0}
BROKEN = {"status": "not-landed", "exit": 3, "reason": "broken"}
DOWN = {"status": "not-landed", "exit": 3, "again": True, "outage": True}
PAUSED = {"status": "paused", "exit": 0}


@dataclass
class Told:
    """A runner that ends each organisation's tries as it was told to, the last again and again."""

    ends: Mapping[str, Sequence[Document]] = field(default_factory=dict)
    batches: list[Batch] = field(default_factory=list)
    holds: Mapping[str, asyncio.Event] = field(default_factory=dict)
    does: Callable[[str], None] = lambda _: None

    async def run(self, batch: Batch) -> Sequence[Document]:
        self.batches.append(batch)
        for name in batch.names:
            self.does(name)
            if name in self.holds:
                await self.holds[name].wait()
        ends = {name: self.ends.get(name, [WELL]) for name in batch.names}
        return [{"organisation": name, **told[min(batch.attempt, len(told)) - 1]} for name, told in ends.items()]

    @property
    def ran(self) -> list[tuple[str, int]]:
        return [(name, batch.attempt) for batch in self.batches for name in batch.names]


@dataclass
class Waits:
    """Waits that take no time, and are remembered."""

    waited: list[float] = field(default_factory=list)

    async def pause(self, seconds: float) -> None:
        self.waited.append(seconds)
        await asyncio.sleep(0)


def dream(
    runner: Any, rings: Mapping[int, Sequence[str]], *, gated: bool = True, stop: Stop | None = None, **limits: Any
) -> tuple[dict[str, Any], list[tuple[int, str]], list[float]]:
    """Return how each organisation and each ring ended, and what was waited."""
    waits = Waits()

    async def play() -> tuple[dict[str, Any], list[tuple[int, str]]]:
        fleet = Fleet(runner, FanOut(**limits), stop=stop or Stop(), pause=waits.pause)
        ended = await fleet.dream(rings, gated=gated)
        return {name: (one["status"], one["attempts"]) for name, one in fleet.documents.items()}, [
            (one.ring, one.why) for one in ended
        ]

    documents, ended = asyncio.run(play())
    return documents, ended, waits.waited


def test_a_ring_begins_when_the_one_before_has_ended_and_is_sound() -> None:
    runner = Told()
    documents, ended, _ = dream(runner, {0: ["a", "b"], 1: ["c"]})
    assert documents == {"a": ("landed", 1), "b": ("landed", 1), "c": ("landed", 1)}
    assert ended == [(0, ""), (1, "")]
    assert runner.ran == [("a", 1), ("b", 1), ("c", 1)]


def test_after_a_ring_that_is_not_sound_the_rest_is_not_begun() -> None:
    runner = Told({"a": [BROKEN]})
    documents, ended, _ = dream(runner, {0: ["a", "b"], 1: ["c"], 2: ["d"]})
    assert documents == {"a": ("not-landed", 1), "b": ("landed", 1)}
    assert ended == [(0, "1 of 2 failed: a")]


def test_a_canary_whose_file_is_broken_has_failed_and_is_not_passed_over() -> None:
    async def play(broken: dict[int, tuple[str, ...]]) -> tuple[list[str], list[tuple[int, str]]]:
        fleet = Fleet(Told(), FanOut(), stop=Stop())
        ended = await fleet.dream({1: ["c"]}, broken=broken)
        return list(fleet.documents), [(one.ring, one.why) for one in ended]

    assert asyncio.run(play({0: ("a",)})) == ([], [(0, "1 of 1 failed: a")])
    assert asyncio.run(play({1: ("a",)})) == (["c"], [(1, "1 of 2 failed: a")])


def test_without_gates_every_ring_begins() -> None:
    documents, ended, _ = dream(Told({"a": [BROKEN]}), {0: ["a"], 1: ["c"]}, gated=False)
    assert documents == {"a": ("not-landed", 1), "c": ("landed", 1)}
    assert ended == [(0, "1 of 1 failed: a"), (1, "")]


def test_a_canary_that_is_paused_has_shown_nothing() -> None:
    _, ended, _ = dream(Told({"a": [PAUSED]}), {0: ["a"], 1: ["c"]})
    assert ended == [(0, "no night landed; are paused: a")]


def test_a_remote_that_is_down_is_tried_again_with_growing_pauses_and_lands_once_it_is_up() -> None:
    runner = Told({"a": [DOWN, DOWN, WELL]})
    documents, _, waited = dream(runner, {1: ["a"]}, waits=(300, 600, 1200), then="tomorrow")
    assert (documents, waited) == ({"a": ("landed", 3)}, [300, 600])
    assert [one.then for one in runner.batches] == [
        "it is tried again in 5 minutes",
        "it is tried again in 10 minutes",
        "it is tried again in 20 minutes",
    ]


def test_a_remote_that_stays_down_is_given_up_until_tomorrow() -> None:
    runner = Told({"a": [DOWN]})
    documents, ended, waited = dream(runner, {1: ["a"]}, waits=(300, 600), then="tomorrow")
    assert (documents, waited) == ({"a": ("not-landed", 3)}, [300, 600])
    assert [(one.then, one.again) for one in runner.batches] == [
        ("it is tried again in 5 minutes", True),
        ("it is tried again in 10 minutes", True),
        ("tomorrow", False),
    ]
    assert ended == [(1, "no night landed; met an outage: a")]


def test_of_a_batch_only_what_met_an_outage_is_tried_again() -> None:
    runner = Told({"b": [DOWN, WELL]})
    documents, _, _ = dream(runner, {1: ["a", "b", "c"]}, size=2, waits=(300,))
    assert documents == {"a": ("landed", 1), "b": ("landed", 2), "c": ("landed", 1)}
    assert [(one.names, one.number, one.batches) for one in runner.batches] == [
        (("a", "b"), 1, 2),
        (("c",), 2, 2),
        (("b",), 1, 2),
    ]


def test_the_rest_does_not_wait_for_a_canary_whose_remote_is_down() -> None:
    async def play() -> list[tuple[str, int]]:
        up = asyncio.Event()
        runner = Told({"a": [DOWN, WELL]}, does=lambda name: up.set() if name == "c" else None)

        async def pause(seconds: float) -> None:
            del seconds
            await up.wait()  # the remote comes up only once the rest dreams

        fleet = Fleet(runner, FanOut(waits=(300,)), stop=Stop(), pause=pause)
        async with asyncio.timeout(60):
            ended = await fleet.dream({0: ["a", "b"], 1: ["c"]})
        assert [one.why for one in ended] == ["", ""]
        return runner.ran

    assert asyncio.run(play()) == [("a", 1), ("b", 1), ("c", 1), ("a", 2)]


def test_what_breaks_in_one_run_is_that_organisations_alone() -> None:
    def does(name: str) -> None:
        if name == "a":
            message = "a defect of ours"
            raise ValueError(message)

    documents, _, _ = dream(Told(does=does), {1: ["a", "b"]})
    assert documents == {"a": ("not-landed", 1), "b": ("landed", 1)}


def test_a_run_that_is_cancelled_begins_no_more_and_waits_for_no_remote() -> None:
    stop = Stop()
    runner = Told({"a": [DOWN]}, does=lambda name: stop.stop("cancelled") if name == "b" else None)

    async def pause(seconds: float) -> None:
        del seconds
        await asyncio.Event().wait()

    async def play() -> dict[str, str]:
        fleet = Fleet(runner, FanOut(waits=(300,)), stop=stop, pause=pause)
        async with asyncio.timeout(60):
            await fleet.dream({0: ["a", "b"], 1: ["c"]})
        return {name: one["status"] for name, one in fleet.documents.items()}

    assert asyncio.run(play()) == {"a": "not-landed", "b": "landed", "c": "not-started"}
    assert runner.ran == [("a", 1), ("b", 1)]


def test_an_organisation_begins_at_the_same_moment_whoever_else_there_is() -> None:
    _, _, alone = dream(Told(), {1: ["acme"]}, spread=3600)
    _, _, among = dream(Told(), {1: ["a", "acme", "z"]}, spread=3600)
    assert alone == [spread_of("acme", 3600)]
    assert among == [spread_of(name, 3600) for name in ("a", "acme", "z")]


def test_begins_are_spread_over_the_whole_time() -> None:
    begun = sorted(spread_of(f"organisation-{number}", 100) for number in range(1000))
    assert all(0 <= one < 100 for one in begun)
    assert [sum(tenth * 10 <= one < tenth * 10 + 10 for one in begun) > 70 for tenth in range(10)] == [True] * 10


def overdue(event: asyncio.Event) -> Callable[[Steps], Awaitable[DreamError]]:
    async def stop(steps: Steps) -> DreamError:
        await event.wait()
        return TransientError(f"given up in the step {steps.name}")

    return stop


@dataclass
class Real:
    """A runner of real nights in threads of their own, of which one hangs until the test has ended."""

    stages: Mapping[str, Stage]
    hangs: str
    held: threading.Event
    overdue: asyncio.Event
    landed: list[str] = field(default_factory=list)

    async def run(self, batch: Batch) -> Sequence[Document]:
        (name,) = batch.names
        document = await self._dream(name)
        self.landed.append(name)
        if len(self.landed) == len(self.stages) - 1:
            self.overdue.set()  # only once all the others have landed
        return [document]

    async def _dream(self, name: str) -> dict[str, Any]:
        stage = self.stages[name]

        def steps(told: Any, names: Sequence[str]) -> Sequence[Any]:
            def propose(tree: Any) -> Any:
                del tree
                self.held.wait()
                raise RuntimeError

            found = ordered_steps(told, names)
            return [replace(one, propose=propose) if one.name == "tidy" else one for one in found]

        async def night(call: Call) -> Any:
            hangs = {"steps": steps} if name == self.hangs else {}
            return await dream_night(
                stage.workplace(),
                Request(night=NIGHT),
                clock=stage.clock(),
                call=call,
                **hangs,  # type: ignore[arg-type]
            )

        try:
            stops = [overdue(self.overdue)] if name == self.hangs else []
            return result_payload(await dream_apart(night, show=_unseen, stops=stops, name=name))
        except DreamError as error:
            return result_payload(not_landed(name, NIGHT, error))


async def _unseen(name: str, ended: Any) -> None:
    del name, ended


@pytest.fixture
def stages(served: Served, tmp_path: Path) -> dict[str, Stage]:
    found = {}
    for name in ("acme", "birch", "cedar"):
        root = tmp_path / name
        root.mkdir()
        found[name] = stage_of(served, root, MEMORY, hosted_as=name, name=name)
    return found


def test_an_organisation_that_hangs_for_ever_is_given_up_and_the_others_land(stages: dict[str, Stage]) -> None:
    held = threading.Event()

    async def play() -> dict[str, tuple[str, str]]:
        fleet = Fleet(Real(stages, hangs="acme", held=held, overdue=asyncio.Event()), FanOut(), stop=Stop())
        await fleet.dream({1: list(stages)})
        return {name: (one["status"], one["reason"]) for name, one in fleet.documents.items()}

    try:
        ended = asyncio.run(play())
    finally:
        held.set()
    assert ended == {
        "acme": ("not-landed", "given up in the step tidy"),
        "birch": ("landed", ""),
        "cedar": ("landed", ""),
    }
    assert not any(subject.startswith("state update") for subject in stages["acme"].hosted.log())
