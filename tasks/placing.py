"""Where a new statement belongs: over the entry that says it, into the note that it is about, or into a new one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from dream.guards.duplicates import STRONG_MATCH, differs_in_value_alone, relation
from dream.guards.vocabulary import content_words
from dream.memory.applying import apply_operation
from dream.memory.entries import EntryStyle, collapse
from dream.memory.notes import Entry, Note, NoteCache, NoteStyle, entries_in
from dream.memory.operations import Add, Basis, Operation, Refusal, Revise
from dream.memory.paths import is_topic
from dream.memory.similarity import similarity, word_set
from dream.memory.sources import Origin, weakest
from dream.memory.tree import OverlayTree, Tree
from tasks.entries import span_of
from tasks.ruling import MOST_BESIDE
from tasks.shelf import Shelf, View
from tasks.writing import (
    Line,
    entry_of,
    lines_of,
    most_alike,
    new_path,
    opening_of,
    revised,
    sentences_of,
    slug_of,
)

SAME_MATTER = 0.75
"""From which similarity two statements that differ in nothing but a value are about one thing."""

_RELATED = 0.5
_RELATED_TEXT = 0.6
_MOST_REVISED = 5
_LONGEST_BESIDE = 500
_RANKS = tuple(Origin)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A line with where its proposer would have it: a shown path, else a folder; and the shown entry it replaces."""

    line: Line
    resource: str
    evidence: tuple[str, ...]
    quotes: tuple[str, ...] = ()
    note: str = ""
    folder: str = ""
    replaces: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Standing:
    path: str
    entry: Entry


_Edit = Callable[[Tree], Operation | Refusal]
"""Makes an operation for the tree that those before it left."""


class Placement:
    """Finds the places of one night's statements, each on the tree that those before it left."""

    def __init__(self, tree: Tree, notes: NoteCache, shelf: Shelf) -> None:
        """Begin with `tree`, which `shelf` has taken."""
        self.tree = tree
        self._notes = notes
        self._shelf = shelf
        self._openings: dict[str, str] = {}

    def place(self, wanted: Wanted, view: View) -> tuple[Operation, ...] | Refusal:
        """Return the operations that write the statement, which have been applied to `tree`, or why it is not written.

        Reasons: `already-written`, `near-duplicate`, `no-such-entry`, `replaces-another`, `older-than-standing`,
        `weaker-origin`, `tentative-against-firm`, `no-place`, `not-placeable`, and those of applying.
        """
        chosen = self._replaced(wanted, view)
        if isinstance(chosen, Refusal):
            return chosen
        same, stale, near = self._standing(wanted, chosen)
        if same:
            return self._confirmed(wanted, same)
        if near and not stale:
            return Refusal("near-duplicate", f"{near.path}:{near.entry.start + 1}")
        if not stale:
            return self._applied([partial(self._addition, wanted, view)], wanted)
        for one in stale:
            objection = _objection(one.entry, wanted.line)
            if objection:
                return objection
        return self._applied([partial(self._revision, one, wanted) for one in stale[:_MOST_REVISED]], wanted)

    def beside(self, resource: str, *, note: str, replaces: str, view: View) -> tuple[str, ...]:
        """Return what a new statement would stand beside: the ends of the entries of the note that it would go to."""
        shown = view.entries.get(replaces)
        home = self._note(shown[0] if shown else self._home(resource, note, view))
        entries = home.entries[-MOST_BESIDE:] if home else ()
        return tuple(entry.key[-_LONGEST_BESIDE:].rstrip(". ") for entry in entries)

    def _home(self, resource: str, note: str, view: View) -> str:
        return note if note in view.paths else self._shelf.named(slug_of(resource) or "/")

    def _replaced(self, wanted: Wanted, view: View) -> _Standing | Refusal | None:
        """The entry that the statement is said to replace, as it stands now."""
        if not wanted.replaces:
            return None
        if wanted.replaces not in view.entries:
            return Refusal("no-such-entry", ascii(wanted.replaces[:20])[1:-1])
        path, shown = view.entries[wanted.replaces]
        note = self._note(path)
        found = next((one for one in note.entries if one.raw == shown.raw), None) if note else None
        if found is None:
            return None  # another statement of tonight has replaced it: it is looked up like any other
        if not _is_related(shown, wanted.line.statement):
            return Refusal("replaces-another", path)
        return _Standing(path, found)

    def _standing(
        self, wanted: Wanted, chosen: _Standing | None
    ) -> tuple[_Standing | None, list[_Standing], _Standing | None]:
        """The entry that says the same already, else those that tell another value of the same thing, and one like it.

        One that is like it in all but a name may be about another thing (`staging` beside nothing): code does not
        choose between them.
        """
        (entry,) = entries_in(f"- {wanted.line.ended}")
        stale: list[_Standing] = [chosen] if chosen else []
        near: _Standing | None = None
        for one in self._candidates(entry, wanted):
            if chosen is not None and (one.path, one.entry) == (chosen.path, chosen.entry):
                if one.entry.key == entry.key:
                    return one, [], None
                continue
            for part in _parts(one.entry):
                reason, alike = relation(entry, part, same=SAME_MATTER)
                if reason == "already-written":
                    return one, [], None
                if reason and differs_in_value_alone(entry, part):
                    stale.append(one)
                    break
                if reason and alike >= STRONG_MATCH:
                    near = near or one
        return None, stale, near

    def _candidates(self, entry: Entry, wanted: Wanted) -> Iterator[_Standing]:
        paths = self._shelf.statements.candidates(word_set(entry.key))
        for path in dict.fromkeys([*([wanted.note] if wanted.note else []), *paths]):
            note = self._note(path)
            for other in note.entries if note else ():
                yield _Standing(path, other)

    def _confirmed(self, wanted: Wanted, same: _Standing) -> tuple[Operation, ...] | Refusal:
        """What was seen once and is seen again elsewhere is no longer tentative; everything else stands as it does."""
        entry, line = same.entry, wanted.line
        seen_in = {_thread(one) for one in entry.sources}
        again = not line.tentative and not seen_in & {_thread(one) for one in line.sources}
        plain = entry.style in {EntryStyle.DATED, EntryStyle.ITEM} and len(sentences_of(entry.key)) == 1
        if not (entry.tentative and again and plain):
            return Refusal("already-written", f"{same.path}:{entry.start + 1}")
        sources = tuple(dict.fromkeys((*entry.sources, *line.sources)))
        firm = Line(statement=entry.key, sources=sources, dated=line.dated)
        again_wanted = replace(wanted, line=firm)
        return self._applied([partial(self._revision, same, again_wanted)], again_wanted)

    def _revision(self, one: _Standing, wanted: Wanted, tree: Tree) -> Revise | Refusal:
        note = self._notes.note(tree, one.path)
        entries = note.entries if isinstance(note, Note) else ()
        entry = next((other for other in entries if other.raw == one.entry.raw), None)
        new = revised(note, entry, wanted.line) if isinstance(note, Note) and entry else None
        if new is None or entry is None or not isinstance(note, Note):
            return Refusal("not-placeable", one.path)
        return Revise(span=span_of(one.path, note, entry), new=new, basis=_basis(wanted))

    def _addition(self, wanted: Wanted, view: View, tree: Tree) -> Add | Refusal:
        path = self._home(wanted.resource, wanted.note, view)
        note = self._note(path)
        if note is None:
            path = new_path(
                wanted.resource,
                wanted.folder,
                folders=self._shelf.folders,
                has_root_notes=any("/" not in one for one in view.paths),
            )
            if not path or tree.blob(path) is not None:
                return Refusal("no-place", ascii(wanted.resource[:60])[1:-1])
        text = entry_of(note, wanted.line, style=view.style, resource=wanted.resource)
        if note is None:
            self._openings[path] = opening_of(wanted.resource, _new_style(view))
        # Whoever writes to a note of tonight can open it: a guard may yet refuse the statement that opened it here.
        opening = self._openings.get(path, "")
        return Add(path=path, text=text, opening=opening, basis=_basis(wanted))

    def _applied(self, edits: Sequence[_Edit], wanted: Wanted) -> tuple[Operation, ...] | Refusal:
        tree = self.tree
        touched: list[str] = []
        kept: list[Operation] = []
        for edit in edits:
            operation = edit(tree)
            if isinstance(operation, Refusal):
                return operation
            files = apply_operation(tree, operation)
            if isinstance(files, Refusal):
                return files
            tree = OverlayTree(tree, files)
            touched += files
            kept.append(operation)
        if not all(self._tells(tree, path, wanted) for path in touched):
            return Refusal("not-placeable", touched[0])
        self.tree = tree
        self._shelf.take(tree, touched)
        return tuple(kept)

    def _tells(self, tree: Tree, path: str, wanted: Wanted) -> bool:
        """Whether a note has the statement with its sources, as it would not inside a block of code left open."""
        note = self._notes.note(tree, path)
        key, sources = collapse(wanted.line.ended), {*wanted.line.sources}
        return isinstance(note, Note) and any(
            key in entry.key and sources <= {*entry.sources} for entry in note.entries
        )

    def _note(self, path: str) -> Note | None:
        """The note at `path`, None where there is none that may be written to."""
        if not path or self.tree.blob(path) is None or path in self.tree.oddities() or not is_topic(path):
            return None
        note = self._notes.note(self.tree, path)
        return note if isinstance(note, Note) and not note.broken else None


def _new_style(view: View) -> NoteStyle:
    return NoteStyle.FRONTMATTER if view.style is NoteStyle.FRONTMATTER else NoteStyle.DATED


def _parts(entry: Entry) -> Sequence[Entry]:
    """What an entry says, statement by statement: the lines of a body or a section, and everywhere the sentences."""
    lines = lines_of(entry) if entry.style in {EntryStyle.BODY, EntryStyle.SECTION} else (entry.key,)
    told = [sentence for line in lines for sentence in sentences_of(line)]
    return [replace(entry, key=collapse(sentence)) for sentence in told] if len(told) > 1 else (entry,)


def _is_related(entry: Entry, statement: str) -> bool:
    """Whether a statement may stand for an entry: it is about one thing with it, if only with one line of it."""
    if similarity(entry.key, statement, cutoff=_RELATED_TEXT):
        return True
    parts = _parts(entry)
    if len(parts) > 1 or entry.style in {EntryStyle.BODY, EntryStyle.SECTION}:
        return most_alike([part.key for part in parts], statement) is not None
    ours, theirs = content_words(statement), content_words(entry.key)
    return len(ours & theirs) >= _RELATED * max(1, min(len(ours), len(theirs)))


def _objection(entry: Entry, line: Line) -> Refusal | None:
    """Why what stands is not to give way: it is newer, better founded, or firmer."""
    if entry.date and entry.date > line.dated:
        return Refusal("older-than-standing", f"{line.dated.isoformat()} after {entry.date.isoformat()}")
    standing, new = weakest(entry.sources), weakest(line.sources)
    if standing and new and _RANKS.index(new) > _RANKS.index(standing):
        return Refusal("weaker-origin", f"{new} against {standing}")
    if line.tentative and not entry.tentative:
        return Refusal("tentative-against-firm")
    return None


def _basis(wanted: Wanted) -> Basis:
    return Basis(
        sources=wanted.line.sources,
        dated=wanted.line.dated,
        evidence=wanted.evidence,
        why=wanted.why,
        quotes=wanted.quotes,
    )


def _thread(source: str) -> str:
    return source.rpartition("@")[2]
