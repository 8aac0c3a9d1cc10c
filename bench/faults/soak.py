"""T16: a year of nights on 300 notes, with people, agents, reverts, quiet weeks and a model that fails now and then."""

from __future__ import annotations

import logging
import resource
import shutil
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import structlog

from bench.faults.soaked import Limits, Seen
from bench.faults.tally import Tally, say
from bench.faults.year import Year, begin_year
from tests.support.repositories import git
from tests.support.served import serve

_MEMORY_DISK = Path("/dev/shm")  # noqa: S108 - a folder with an unguessable name is made in it
_NIGHTS, _NOTES = 365, 300
_SHORT_NIGHTS, _SHORT_NOTES = 8, 30
_UNCHECKED_NIGHTS = 60
_MB = 1 << 20


@dataclass(kw_only=True)
class _Account:
    """What the year came to."""

    seconds: list[float] = field(default_factory=list)
    bytes: list[int] = field(default_factory=list)
    ends: dict[str, int] = field(default_factory=dict)


def soak(tally: Tally, short: bool) -> None:  # noqa: FBT001 - every test has this signature
    """Live a year, or a week of it."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    nights, notes = (_SHORT_NIGHTS, _SHORT_NOTES) if short else (_NIGHTS, _NOTES)
    disk = _MEMORY_DISK if _MEMORY_DISK.is_dir() else None
    root = Path(tempfile.mkdtemp(prefix="dream-soak-", dir=disk))
    try:
        with serve(root) as served:
            year = begin_year(served, root, notes=notes, chance=tally.chance())
            _live(tally, year, nights=nights)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _live(tally: Tally, year: Year, *, nights: int) -> None:
    seen = Seen(year.hosted, Limits(unchecked_nights=_UNCHECKED_NIGHTS))
    account = _Account()
    for number in range(nights):
        year.live_a_day(number)
        begun = time.monotonic()
        ended = year.dream()
        account.seconds.append(time.monotonic() - begun)
        account.bytes.append(_bytes(year.hosted.path))
        account.ends[ended] = account.ends.get(ended, 0) + 1
        night = year.night
        problems = [*year.problems(), *seen.look(night, year.checker.lost.get(night.isoformat(), (0, 0)))]
        tally.note(f"night {number + 1}, {night}", problems)
        if number % 20 == 0:
            say(f"  {tally.id} {night}: {account.seconds[-1]:.1f} s, {account.bytes[-1] / _MB:.1f} MB")
    last = [*year.checker.sound(), *seen.left(year.night)]
    tally.note("the year", last)
    _tell(tally, year, seen, account)


def _tell(tally: Tally, year: Year, seen: Seen, account: _Account) -> None:
    first, final = account.seconds[:30], account.seconds[-30:]
    before = _bytes(year.hosted.path)
    git(year.hosted.path, "gc", "--quiet", "--prune=now")
    tally.remark(
        f"T16: {len(account.seconds)} nights ended {_counts(account.ends)}; between them {_counts(year.done)}; "
        f"at the end {seen.notes} notes, {seen.statements} statements, index of {seen.most_lines} lines and "
        f"{seen.most_bytes} bytes at most"
    )
    tally.remark(
        f"T16: a night took {median(first):.2f} s at first and {median(final):.2f} s at last (medians of 30), "
        f"{max(account.seconds):.1f} s the longest; peak memory "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"
    )
    grown = (before - account.bytes[0]) / max(1, len(account.bytes) - 1)
    tally.remark(
        f"T16: the repository grew {grown / 1024:.0f} KB a night to {before / _MB:.1f} MB, packed "
        f"{_bytes(year.hosted.path) / _MB:.1f} MB; `.dream/` holds {seen.flow_bytes / 1024:.0f} KB; the most that 30 "
        f"nights took away were {seen.most_notes_lost} notes and {seen.most_statements_lost} statements; the longest "
        f"that a note waited to be looked at was {seen.longest_wait} nights"
    )


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{what} {number}" for what, number in sorted(counts.items(), key=lambda one: -one[1]))


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
