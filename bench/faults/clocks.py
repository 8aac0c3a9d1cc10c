"""T09: the clock is a year off, the hour is one that happens twice or never, the day is the 29th of February."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo

from bench.faults.scene import NOW, Scene, set_scene
from bench.faults.tally import Tally
from tests.support.repositories import git

_EDGES = (
    ("Europe/Berlin", date(2026, 3, 29)),  # 02:00 to 03:00 does not happen
    ("Europe/Berlin", date(2026, 10, 25)),  # 02:00 to 03:00 happens twice
    ("America/New_York", date(2026, 3, 8)),
    ("America/New_York", date(2026, 11, 1)),
    ("Australia/Lord_Howe", date(2026, 4, 5)),  # by half an hour
    ("America/Havana", date(2026, 3, 8)),  # midnight itself does not happen
    ("America/Havana", date(2026, 11, 1)),  # midnight happens twice
    ("Pacific/Apia", date(2011, 12, 30)),  # a day that never was
    ("Pacific/Kiritimati", date(2026, 6, 1)),  # fourteen hours ahead
    ("UTC", date(2028, 2, 29)),
    ("UTC", date(2027, 3, 1)),
    ("UTC", date(2026, 12, 31)),
)


def clock_faults(tally: Tally, short: bool) -> None:  # noqa: FBT001 - every test has this signature
    """Dream with clocks that are wrong, and over days that are odd."""
    with set_scene() as scene:
        _wrong_clocks(tally, scene, most=3 if short else 8)
        edges = _EDGES[1::8] if short else _EDGES
        for zone, day in edges:
            _odd_day(tally, scene, zone=zone, day=day)
        for way, call, once in product(("back", "ahead"), (1,) if short else range(1, 8), (True, False)):
            checker = scene.reset()
            ended = scene.night(clock=way, clock_call=call, once=once).end()
            again = scene.night().end()
            problems = [*checker.check(), *_dates_rise(scene)]
            if (
                again.status not in {"landed", "nothing-to-do", "superseded"}
                or checker.landings(NOW.date().isoformat()) != 1
            ):
                problems.append(f"it ended {ended.status}, then {again.status}: {again.reason}")
            tally.note(f"the clock goes {way} at look {call}{'' if once else ' and stays'}", problems)


def _wrong_clocks(tally: Tally, scene: Scene, *, most: int) -> None:
    """A year back and a year ahead, before any night and after one; then the clock is set right and nights go on."""
    for days, dreamt, asked in [*product((-365, 365), (True, False), (False, True))][:most]:
        checker = scene.reset()
        if dreamt:
            scene.night().end()
        before = checker.tip()
        wrong = NOW + timedelta(days=days)
        night = NOW.date() + timedelta(days=1) if asked else None
        ended = scene.night(at=wrong.isoformat(), night=night.isoformat() if night else "").end()
        problems = [*checker.check(), *_dates_rise(scene)]
        expected = _expected(days=days, dreamt=dreamt, asked=asked)
        if ended.status != expected:
            problems.append(f"it ended {ended.status} instead of {expected}: {ended.reason}")
        if expected != "landed" and checker.tip() != before:
            problems.append("it moved the branch")
        right = NOW + timedelta(days=2)
        again = scene.night(at=right.isoformat(), night=right.date().isoformat()).end()
        if again.status != "landed":
            problems.append(f"with the clock set right it ended {again.status}: {again.reason}")
        problems += [*checker.check(), *_dates_rise(scene)]
        what = ["first night", "after a night"][dreamt], ["by the clock", "given"][asked]
        tally.note(f"{days:+d} days, {what[0]}, night {what[1]}", problems)


def _expected(*, days: int, dreamt: bool, asked: bool) -> str:
    if asked:
        return "error" if days < 0 else "landed"  # not due yet by that clock
    if days > 0:
        return "error"  # more than 35 days after the newest commit
    return "error" if dreamt else "landed"  # a night has landed that is not due yet by that clock


def _odd_day(tally: Tally, scene: Scene, *, zone: str, day: date) -> None:
    """Let a thread end every half hour around an odd day: each is told once, on the day that its zone's people had."""
    checker = scene.reset()
    extra, summaries = scene.stage.extra, scene.stage.sessions / "summaries.jsonl"
    kept = summaries.read_bytes()
    summaries.unlink()
    start = datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(days=1)
    instants = [start + timedelta(minutes=30 * number) for number in range(6 * 24)]
    scene.stage.summarise(*(_summary(number, at) for number, at in enumerate(instants)))
    scene.stage.extra = {**extra, "timezone": zone, "limits": {"daily_note": {"lines": 400}}}
    problems = []
    local = ZoneInfo(zone)
    first = (start - timedelta(days=1)).date()
    for number in range(6):
        night = first + timedelta(days=number + 1)
        at = datetime(night.year, night.month, night.day, 4, 0, 5, tzinfo=UTC)
        ended = scene.night(at=at.isoformat(), night=night.isoformat()).end()
        if ended.status != "landed":
            problems.append(f"{night} ended {ended.status}: {ended.reason}")
    problems += [*checker.check(), *_dates_rise(scene), *_misplaced(scene, instants, local)]
    scene.stage.extra = extra
    summaries.write_bytes(kept)
    tally.note(f"{zone} {day}", problems)


def _misplaced(scene: Scene, instants: list[datetime], zone: ZoneInfo) -> Iterator[str]:
    notes = {
        path: data.decode()
        for path, data in scene.files().items()
        if path.startswith("daily/") and path.endswith(".md")
    }
    last = max(notes, default="")
    first = min(notes, default="")
    for number, at in enumerate(instants):
        expected = f"daily/{at.astimezone(zone).date().isoformat()}.md"
        where = [path for path, text in notes.items() if f"thread_odd{number:04d}" in text]
        if first <= expected <= last and where != [expected]:
            yield f"{at.isoformat()} is told in {where or 'no note'} instead of {expected}"
    if len(notes) < 3:
        yield f"only {sorted(notes)} were written"


def _summary(number: int, at: datetime) -> dict[str, Any]:
    words = ("amber", "birch", "cedar", "delta", "ember", "flint", "grove", "hazel", "inlet", "jetty", "knoll", "larch")
    name = f"{words[number % 12]} {words[number // 12 % 12]}"
    stamp = at.isoformat().replace("+00:00", "Z")
    return {
        "id": f"odd{number:04d}",
        "started": stamp,
        "ended": stamp,
        "title": f"About {name}",
        "lasting": f"The {name} service number {number} answers on port {9000 + number}.",
    }


def _dates_rise(scene: Scene) -> list[str]:
    """Return where the flow's commits are dated before what they stand on, hidden from `git log --since`."""
    lines = git(scene.hosted.path, "log", "--first-parent", "--format=%ct", "main").split("\n")
    times = [int(line) for line in lines]
    return ["a commit is dated before its parent"] if times != sorted(times, reverse=True) else []
