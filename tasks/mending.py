"""Links in index, catalog and archive after notes went elsewhere, where no night's task needs to mend them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dream.memory.applying import Files, apply_operation
from dream.memory.links.notation import resolve, scan_links
from dream.memory.notes import Note, NoteCache
from dream.memory.operations import Basis, Operation, Refusal, Remove, Span
from dream.memory.paths import Kind, kind_of
from dream.memory.tree import OverlayTree, Tree
from tasks.link_repairs import Moves, repairs

_LISTING = frozenset({Kind.INDEX, Kind.CATALOG})
_MENDED = _LISTING | {Kind.ARCHIVE}
_ITEM = re.compile(r"[ \t]*[-+*][ \t]")
_WHY = "the note stands elsewhere"


def mended(tree: Tree, notes: NoteCache, *, retired: Mapping[str, str], merged: Mapping[str, str]) -> Files:
    """Return the files of index, catalog and archive whose links led to what is gone from `tree`.

    In index and catalog a line that only lists a retired note goes, and so does one that only lists a note whose heir
    is listed already; every other link leads to where its note stands now. A note in the archive that came there with
    this change has its own links counted from where it stood.

    Args:
        tree: the memory after the change.
        notes: the notes that were read.
        retired: where retired notes stood, each with its path in the archive.
        merged: notes that were merged away, each with the one that says it now.
    """
    if not retired and not merged:
        return {}
    paths = tree.paths()
    both = (Moves(paths, retired, moved=True), Moves(paths, merged, moved=False))
    files: dict[str, bytes | None] = {}
    now: Tree = tree
    for path in paths:
        if kind_of(path) not in _MENDED:
            continue
        for moves in both:
            note = notes.note(now, path)
            if not isinstance(note, Note) or note.broken or not moves.concerns(path, note.text):
                continue
            for removal in _dropped(path, note, moves, retired) if kind_of(path) in _LISTING else ():
                now = _applied(now, files, removal)
            left = notes.note(now, path)
            for repair in repairs(path, left, moves, why=_WHY) if isinstance(left, Note) else ():
                now = _applied(now, files, repair)
    return files


def _applied(tree: Tree, files: dict[str, bytes | None], operation: Operation) -> Tree:
    done = apply_operation(tree, operation)
    if isinstance(done, Refusal):
        return tree
    files.update(done)
    return OverlayTree(tree, done)


def _dropped(path: str, note: Note, moves: Moves, retired: Mapping[str, str]) -> Iterator[Remove]:
    """Yield the lines that say nothing any more, the last one first, so that those above stand where they did."""
    links = scan_links(note.text)
    listed = {resolve(path, link, moves.now) for link in links}
    by_line: dict[int, list[str | None]] = {}
    for link in links:
        by_line.setdefault(link.line, []).append(moves.target(path, link))
    archived = frozenset(retired.values())
    for number, targets in sorted(by_line.items(), reverse=True):
        line, to = note.lines[number], targets[0]
        if len(targets) == 1 and to is not None and _ITEM.match(line) and (to in archived or to in listed):
            span = Span(path=path, text=line, occurrence=note.lines[:number].count(line))
            yield Remove(span=span, basis=Basis(why=_WHY))
