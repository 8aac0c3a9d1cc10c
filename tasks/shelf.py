"""What a model is shown of a memory: the notes that a conversation may be about, never more, however large it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log

from dream.guards.duplicates import StatementIndex
from dream.memory.notes import Entry, Note, NoteCache, NoteStyle
from dream.memory.paths import folders_of, is_topic
from dream.memory.similarity import word_set
from dream.memory.tree import Tree

_LONGEST_ENTRY = 300
_LONGEST_TITLE = 120
_MOST_FOLDERS = 40
_MOST_WORDS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfLimits:
    """How many notes are shown, of how many of them the entries, and at most how many entries of one."""

    notes: int = 30
    opened: int = 8
    entries: int = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The shown part of a memory; `entries` are those shown, by the id (`e3`) under which they are."""

    text: str
    paths: frozenset[str] = frozenset()
    entries: Mapping[str, tuple[str, Entry]] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    style: NoteStyle = NoteStyle.DATED


class Shelf:
    """The topic notes of a night by their words; each is read once, and later trees cost only what differs."""

    def __init__(self, notes: NoteCache) -> None:
        """Read notes through `notes`; nothing is read before `take`."""
        self.statements = StatementIndex(notes)
        self._notes = notes
        self._names: dict[str, frozenset[str]] = {}
        self._rarity: Counter[str] = Counter()

    def take(self, tree: Tree, paths: Iterable[str] | None = None) -> None:
        """Take `paths` as they stand in `tree` now; None is all of them."""
        wanted = list(tree.paths() if paths is None else paths)
        self.statements.refresh(tree, wanted)
        for path in wanted:
            self._rarity.subtract(self._names.pop(path, frozenset()))
            if tree.blob(path) is not None and is_topic(path) and path.isprintable():
                self._names[path] = word_set(path.removesuffix(".md"))
                self._rarity.update(self._names[path])

    def closest(self, words: frozenset[str], *, most: int) -> tuple[str, ...]:
        """Return the paths that share the rarest of `words`, in their statements or in their own names, best first."""
        scores = self.statements.scores(words, most=_MOST_WORDS)
        for path, names in self._names.items():
            for name in names & words:
                scores[path] = scores.get(path, 0) + log(1 + len(self._names) / self._rarity[name])
        ranked = sorted(scores, key=lambda path: (-scores[path], path))
        return tuple(path for path in ranked if path in self._names)[:most]

    def named(self, stem: str) -> str:
        """Return the first path whose file is called `stem`, in whatever folder and case; empty where there is none."""
        return min((path for path in self._names if f"/{path.lower()}".endswith(f"/{stem}.md")), default="")

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders of topic notes, those with most notes first."""
        counted = Counter(folder for path in self._names for folder in folders_of(path))
        return tuple(folder for folder, _ in sorted(counted.items(), key=lambda item: (-item[1], item[0])))

    def view(self, tree: Tree, words: frozenset[str], *, limits: ShelfLimits, screen: Callable[[str], str]) -> View:
        """Return what is shown of `tree` beside a text of `words`; every line of the memory goes through `screen`."""
        folders = self.folders
        shown = [screen(folder) for folder in folders[:_MOST_FOLDERS] if folder.isprintable()]
        # First, because a question cuts what is too long at its end.
        lines = [f"Folders: {', '.join(shown) or 'none'}"]
        entries: dict[str, tuple[str, Entry]] = {}
        paths: list[str] = []
        styles: Counter[NoteStyle] = Counter()
        for path in self.closest(words, most=limits.notes):
            note = None if path in tree.oddities() else self._notes.note(tree, path)
            if not isinstance(note, Note) or note.broken:
                continue
            styles[note.style] += 1
            lines.append(f"{screen(path)}: {_short(screen(note.title), _LONGEST_TITLE)}")
            if len(paths) < limits.opened:
                for entry in _telling(note.entries, words, most=limits.entries):
                    name = f"e{len(entries) + 1}"
                    entries[name] = (path, entry)
                    dated = f" ({entry.date.isoformat()})" if entry.date else ""
                    lines.append(f"  {name}: {_short(screen(entry.key), _LONGEST_ENTRY)}{dated}")
            paths.append(path)
        return View(
            text="\n".join(lines),
            paths=frozenset(paths),
            entries=entries,
            folders=folders,
            style=styles.most_common(1)[0][0] if styles else NoteStyle.DATED,
        )


def _telling(entries: Sequence[Entry], words: frozenset[str], *, most: int) -> Sequence[Entry]:
    """The entries that share most words with the conversation, in the order of the note."""
    if len(entries) <= most:
        return entries
    ranked = sorted(entries, key=lambda entry: -len(word_set(entry.key) & words))[:most]
    return sorted(ranked, key=lambda entry: entry.start)


def _short(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"
