"""Which notes of the memory were read, from transcripts and from reports, and where merged ones went."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date

from config.organisation import Memory
from dream.memory.operations import Merge, Move
from dream.memory.tree import Tree
from dream.night.steps import PlannedTask
from dream.sources.sessions.reads import ReadNotes, reads_in
from flows.day import Day

_CHECKOUT = re.compile(r"(?:\A|[/:])([A-Za-z0-9][A-Za-z0-9._-]{0,99}?)(?:\.git)?/*\Z")


def reads_of(day: Day, trees: Sequence[Tree], *, memory: Memory, renames: Mapping[str, str]) -> dict[str, date]:
    """Return the last day on which each note was read, by transcripts or by report, under its path of now.

    `trees` are the memory as the day found it and as it is.
    """
    notes = ReadNotes(trees, folder=memory.path, checkout=checkout_of(memory.url))
    days: dict[str, date] = {}
    for path, last in (*reads_in(day.sessions, notes).items(), *day.read.items()):
        now = renames.get(path, path)
        days[now] = max(last, days.get(now, last))
    return days


def checkout_of(url: str) -> str:
    """Return what a working copy of the repository at `url` is called, "" where that cannot be told."""
    found = _CHECKOUT.search(url.replace("\\", "/"))
    return found[1] if found else ""


def merged_notes(tasks: Sequence[PlannedTask]) -> dict[str, str]:
    """Return where the notes went that a night merged into others or moved."""
    moved: dict[str, str] = {}
    for task in tasks:
        for operation in task.operations:
            match operation:
                case Merge(into=into, absorbed=absorbed):
                    moved |= {span.path: into.path for span in absorbed if span.path != into.path}
                case Move(span=span, to=to):
                    moved[span.path] = to
                case _:
                    continue
    return moved
