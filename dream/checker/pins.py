"""The checks that people pinned to the entries of a note: which cannot be asked, and which say less than they seem."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from dream.memory.notes import Entry, Note, NoteStyle
from dream.memory.paths import is_topic
from dream.memory.pinned import BrokenCheck, PinnedCheck, Relation, check_lines, pinned_checks, without_checks
from dream.memory.quantities import is_same_value, number_of, plain_value

_BOUNDS = frozenset({Relation.AT_LEAST, Relation.AT_MOST})
_WORD = re.compile(r"[-+]?[0-9][\w.,']{0,60}")
_SAID_OTHERWISE = frozenset({"0", "1", "200", "true", "false", "yes", "no", "present", "absent"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What an organisation can ask: the names of its probes, and `objection`, why a question may not be put to one."""

    probes: Collection[str]
    objection: Callable[[str, str, str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PinTrouble:
    """What is wrong with a check on `line` (from 0) of its note, by which rule; `way_out` where that is its own."""

    rule: str
    line: int
    message: str
    way_out: str = ""


def check_pins(path: str, note: Note, asking: Asking | None) -> Iterator[PinTrouble]:
    """Yield what is wrong with the checks in the note at `path`; what can be asked is known only where `asking` is."""
    if "heck" not in note.text:
        return
    read: set[int] = set()
    known: dict[PinnedCheck, int] = {}
    for entry in note.entries:
        for check in pinned_checks(entry.raw):
            line = entry.start + check.line
            read.add(line)
            if isinstance(check, BrokenCheck):
                yield PinTrouble(rule="check-unreadable", line=line, message="it is no check", way_out=check.reason)
                continue
            if not is_topic(path):
                yield PinTrouble(rule="check-not-asked", line=line, message="nights verify topic notes alone")
            yield from _doubtful(entry, check, line)
            yield from _unaskable(check, line, asking)
            first = known.setdefault(_question(check), line)
            if first != line:
                yield PinTrouble(rule="check-repeated", line=line, message=f"line {first + 1} asks the same")
    for line in sorted(check_lines(note.lines) - read):
        yield _unattached(note, line)


def _unattached(note: Note, line: int) -> PinTrouble:
    """Return that a check is part of no entry, and why what stands above it is none, where that is the reason."""
    checks = check_lines(note.lines)
    place = next((at for at in range(line - 1, -1, -1) if note.lines[at].strip() and at not in checks), None)
    way_out = ""
    if place is not None and not note.lines[place].lstrip().startswith("#"):
        is_entry = any(entry.start <= place < entry.end for entry in note.entries)
        if note.style is NoteStyle.DATED and not is_entry:
            way_out = (
                f"line {place + 1} has no date, and entries of this note have one: begin what it checks with "
                "`- YYYY-MM-DD: `"
            )
        elif note.style is NoteStyle.SECTIONS and not is_entry:
            way_out = (
                f"line {place + 1} is in no dated section, and entries of this note are such: write "
                "`**Updated:** YYYY-MM-DD` below its heading"
            )
    return PinTrouble(rule="check-unattached", line=line, message="it is part of no entry", way_out=way_out)


def _question(check: PinnedCheck) -> PinnedCheck:
    return PinnedCheck(
        probe=check.probe, operation=check.operation, text=check.text, relation=check.relation, expected=""
    )


def _doubtful(entry: Entry, check: PinnedCheck, line: int) -> Iterator[PinTrouble]:
    if check.relation in _BOUNDS and number_of(check.expected) is None:
        yield PinTrouble(rule="check-undecidable", line=line, message=f"{check.relation} compares numbers alone")
    elif check.relation is Relation.IS and not _states(without_checks(entry.raw), check.expected):
        yield PinTrouble(rule="check-unstated", line=line, message="the entry does not state what it expects")


def _states(text: str, expected: str) -> bool:
    wanted = plain_value(expected).casefold()
    if wanted in _SAID_OTHERWISE or wanted in plain_value(text).casefold():
        return True
    return any(is_same_value(word.rstrip(".,'"), expected) for word in _WORD.findall(text))


def _unaskable(check: PinnedCheck, line: int, asking: Asking | None) -> Iterator[PinTrouble]:
    if asking is None:
        return
    if check.probe not in asking.probes:
        known = ", ".join(sorted(asking.probes)) or "none"
        yield PinTrouble(
            rule="check-unknown-probe", line=line, message=f"{check.probe} is none of the systems: {known}"
        )
        return
    objection = asking.objection(check.probe, check.operation, check.text)
    if objection:
        yield PinTrouble(rule="check-refused", line=line, message=objection)
