"""Which notes an index lists when it cannot list all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from dream.memory.limits import IndexLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A note that an index may list; `is_listed` if it does now, `is_worded` if in a person's words.

    `group` is what a flood comes in, by default the folder.
    """

    path: str
    changed: date | None
    is_listed: bool
    is_worded: bool
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Size:
    """How much a page holds or has room for."""

    lines: int
    bytes: int

    def __add__(self, other: Size) -> Size:
        """Both together."""
        return Size(self.lines + other.lines, self.bytes + other.bytes)

    def __sub__(self, other: Size) -> Size:
        """What is left, below 0 where it is too little."""
        return Size(self.lines - other.lines, self.bytes - other.bytes)

    def holds(self, other: Size) -> bool:
        """Whether `other` fits."""
        return other.lines <= self.lines and other.bytes <= self.bytes


def select_notes(
    candidates: Sequence[Candidate], *, room: Size, size_of: Callable[[str], Size], limits: IndexLimits
) -> frozenset[str]:
    """Return the paths to list in `room`: all if they fit, else the newest.

    Half of the lines are kept for what people worded, and no folder gets more than half while others wait, nor does
    an endless path, so that a flood of new notes does not push everything else out. What is not listed comes in
    above the cut; what is listed stays until it is a tenth below it, so that a change to one note moves about one
    line.
    """
    ranked = _ranked(candidates, room.lines, limits)
    fitting = _fitting(ranked, room, size_of)
    if fitting == len(ranked):
        return frozenset(candidate.path for candidate in ranked)
    cut = fitting * 100 // (100 + limits.slack_percent)
    return frozenset(
        candidate.path for rank, candidate in enumerate(ranked[:fitting]) if rank < cut or candidate.is_listed
    )


def _ranked(candidates: Sequence[Candidate], lines: int, limits: IndexLimits) -> list[Candidate]:
    newest = sorted(candidates, key=_newest_first)
    ranked = [candidate for candidate in newest if candidate.is_worded][: lines * limits.worded_percent // 100]
    pinned = frozenset(candidate.path for candidate in ranked)
    folders = Counter(_folder(candidate) for candidate in ranked)
    most = lines * limits.folder_percent // 100
    waiting: list[Candidate] = []
    for candidate in newest:
        if candidate.path in pinned:
            continue
        folders[_folder(candidate)] += 1
        waits = folders[_folder(candidate)] > most or len(candidate.path) > limits.path
        (waiting if waits else ranked).append(candidate)
    return ranked + waiting


def _newest_first(candidate: Candidate) -> tuple[int, bool, str]:
    days = candidate.changed.toordinal() if candidate.changed else 0
    return -days, not candidate.is_worded, candidate.path


def _folder(candidate: Candidate) -> str:
    return candidate.path.rpartition("/")[0] if candidate.group is None else candidate.group


def _fitting(ranked: Sequence[Candidate], room: Size, size_of: Callable[[str], Size]) -> int:
    taken = Size(0, 0)
    for number, candidate in enumerate(ranked):
        taken += size_of(candidate.path)
        if not room.holds(taken):
            return number
    return len(ranked)
