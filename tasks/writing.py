"""How a new statement is written: in the style of the note that it goes to, and under a path that code chose."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from dream.memory.entries import UPDATED, EntryStyle
from dream.memory.notes import Entry, Note, NoteStyle, render_entry
from dream.memory.paths import is_creatable, is_topic
from dream.memory.pinned import carry_checks, check_lines, without_checks
from dream.memory.similarity import similarity
from tasks.entries import cited

KNOWN_FOLDERS = frozenset({"alerts", "databases", "decisions", "queues", "repositories", "services", "teams", "tools"})
"""Folders that the night may make where a memory has none that fits."""

ELSEWHERE = "topics"
_OF_OTHERS = frozenset({"conventions"})
_LONGEST_SLUG = 60
_LINE_ALIKE = 0.6
_LEAD = re.compile(r"\ufeff?[ \t]{0,3}(?:[-+*]|[0-9]{1,9}[.)])[ \t]+")
_BULLET = re.compile(r"[ \t]{0,12}[-+*][ \t]+")
_HEADING = re.compile(r"(#{1,6})[ \t]+")
_SENTENCE = re.compile(r"(?<=[.!?])[ ](?=[A-Z`\"])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A statement that passed every gate, with the sources and the day that its entry cites."""

    statement: str
    sources: tuple[str, ...]
    dated: date
    tentative: bool = False

    @property
    def ended(self) -> str:
        """The statement as a sentence."""
        return self.statement if self.statement.endswith((".", "!", "?", "…")) else f"{self.statement}."


def slug_of(resource: str) -> str:
    """Return a file's name for `resource`, without ending; empty where nothing of it can stand in one."""
    return re.sub(r"[^a-z0-9]+", "-", resource.lower()).strip("-")[:_LONGEST_SLUG].rstrip("-")


def new_path(resource: str, folder: str, *, folders: Collection[str], has_root_notes: bool) -> str:
    """Return the path of a new note on `resource`, empty where no path may be made of it.

    `folder` is a wish: it is granted where the memory has such a folder, or where it is one of the usual ones.
    """
    wanted = folder.strip().strip("/").lower()
    known = {one.lower(): one for one in folders if one.split("/")[0] not in _OF_OTHERS}
    chosen = known.get(wanted) or (wanted if wanted in KNOWN_FOLDERS else "")
    if not chosen and not (has_root_notes and not folders):
        chosen = ELSEWHERE
    name = f"{slug_of(resource)}.md"
    path = f"{chosen}/{name}" if chosen else name
    return path if slug_of(resource) and is_creatable(path) and is_topic(path) else ""


def opening_of(resource: str, style: NoteStyle) -> str:
    """Return what a new note on `resource` begins with, in a memory whose notes are of `style`."""
    if style is not NoteStyle.FRONTMATTER:
        return f"# {resource}\n"
    described = json.dumps(resource, ensure_ascii=False)
    return f"---\nname: {slug_of(resource)}\ndescription: {described}\ntype: project\n---\n"


def entry_of(note: Note | None, line: Line, *, style: NoteStyle, resource: str) -> str:
    """Return the lines that tell `line` in `note`, or in a note of `style` that is yet to be made."""
    match note.style if note else style:
        case NoteStyle.FRONTMATTER:
            wanted, statement = EntryStyle.BODY, line.ended
        case NoteStyle.SECTIONS if note:
            wanted, statement = EntryStyle.SECTION, f"{_level_of(note)} {resource}\n{line.ended}"
        case NoteStyle.PLAIN if note and note.entries:
            wanted, statement = EntryStyle.ITEM, line.ended
        case _:
            wanted, statement = EntryStyle.DATED, line.ended
    return _rendered(note or "\n", statement, line, wanted)


def revised(note: Note, entry: Entry, line: Line) -> str | None:
    """Return the lines of `entry` when it says `line` instead of what it said of the same thing.

    Of several sentences, and of the lines of a body or a section, only the one that is most like it changes; a body in
    which none is gets a new line. None where an entry of several sentences has none that is like it to the letter.
    Checks that people pinned to it stay as they are: it is for the next verification to say what they come to.
    """
    if entry.style in {EntryStyle.BODY, EntryStyle.SECTION}:
        return _revised_inside(note, entry, line)
    told = sentences_of(entry.key)
    if len(told) > 1:
        stale = most_alike(told, line.statement)
        if stale is None or told[stale] not in without_checks(entry.raw):
            return None
        text = entry.raw.replace(told[stale], line.ended, 1)
        sources = (*entry.sources, *line.sources)
        return cited(entry, text, sources=sources, dated=line.dated, is_tentative=line.tentative)
    text = _rendered(note, line.ended, line, entry.style)
    ours, theirs = _LEAD.match(text), _LEAD.match(entry.raw)
    return carry_checks(theirs[0] + text[ours.end() :] if ours and theirs else text, entry.raw)


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of a comparison key."""
    return tuple(filter(None, (part.strip() for part in _SENTENCE.split(text))))


def most_alike(told: Sequence[str], statement: str) -> int | None:
    """Return which of the texts `told` tells what `statement` tells, with whatever value; None where none does."""
    best, place = 0.0, None
    for number, text in enumerate(told):
        alike = similarity(text, statement, cutoff=_LINE_ALIKE)
        if alike > best:
            best, place = alike, number
    return place


def lines_of(entry: Entry) -> tuple[str, ...]:
    """Return what each line of a body or a section says, without marker and sources; nothing for a pinned check."""
    lines = [raw.rstrip("\r") for raw in entry.raw.split("\n")]
    checks = check_lines(lines)
    return tuple("" if number in checks else _words_of(raw) for number, raw in enumerate(lines))


def _revised_inside(note: Note, entry: Entry, line: Line) -> str:
    lines = [raw.rstrip("\r") for raw in entry.raw.split("\n")]
    place = most_alike(lines_of(entry), line.statement)
    if place is None:
        checks = check_lines(lines)
        last = max((number for number in range(len(lines)) if number not in checks), default=-1)
        bulleted = bool(_BULLET.match(lines[last]))
        lines += [] if bulleted else [""]
        lines.append(_rendered(note, line.ended, line, EntryStyle.ITEM if bulleted else EntryStyle.BODY))
    else:
        lead = _BULLET.match(lines[place])
        lines[place] = (lead[0] if lead else "") + _rendered(note, line.ended, line, EntryStyle.BODY)
    if entry.style is EntryStyle.SECTION:
        lines = [_updated(raw, line.dated) for raw in lines]
    return "\n".join(lines)


def _updated(raw: str, day: date) -> str:
    match = UPDATED.match(raw)
    return raw.replace(match[1], day.isoformat(), 1) if match and match[1] < day.isoformat() else raw


def _words_of(raw: str) -> str:
    text = _BULLET.sub("", raw, count=1).strip()
    return text.rpartition(" [")[0] if text.endswith("]") and " [" in text else text


def _level_of(note: Note) -> str:
    for entry in note.entries:
        match = _HEADING.match(entry.raw)
        if match:
            return match[1]
    return "##"


def _rendered(note: Note | str, statement: str, line: Line, style: EntryStyle) -> str:
    return render_entry(note, statement, dated=line.dated, sources=line.sources, tentative=line.tentative, style=style)
