"""The operations of a night, one by one: what each changed, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from dream.memory.records import Change, Effect
from dream.memory.undoing.fates import Fate
from dream.memory.undoing.undone import effect_paths
from dream.report.accounts import many, spoken
from dream.report.escaping import one_line, shortened, visible

MOST_LINES = 12
"""Of the lines that one operation changed; git knows the rest."""

MOST_SOURCES = 5
WIDTH = 200
"""Characters of a line that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An operation that landed, how people name it, and what became of it."""

    effect: Effect
    short: str
    fate: Fate

    def payload(self) -> dict[str, Any]:
        """Return its JSON values; lines are whole."""
        return {**effect_payload(self.effect, self.short), "fate": self.fate}


def render_operations(organisation: str, night: date, told: Sequence[Told], *, remarks: Sequence[str] = ()) -> str:
    """Return the list for a terminal, in the order in which they landed, and how to take one back."""
    name = one_line(organisation)
    lines = [f"{name}: the night of {night.isoformat()}, {many(len(told), 'operation')}"]
    lines += [f"note: {one_line(remark)}" for remark in remarks]
    for one in told:
        effect = one.effect
        added, removed = counts(effect.changes)
        size = f"+{added} -{removed}" + (f", {many(len(effect.deleted), 'note')} gone" if effect.deleted else "")
        lines += ["", f"{one.short}  {heading(effect)} ({size}): {one.fate}"]
        if effect.sources:
            more = f" and {len(effect.sources) - MOST_SOURCES} more" if len(effect.sources) > MOST_SOURCES else ""
            lines.append(f"  from {one_line(', '.join(effect.sources[:MOST_SOURCES]))}{more}")
        lines += [f"  {line}" for line in change_lines(effect.changes, gone=tuple(effect.deleted))]
    if any(one.fate == "stands" for one in told):
        back = f"dream revert {name} --night {night.isoformat()} --operation ID"
        lines += ["", f"to take one back: {back}"]
    return "\n".join(lines)


def operations_payload(
    organisation: str, night: date, told: Sequence[Told], *, remarks: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the JSON document of the list."""
    return {
        "organisation": organisation,
        "night": night.isoformat(),
        "operations": [one.payload() for one in told],
        "remarks": list(remarks),
    }


def heading(effect: Effect) -> str:
    """Return the task, the kind and the paths of an operation, on one line."""
    return one_line(f"{spoken(effect.task)}: {effect.kind} in {', '.join(sorted(effect_paths(effect)))}")


def effect_payload(effect: Effect, short: str) -> dict[str, Any]:
    """Return the JSON values of an operation: what it is called, where it was, and each line that it changed."""
    return {
        "id": effect.id,
        "short": short,
        "task": effect.task,
        "kind": effect.kind,
        "paths": sorted(effect_paths(effect)),
        "sources": list(effect.sources),
        "changes": [change_payload(change) for change in effect.changes],
        "gone": sorted(effect.deleted),
    }


def change_payload(change: Change) -> Mapping[str, Any]:
    """Return the JSON values of lines that changed."""
    return {"path": change.path, "removed": list(change.removed), "added": list(change.added)}


def counts(changes: Sequence[Change]) -> tuple[int, int]:
    """Return how many lines were added and removed that are not blank."""
    added = sum(bool(line.strip()) for change in changes for line in change.added)
    return added, sum(bool(line.strip()) for change in changes for line in change.removed)


def change_lines(
    changes: Sequence[Change], *, gone: Sequence[str] = (), back: Sequence[str] = (), most: int = MOST_LINES
) -> list[str]:
    """Return the lines that differ, each with its sign and under its path, and which notes go or come back.

    Of all together at most `most`, and it says how many were left out.
    """
    lines = [f"the note {one_line(path)} goes" for path in gone]
    lines += [f"the note {one_line(path)} comes back" for path in back]
    rows = [
        (change.path, f"{sign} {shortened(visible(line).replace(chr(10), ' '), most=WIDTH)}")
        for change in changes
        for sign, texts in (("-", change.removed), ("+", change.added))
        for line in texts
        if line.strip()
    ]
    for path, group in groupby(rows[:most], key=lambda row: row[0]):
        lines += [one_line(path), *(f"  {row}" for _, row in group)]
    return [*lines, *([f"… and {many(len(rows) - most, 'more line')}"] if len(rows) > most else [])]
