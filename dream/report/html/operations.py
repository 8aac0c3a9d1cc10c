"""Each edit of a task with what its commit says of it: its reason, evidence and sources, and how to take it back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from dream.memory.records import Change, Effect
from dream.memory.undoing.undone import effect_paths
from dream.report.commands import command
from dream.report.escaping import one_line, shortened
from dream.report.html.room import Room
from dream.report.html.words import Line, compared, whole
from dream.report.story import NightCommit, Story

MOST_LINES = 40
"""Of one edit; the diff of its commit has the rest."""

MOST_SOURCES = 12
_WIDTH = 1_000
_EVIDENCE, _SOURCES = "  evidence: ", "  sources: "
_ANSWER = re.compile(r"\bo[0-9]{1,4}\b")


@dataclass(slots=True, kw_only=True)
class Told:
    """What a commit says of one edit."""

    head: str
    evidence: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Place:
    """Lines that were taken out of, and put into, one place of a file."""

    path: str
    line: int
    removed: tuple[Line, ...]
    added: tuple[Line, ...]
    left: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One edit as it is shown: `asked` are the commands that show where it comes from."""

    id: str
    kind: str
    head: str
    places: tuple[Place, ...] = ()
    created: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    take_back: str = ""
    is_taken_back: bool = False

    @property
    def added(self) -> int:
        """Lines that it put in."""
        return sum(len(place.added) for place in self.places)

    @property
    def removed(self) -> int:
        """Lines that it took out."""
        return sum(len(place.removed) for place in self.places)


def read_body(body: str) -> list[Told]:
    """Return what a commit's message says of each edit, in order."""
    found: list[Told] = []
    for line in body.split("\n"):
        if not line:
            break
        if line.startswith("- "):
            found.append(Told(head=line[2:]))
        elif line.startswith(_EVIDENCE) and found:
            found[-1].evidence.append(line.removeprefix(_EVIDENCE))
    return found


def read_operations(story: Story, name: str, commits: Sequence[NightCommit], room: Room) -> tuple[list[Operation], int]:
    """Return the edits of the task called `name` that there is room for, and how many are left out.

    Effect and message are matched in order, by kind and path; an edit that either does not know is shown without it.
    """
    told = [one for commit in commits if not commit.is_revert for one in read_body(commit.body)]
    effects = [effect for effect in (story.record.effects if story.record else ()) if effect.task == name]
    shown = []
    for effect in effects:
        operation = _operation(story, effect, _taken(told, effect))
        if not room.takes(*_texts(operation)):
            break
        shown.append(operation)
    return shown, len(effects) - len(shown)


def _taken(told: list[Told], effect: Effect) -> Told | None:
    """Return what is told of `effect`, and take it out."""
    paths = effect_paths(effect)
    for place, one in enumerate(told):
        if one.head.startswith(f"{effect.kind} ") and any(path in one.head for path in paths):
            return told.pop(place)
    return None


def _operation(story: Story, effect: Effect, told: Told | None) -> Operation:
    paths = sorted(effect_paths(effect))
    night = story.night.isoformat()
    evidence = tuple(told.evidence[:MOST_LINES]) if told else ()
    answers = [f"{answer}@{night}" for line in evidence for answer in _ANSWER.findall(line)]
    marks = [quote.partition(" ")[0] for quote in effect.quotes]
    asked = dict.fromkeys([*answers, *(marks or effect.sources)])
    return Operation(
        id=effect.id,
        kind=effect.kind,
        head=one_line(told.head if told else f"{effect.kind} in {', '.join(paths)}", most=_WIDTH),
        places=tuple(_place(change) for change in effect.changes[:MOST_LINES]),
        created=effect.created,
        deleted=tuple(effect.deleted),
        evidence=evidence,
        sources=effect.sources[:MOST_SOURCES],
        asked=tuple(command("dream", "source", story.organisation, one) for one in list(asked)[:MOST_SOURCES]),
        take_back=command("dream", "revert", story.organisation, "--night", night, "--operation", effect.id),
        is_taken_back=effect.reverted,
    )


def _place(change: Change) -> Place:
    removed = [shortened(line, most=_WIDTH) for line in change.removed[:MOST_LINES]]
    added = [shortened(line, most=_WIDTH) for line in change.added[:MOST_LINES]]
    left = len(change.removed) + len(change.added) - len(removed) - len(added)
    if len(removed) == len(added):
        pairs = [compared(old, new) for old, new in zip(removed, added, strict=True)]
        return Place(change.path, change.line, tuple(old for old, _ in pairs), tuple(new for _, new in pairs), left)
    return Place(change.path, change.line, tuple(map(whole, removed)), tuple(map(whole, added)), left)


def _texts(operation: Operation) -> list[str]:
    """Return everything that is written of an edit, for what it takes; each line of it comes with some markup."""
    lines = [segment.text for place in operation.places for line in (*place.removed, *place.added) for segment in line]
    paths = [place.path for place in operation.places]
    told = [operation.head, operation.take_back, *operation.evidence, *operation.sources, *operation.asked]
    texts = [*lines, *paths, *operation.created, *operation.deleted, *told]
    return [*texts, " " * (60 * len(texts) + 300)]
