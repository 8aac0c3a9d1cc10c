"""Checks that people pin to entries: no task makes, drops or changes one; only verification moves what it expects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from dream.guards.wording import span_text, written_text
from dream.memory.allowance import VERIFICATION
from dream.memory.notes import Note, parse_note
from dream.memory.operations import Merge, Move, Proposal, Refusal, Remove, Revise
from dream.memory.paths import Kind, kind_of
from dream.memory.pinned import PinnedCheck, Relation, pinned_checks
from dream.memory.tree import Tree

_HOLDING = frozenset({Kind.TOPIC, Kind.ARCHIVE})
_LONGEST_SHOWN = 120

_Checks = Counter[PinnedCheck]


def guard_pinned_checks(proposal: Proposal) -> Refusal | None:
    """Refuse with `drops-check` or `new-check` what would change the checks in topic notes, however it does.

    Whoever could plant a check would plant its own truth. So only verification changes one, and of that only the value
    that something `is`, by a revision with evidence; and it alone removes an entry with its checks, with evidence too.
    A merge may let one of two equal checks go.
    """
    operation = proposal.operation
    if isinstance(operation, Move) and operation.span.text is None:
        return None
    gone, new = _changed(proposal)
    if proposal.task == VERIFICATION and any(map(str.strip, operation.basis.evidence)):
        match operation:
            case Remove():
                gone = _Checks()
            case Revise():
                gone, new = _apart_from_expected(gone, new)
            case _:
                pass
    if isinstance(operation, Merge):
        kept = written_text(operation) if operation.new is not None else span_text(operation.into, proposal.before)
        gone -= Counter(dict.fromkeys(_readable(kept), gone.total()))
    if new:
        return Refusal("new-check", _shown(new))
    return Refusal("drops-check", _shown(gone)) if gone else None


def _changed(proposal: Proposal) -> tuple[_Checks, _Checks]:
    """Return which checks an operation takes from the notes that it touches, and which it brings into them.

    Counted by entry, since what belongs to none is asked by nobody, and by line, since it may belong to one tomorrow.
    """
    before, after = _notes(proposal.before, proposal), _notes(proposal.after, proposal)
    by_entry, by_entry_now = _counted(before, _by_entry), _counted(after, _by_entry)
    by_line, by_line_now = _counted(before, _by_line), _counted(after, _by_line)
    return (by_entry - by_entry_now) | (by_line - by_line_now), (by_entry_now - by_entry) | (by_line_now - by_line)


def _notes(tree: Tree, proposal: Proposal) -> list[Note]:
    files = (tree.read(path) for path in proposal.touched if kind_of(path) in _HOLDING)
    notes = (parse_note(data, max_bytes=len(data)) for data in files if data is not None and b"heck:" in data)
    return [note for note in notes if isinstance(note, Note)]


def _counted(notes: Sequence[Note], read: Callable[[Note], Iterable[PinnedCheck]]) -> _Checks:
    return Counter(check for note in notes for check in read(note))


def _by_entry(note: Note) -> Iterator[PinnedCheck]:
    for entry in note.entries:
        yield from _readable(entry.raw)


def _by_line(note: Note) -> Iterator[PinnedCheck]:
    return _readable(note.text)


def _readable(text: str) -> Iterator[PinnedCheck]:
    return (check for check in pinned_checks(text) if isinstance(check, PinnedCheck))


def _apart_from_expected(gone: _Checks, new: _Checks) -> tuple[_Checks, _Checks]:
    """Return both without the pairs that ask the same and differ in nothing but the value that they expect."""
    asked = Counter(replace(check, expected="") for check in gone.elements() if check.relation is Relation.IS)
    asking = Counter(replace(check, expected="") for check in new.elements())
    moved = asked & asking
    return _left(gone, moved), _left(new, moved)


def _left(checks: _Checks, moved: _Checks) -> _Checks:
    budget = Counter(moved)
    left: _Checks = Counter()
    for check in sorted(checks.elements(), key=str):
        asked = replace(check, expected="")
        if budget[asked]:
            budget[asked] -= 1
        else:
            left[check] += 1
    return left


def _shown(checks: _Checks) -> str:
    return ascii(min(map(str, checks)).removeprefix("check: ")[:_LONGEST_SHOWN])[1:-1]
