"""The notes of a night with every line that it made or took away, so that any part of it can be left out again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from dream.memory.records import Change, Effect
from dream.memory.tree import Tree
from dream.memory.undoing.undone import effect_paths

Restore = Callable[[str], bytes | None]
"""What returns the bytes of a blob by its id, None where they are no longer known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """One line that a note has ever had that night: which effects made it and took it away; empty is none."""

    text: str
    made: str = ""
    gone: str = ""


class Weave:
    """What the notes come to without some of a night's effects, in whatever order those are taken back.

    A line stands if what made it stands and nothing that stands took it away; the order of lines is that of the night.
    Of a note that was made, headings and blank lines stay for as long as something else does.
    """

    def __init__(self, effects: Sequence[Effect], landed: Tree, *, restore: Restore) -> None:
        """Weave what `effects` (oldest first) have touched, from the tree that they came to.

        A note whose lines do not lead back through them all is left out: others wrote in it between them.
        """
        times = Counter(effect.id for effect in effects)
        unclear = {path for one in effects if times[one.id] > 1 for path in effect_paths(one)}
        self._creators = {(effect.id, path) for effect in effects for path in effect.created}
        paths = {path for effect in effects for path in effect_paths(effect)} - unclear
        woven = ((path, _weave(path, landed.read(path), effects, restore)) for path in sorted(paths))
        self._notes = {path: lines for path, lines in woven if lines is not None}

    def knows(self, path: str) -> bool:
        """Whether `without` can tell of `path`."""
        return path in self._notes

    def without(self, path: str, gone: Collection[str]) -> bytes | None:
        """Return the bytes of `path` without the effects whose ids are `gone`; None for no note there."""
        standing = self._standing(path, gone)
        lines = [line.text for line, stands in zip(self._notes[path], standing, strict=True) if stands]
        return "\n".join(lines).encode() if lines else None

    def rebased(self, effect: Effect, gone: Collection[str]) -> Effect:
        """Return `effect` with its changes as they read among the lines that stand without what is `gone`."""
        changes: list[Change] = []
        for path in dict.fromkeys(change.path for change in effect.changes):
            kept = [change for change in effect.changes if change.path == path]
            changes += self._changes(path, effect, gone) if path in self._notes else kept
        return effect.model_copy(update={"changes": tuple(changes)})

    def left_over(self, path: str, gone: Collection[str], lines: Sequence[str]) -> bool:
        """Whether `lines` are no more than headings of a note that one of `gone` had made."""
        ours = {
            line.text
            for line in self._notes.get(path, ())
            if line.made in gone and (line.made, path) in self._creators and _is_frame(line)
        }
        return bool(ours) and all(line in ours for line in lines if line.strip())

    def _changes(self, path: str, effect: Effect, gone: Collection[str]) -> list[Change]:
        """Return what taking back `effect` changes, the other way round: as if it were landing now.

        Others wrote in that note, so that its headings stay for what they wrote, whatever else goes.
        """
        before = self._standing(path, gone, lived_in=True)
        after = self._standing(path, {*gone, effect.id}, lived_in=True)
        rows = [row for row in zip(self._notes[path], before, after, strict=True) if row[1] or row[2]]
        changes: list[Change] = []
        at = 0
        shown = [line.text for line, now, _ in rows if now]
        for same, run in groupby(rows, key=lambda row: row[1] == row[2]):
            members = list(run)
            added = tuple(line.text for line, now, _ in members if now)
            if not same:
                removed = tuple(line.text for line, _, then in members if then)
                above = shown[at - 1] if at else ""
                end = at + len(added)
                below = shown[end] if end < len(shown) else ""
                changes.append(Change(path=path, line=at, above=above, below=below, added=added, removed=removed))
            at += len(added)
        return changes

    def _standing(self, path: str, gone: Collection[str], *, lived_in: bool = False) -> list[bool]:
        lines = self._notes[path]
        stands = [line.made not in gone and (not line.gone or line.gone in gone) for line in lines]
        frame = [
            line.made in gone
            and (line.made, path) in self._creators
            and _is_frame(line)
            and (not line.gone or line.gone in gone)
            for line in lines
        ]
        if lived_in or any(one and line.text.strip() for one, line in zip(stands, lines, strict=True)):
            return [one or framed for one, framed in zip(stands, frame, strict=True)]
        unmade = any(path == made and creator in gone for creator, made in self._creators)
        return [False] * len(lines) if unmade else stands


def _weave(path: str, data: bytes | None, effects: Sequence[Effect], restore: Restore) -> list[_Line] | None:
    """Return the lines of a note from its first to its last state of the night, walking back; None where it breaks."""
    now = _lines(data)
    if now is None:
        return None
    lines = [_Line(text=text) for text in now]
    standing = list(range(len(lines)))
    for effect in reversed(effects):
        if path in effect.deleted:
            kept = restore(effect.deleted[path])
            back = None if kept is None or standing else _lines(kept)
            if back is None:
                return None
            standing = list(range(len(lines), len(lines) + len(back)))
            lines += [_Line(text=text, gone=effect.id) for text in back]
        for change in reversed([one for one in effect.changes if one.path == path]):
            place = _undo(lines, standing, change, effect.id)
            if place is None:
                return None
            lines, standing = place
        if path in effect.created and standing:
            return None
    return lines


def _undo(lines: list[_Line], standing: list[int], change: Change, effect: str) -> tuple[list[_Line], list[int]] | None:
    """Return all lines and which stand before `change`, or None where they are not what it left behind.

    What it took away goes before what it put there, or, where it put nothing, right under the line above.
    """
    start, end = change.line, change.line + len(change.added)
    here = standing[start:end]
    texts = tuple(lines[at].text for at in here)
    above = lines[standing[start - 1]].text if 0 < start <= len(standing) else ""
    below = lines[standing[end]].text if end < len(standing) else ""
    if (texts, above, below) != (change.added, change.above, change.below) or start > len(standing):
        return None
    made = {at: replace(lines[at], made=effect) for at in here}
    place = here[0] if here else standing[start - 1] + 1 if start else 0
    fresh = [_Line(text=text, gone=effect) for text in change.removed]
    woven = [made.get(at, line) for at, line in enumerate(lines)]
    shift = [at + len(fresh) if at >= place else at for at in standing]
    return [*woven[:place], *fresh, *woven[place:]], [
        *shift[:start],
        *range(place, place + len(fresh)),
        *shift[end:],
    ]


def _lines(data: bytes | None) -> list[str] | None:
    try:
        return data.decode().split("\n") if data else []
    except UnicodeDecodeError:
        return None


def _is_frame(line: _Line) -> bool:
    return not line.text.strip() or line.text.startswith("#")
