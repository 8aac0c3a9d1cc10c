"""What was written since the last night that tidied: nobody has had the time to see it, so it is not merged away."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from dream.memory.notes import Entry, Note, NoteCache
from dream.memory.tree import Tree


class Freshness:
    """Tells what did not stand in the last tip that tidy has seen, entry by entry.

    That is `landed`: the tip of the last landed night, unless tidy failed in it. None: every entry of a changed note.
    """

    def __init__(
        self,
        changed: Collection[str],
        *,
        landed: Tree | None = None,
        notes: NoteCache | None = None,
        renames: Mapping[str, str] | None = None,
    ) -> None:
        """Only notes in `changed` can hold anything fresh; what moved with its note (`renames`) is not fresh."""
        self._changed = frozenset(changed)
        self._landed = landed
        self._notes = notes or NoteCache()
        self._keys: dict[str, frozenset[str]] = {}
        self._before = origins(renames or {}, landed)

    @property
    def landed(self) -> Tree | None:
        """The tree of the last tip that tidy has seen, if there is one that is known."""
        return self._landed

    def is_fresh(self, path: str, entry: Entry) -> bool:
        """Whether `entry` of the note at `path` did not stand there, or where its note stood, at the last landing."""
        if path not in self._changed:
            return False
        return entry.key not in self._keys_at(path) and entry.key not in self._keys_at(self._before.get(path, path))

    def is_fresh_line(self, path: str, line: str) -> bool:
        """Whether `line` of the note at `path` did not stand there, or where its note stood, at the last landing."""
        if path not in self._changed:
            return False
        return not any(line in self._lines_at(one) for one in {path, self._before.get(path, path)})

    def is_new(self, path: str) -> bool:
        """Whether the note at `path` was not there at the last landing."""
        return path in self._changed and (
            self._landed is None or all(self._landed.blob(old) is None for old in (path, self._before.get(path, path)))
        )

    def _lines_at(self, path: str) -> tuple[str, ...]:
        note = None if self._landed is None else self._notes.note(self._landed, path)
        return note.lines if isinstance(note, Note) else ()

    def _keys_at(self, path: str) -> frozenset[str]:
        if path not in self._keys:
            note = None if self._landed is None else self._notes.note(self._landed, path)
            keys = (entry.key for entry in note.entries) if isinstance(note, Note) else ()
            self._keys[path] = frozenset(keys)
        return self._keys[path]


def origins(renames: Mapping[str, str], landed: Tree | None) -> dict[str, str]:
    """Return where each renamed note stood in `landed`; over several nights a note may have had other paths between."""
    return {new: old for old, new in renames.items() if landed is None or landed.blob(old) is not None}
