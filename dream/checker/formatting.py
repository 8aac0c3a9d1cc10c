"""Dated entries written as the others of their note: one marker, one way to write the day, one form of brackets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from dream.checker.finding import Finding, find
from dream.memory.notes import Entry, Note, NoteStyle, parse_note
from dream.memory.sources import split_citation

_LEAD = re.compile(
    r"(?P<mark>\ufeff?[ \t]{0,3})(?P<marker>[-+*])(?P<blanks>[ \t]+)"
    r"(?:\*\*(?P<inside>[0-9-]{10}):\*\*|\*\*(?P<outside>[0-9-]{10})\*\*:|(?P<plain>[0-9-]{10}):)(?P<after>[ \t]+)"
)
_FORMS = {"plain": "{}:", "inside": "**{}:**", "outside": "**{}**:"}


class _Habit(NamedTuple):
    """How most entries of a note begin."""

    marker: str
    form: str


def format_entries(note: Note) -> str:
    """Return the text of `note` with its dated entries written alike, every entry saying what it said.

    The text as it is, where the note keeps no dated entries or would be read as anything else afterwards.
    """
    if note.style is not NoteStyle.DATED or note.broken:
        return note.text
    lines = list(note.lines)
    for number, line in _formatted(note):
        lines[number] = line
    text = "\n".join(lines)
    return text if text == note.text or _says_the_same(note, text) else note.text


def check_formatting(path: str, note: Note) -> Iterator[Finding]:
    """Yield the lines of the note at `path` that are not written as the others."""
    if note.style is NoteStyle.DATED:
        lines = format_entries(note).split("\n")
        for number, (old, new) in enumerate(zip(note.lines, lines, strict=True), start=1):
            if old != new:
                yield find("entry-format", path, "not written as the others", line=number)


def _formatted(note: Note) -> Iterator[tuple[int, str]]:
    leads = [match for entry in note.entries if (match := _LEAD.match(note.lines[entry.start]))]
    counted = Counter(_Habit(match["marker"], _form_of(match)) for match in leads)
    if not counted:
        return
    habit = max(counted, key=lambda one: (counted[one], one == _Habit("-", "plain"), one))
    for entry in note.entries:
        first, last = entry.start, _last_line(note, entry)
        begun = _begun(note.lines[first], habit, is_single=entry.end == entry.start + 1)
        yield first, _cited(begun) if first == last else begun
        if last != first:
            yield last, _cited(note.lines[last])


def _form_of(match: re.Match[str]) -> str:
    return next(form for form in _FORMS if match[form])


def _last_line(note: Note, entry: Entry) -> int:
    return max(n for n in range(entry.start, entry.end) if n == entry.start or note.lines[n].strip())


def _begun(line: str, habit: _Habit, *, is_single: bool) -> str:
    match = _LEAD.match(line)
    if match is None:
        return line
    day = _FORMS[habit.form].format(match[_form_of(match)])
    # What goes on below is indented by as much as stands before the first word.
    blanks = " " if is_single else match["blanks"]
    return f"{match['mark']}{habit.marker}{blanks}{day} {line[match.end() :]}"


def _cited(line: str) -> str:
    """Return `line` with what its last bracket names parted by a comma and a blank."""
    text = line.rstrip()
    said, citation = split_citation(text)
    if citation is None or not said.strip():
        return line
    inside = text[text.rindex("[") + 1 : -1].replace(";", ",").split(",")
    return f"{said} [{', '.join(part.strip() for part in inside)}]{line[len(text) :]}"


def _says_the_same(note: Note, text: str) -> bool:
    read = parse_note(text.encode(errors="surrogatepass"))
    return isinstance(read, Note) and read.other == note.other and _said(read) == _said(note)


def _said(note: Note) -> list[tuple[object, ...]]:
    return [(one.key, one.date, one.sources, one.tentative, one.start, one.end) for one in note.entries]
