"""The replays: two projects' sessions over invented and real memories, and four memories by their own days."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date
from pathlib import Path

from bench.nights.dreamer import Dreaming
from bench.nights.memories import day_by_day, invented, real
from bench.nights.replay import Script
from bench.nights.sessions import Shelf, claude_code, specstory

SPECSTORY = "specstoryai__getspecstory"
PACKMIND = "PackmindHub__context-evaluator"
_SHORT = {
    "specstory": (date(2026, 2, 20), 2),
    "packmind": (date(2026, 2, 13), 2),
    "clawd": (date(2026, 2, 3), 2),
    "bga-assistant": (date(2026, 6, 6), 1),
    "agentic-memory": (date(2026, 6, 2), 2),
    "ccconfig": (date(2026, 3, 9), 2),
}
"""The first day, and the number of nights, of each replay's short version."""
NAMES = tuple(_SHORT)
_BY_DAYS = (
    ("clawd", "AmitabhainArunachala__clawd/_nights/memory", ""),
    ("bga-assistant", "AnotherSava__bga-assistant/_nights/auto-memory", ".claude/memory/"),
    ("agentic-memory", "elViRafa__agentic-memory/_nights/ai-memory", ".ai-memory/"),
    ("ccconfig", "mengfanchun2017__ccconfig/_nights/MEMORY", ""),
)


def scripts(
    data: Path,
    root: Path,
    *,
    seed: int,
    short: bool,
    dreaming: Dreaming | None = None,
    days: Collection[date] = (),
) -> Iterator[Script]:
    """Yield the replays over the real inputs in `data`; what they lay for the nights is laid under `root`.

    With `dreaming` only those with sessions, dreamt by a scripted dreamer; `days` are the only ones that they
    live, and then nothing comes late.
    """
    transcripts, trees = data / "transcripts", data / "memory_trees"
    for name, kind, found, memory in (
        ("specstory", "specstory", specstory(transcripts / SPECSTORY), invented(f"{seed}/specstory")),
        ("packmind", "claude-code", claude_code(transcripts / PACKMIND), real(trees / "aaronjmars__aeon" / "memory")),
    ):
        shelf = Shelf(
            kind=kind,  # type: ignore[arg-type]
            folder=root / name / "sessions",
            transcripts=tuple(found),
            seed=f"{seed}/{name}",
            is_punctual=bool(days),
        )
        yield Script(
            name=name,
            memory=dict(memory),
            seed=f"{seed}/{name}",
            shelf=shelf,
            with_code=name == "specstory",
            since=_SHORT[name][0] if short else None,
            most_nights=_SHORT[name][1] if short else None,
            forked=short,
            dreaming=dreaming,
            only=frozenset(days),
        )
    if dreaming:
        return
    for name, place, folder in _BY_DAYS:
        first, *later = day_by_day(trees / place)
        yield Script(
            name=name,
            memory=dict(first.files),
            seed=f"{seed}/{name}",
            memory_days=(first, *later),
            folder=folder,
            since=_SHORT[name][0] if short else None,
            most_nights=_SHORT[name][1] if short else None,
            forked=short,
        )
