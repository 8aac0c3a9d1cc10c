"""What somebody has undone is not done again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from dream.memory.disputes import read_dispute
from dream.memory.notes import entries_in
from dream.memory.operations import Add, Merge, Move, Operation, Proposal, Refusal, Remove, Revise, Shorten
from dream.memory.paths import Kind, kind_of
from dream.memory.pinned import PinnedCheck, pinned_checks
from dream.memory.similarity import similarity, specifics
from dream.memory.state import Tombstone
from dream.memory.undoing.undone import LEARNINGS

ALIKE = 0.85
PERSON = "person:"


class UndoneGuard:
    """Refuses (`undone`) an operation that would do again what a tombstone says was undone.

    It is the same again if its kind is, its text is at least `alike` similar, and either the specifics are the same or
    all it rests on is older than the undoing. An add comes back only on a newer message of a person, and a note that
    somebody took away is not made again by the task that had made it.
    """

    def __init__(self, tombstones: Sequence[Tombstone], *, alike: float = ALIKE) -> None:
        """Refuse what is like one of `tombstones`."""
        self._tombstones = tombstones
        self._alike = alike

    def __call__(self, proposal: Proposal) -> Refusal | None:
        """Return the refusal, or None where nothing like it was undone."""
        for stone in self._tombstones:
            if stone.kind == proposal.operation.kind and self._repeats(proposal, stone):
                return Refusal("undone", f"like what was undone on {stone.undone.isoformat()}")
        return None

    def _repeats(self, proposal: Proposal, stone: Tombstone) -> bool:
        operation = proposal.operation
        if isinstance(operation, Add) and _returns(operation, stone, is_said=proposal.task == LEARNINGS):
            return False
        if _is_whole(proposal, operation, stone) or _tells_again(operation, stone):
            return True
        if isinstance(operation, Add) and _tells_of_another_thread(operation, stone):
            return False
        return any(
            self._alike_enough(key, other, operation, stone) for key in _keys(operation) for other in _known(stone.keys)
        )

    def _alike_enough(self, key: str, other: str, operation: Operation, stone: Tombstone) -> bool:
        if similarity(key, other, cutoff=self._alike) < self._alike:
            return False
        return specifics(key) == specifics(other) or _is_older(operation.basis.dated, stone)


def _returns(operation: Add, stone: Tombstone, *, is_said: bool) -> bool:
    """Whether a person has asked for it since; all that a learning rests on `is_said` by people, named or not."""
    from_person = is_said or any(source.startswith(PERSON) for source in operation.basis.sources)
    return from_person and not _is_older(operation.basis.dated, stone)


def _tells_of_another_thread(operation: Add, stone: Tombstone) -> bool:
    """Whether this is a line of a day's note about something else: there, lines that differ in a number read alike."""
    return kind_of(operation.path) is Kind.DAILY and not set(operation.basis.sources) & set(stone.sources)


def _is_older(dated: date | None, stone: Tombstone) -> bool:
    return dated is None or dated <= stone.undone


def _is_whole(proposal: Proposal, operation: Operation, stone: Tombstone) -> bool:
    """Whether the operation makes, takes away or moves a whole note that the tombstone is about."""
    match operation:
        case Add(path=path):
            return path in stone.paths and proposal.before.blob(path) is None
        case Remove(span=span) | Move(span=span):
            return span.text is None and span.path in stone.paths
        case Merge(into=into, absorbed=absorbed):
            return any(span.text is None and span.path in stone.paths for span in (into, *absorbed))
        case Revise() | Shorten():
            return False


def _tells_again(operation: Operation, stone: Tombstone) -> bool:
    """Whether a revision tells of a dispute that somebody wants no line about, wherever the other side stands now."""
    if not isinstance(operation, Revise) or operation.span.path not in stone.paths:
        return False
    told = _disputed(operation.new.split("\n")) - _disputed((operation.span.text or "").split("\n"))
    return not told.isdisjoint(_disputed(stone.keys))


def _disputed(lines: Iterable[str]) -> set[tuple[str, str]]:
    """Return what each line about a dispute holds against what."""
    return {(one.here, one.there) for one in map(read_dispute, lines) if one is not None}


def _keys(operation: Operation) -> tuple[str, ...]:
    match operation:
        case Add(text=text):
            return _known([text])
        case Revise(span=span, new=new) | Shorten(span=span, new=new):
            return _known([new, *_new_checks(span.text or "", new)])
        case Remove(span=span) | Move(span=span):
            return _known([span.text or ""])
        case Merge(new=new, absorbed=absorbed):
            return _known([new or "", *(span.text or "" for span in absorbed)])


def _new_checks(old: str, new: str) -> tuple[str, ...]:
    """Return the pinned checks that a revision writes: what somebody undid may have been a check's line alone."""
    standing = set(pinned_checks(old))
    found = (check for check in pinned_checks(new) if check not in standing)
    return tuple(str(check) for check in found if isinstance(check, PinnedCheck))


def _known(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the comparison keys of the statements in `texts`, without date and sources."""
    return tuple(entry.key for text in texts for entry in entries_in(text) if entry.key)
