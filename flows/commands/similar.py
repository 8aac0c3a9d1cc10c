"""`dream similar`: what a memory says already that is like what somebody is about to write, for agents and hooks."""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from dream.errors import UsageError
from dream.memory.notes import Entry, Note, NoteCache, entries_in
from dream.memory.sources import Origin, weakest
from dream.memory.tree import Tree
from dream.proposals.likeness import Like, Likeness
from dream.report.escaping import one_line, shortened
from flows.commands.answers import Answer
from flows.commands.folders import FolderTree

LONGEST = 20_000
"""Characters of a text that is asked about."""

MOST_STATEMENTS = 20
"""Statements in one text: somebody who writes more writes a note, not an entry."""

_FEWEST_WORDS = 4
_SHOWN = 200
_VALUE = 60


def similar_command(target: str, text: str, *, most: int, within: str) -> Answer:
    """Return the answer of `dream similar`; exit 1 where anything is a strong match.

    Raises:
        UsageError: there is no such memory, or the text is empty, too long, or says nothing.
        DreamError: the organisation's remote cannot be read.
    """
    said = _read_text(text)
    tree, folder = _memory(target)
    notes = NoteCache()
    entries = _asked(said, tree, notes, within=_relative(within, folder))
    likeness = Likeness(tree, notes)
    found = [like for entry in entries for like in likeness.find(entry)]
    found.sort(key=lambda like: (not like.is_strong, -like.alike, like.path, like.entry.start))
    today = datetime.now(UTC).date()
    shown = [_payload(like, folder, today) for like in found[:most]]
    lines = [_line(payload) for payload in shown]
    if len(found) > most:
        lines.append(f"and {len(found) - most} more")
    strong = sum(like.is_strong for like in found)
    return Answer(
        text="\n".join(lines or ["nothing like it"]),
        document={"target": target, "statements": len(entries), "strong": strong, "found": shown},
        exit_code=1 if strong else 0,
    )


def _read_text(text: str) -> str:
    said = sys.stdin.read(LONGEST + 1) if text == "-" else text
    if len(said) > LONGEST:
        message = f"the text is longer than {LONGEST} characters"
        raise UsageError(message, way_out="ask about one entry at a time")
    if not any(map(str.isalnum, said)):
        message = "the text is empty"
        raise UsageError(message, way_out="give the entry as it would be written, or - and write it to standard input")
    return said


def _memory(target: str) -> tuple[Tree, Path | None]:
    path = Path(target)
    if "/" not in target and not target.startswith("."):
        from flows.commands.check_organisation import organisations_memory  # noqa: PLC0415  # a folder needs none of it

        subject = organisations_memory(target)
        if subject is not None:
            return subject.tree, None
    if not path.is_dir():
        message = f"there is no folder and no organisation {target}"
        raise UsageError(message, way_out="name the folder that is the memory, or an organisation")
    return FolderTree(path), path.resolve()


def _relative(within: str, folder: Path | None) -> str:
    if folder is None or not within or not Path(within).is_absolute():
        return within.removeprefix("./")
    place = Path(within).resolve()
    return place.relative_to(folder).as_posix() if place.is_relative_to(folder) else ""


def _asked(said: str, tree: Tree, notes: NoteCache, *, within: str) -> list[Entry]:
    """Return the statements that are asked about: those that say enough, and do not stand in `within` as they are."""
    entries = entries_in(said)
    if not entries:
        message = "the text holds no statement"
        raise UsageError(message, way_out="give the entry as it would be written")
    note = notes.note(tree, within) if within else None
    standing = {entry.key for entry in note.entries} if isinstance(note, Note) else set()
    least = _FEWEST_WORDS if len(entries) > 1 else 1
    asked = [entry for entry in entries if entry.key not in standing and len(entry.key.split()) >= least]
    if len(asked) > MOST_STATEMENTS:
        message = f"the text holds {len(asked)} statements, more than {MOST_STATEMENTS}"
        raise UsageError(message, way_out="ask about a few entries at a time")
    return asked


def _payload(like: Like, folder: Path | None, today: date) -> dict[str, Any]:
    """Return what is told of a match; nothing that the screen withholds speaks through it."""
    from dream.guards.screen import screen_line, withheld_marker  # noqa: PLC0415  # most questions find nothing to show

    entry = like.entry
    told = "\n".join((like.path, entry.raw.replace("\r", "")))
    withheld = screen_line(told, Origin.EXTERNAL) or screen_line(entry.key, Origin.EXTERNAL)
    marker = withheld_marker(entry.raw.encode(errors="surrogatepass"), withheld.reason) if withheld else ""
    changed = None if entry.date else _changed(like.path, folder)
    origin = weakest(entry.sources)
    return {
        "path": "" if screen_line(like.path, Origin.EXTERNAL) else one_line(like.path),
        "line": entry.start + 1,
        "reason": like.reason,
        "score": round(like.alike, 2),
        "date": entry.date.isoformat() if entry.date else "",
        "changed": changed.isoformat() if changed else "",
        "days": (today - day).days if (day := entry.date or changed) else None,
        "origin": str(origin) if origin else "unknown",
        "sources": [] if withheld else [one_line(source, most=_VALUE) for source in entry.sources[:3]],
        "ours": [] if withheld else [one_line(value, most=_VALUE) for value in like.ours[:3]],
        "theirs": [] if withheld else [one_line(value, most=_VALUE) for value in like.theirs[:3]],
        "statement": marker or one_line(entry.key, most=_SHOWN),
    }


def _changed(path: str, folder: Path | None) -> date | None:
    try:
        return datetime.fromtimestamp((folder / path).stat().st_mtime, UTC).date() if folder else None
    except OSError:
        return None


def _line(told: dict[str, Any]) -> str:
    where = f"{told['path'] or '[withheld path]'}:{told['line']}"
    what = f"{told['reason']} {told['score']:.2f}"
    if told["ours"] or told["theirs"]:
        what += f", differs in {', '.join(told['ours']) or 'nothing'} against {', '.join(told['theirs']) or 'nothing'}"
    when = told["date"] or (f"changed {told['changed']}" if told["changed"] else "no date")
    age = f" ({told['days']} days ago)" if told["days"] is not None else ""
    origin = " ".join((told["origin"], *told["sources"]))
    return shortened(f"{where}: {what}; {when}{age}; {origin}; {told['statement']}", most=1_000)
