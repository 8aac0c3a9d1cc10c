"""Links that lead nowhere since notes were renamed, merged or cut up: those with one answer mended, the others told."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dream.memory.links.destinations import DANGLING, Destinations
from dream.memory.links.notation import Link
from dream.memory.notes import Note, NoteCache
from dream.memory.outcomes import Item, Plan
from dream.memory.paths import HOLDING, is_topic, kind_of
from dream.memory.records import NightRecord
from dream.memory.tree import Tree
from tasks.link_repairs import Called, Moves, ambiguous_links, repairs
from tasks.tidying.links.absorbed import absorbed_by_nights, absorbed_notes
from tasks.tidying.links.moved_anchors import Aim, MovedAnchors

_WHY = "what it led to stands elsewhere now"
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What is known of how things stood: `renames` by path, the tree that tidy last saw, and the landed nights."""

    renames: Mapping[str, str] = field(default_factory=dict)
    landed: Tree | None = None
    records: Sequence[NightRecord] = ()


def relinked(
    tree: Tree,
    notes: NoteCache,
    past: Past,
    *,
    taken: Mapping[str, Collection[int]] | None = None,
    gone: Collection[str] = (),
) -> Plan:
    """Return an item for each topic note with links that have one answer, and a finding for each that has none.

    Notes that no task may write (`daily/`, `preferences/`, `learnings/`) are left as they are, and told of. `taken` are
    the lines, by path, that others are about tonight, and `gone` the notes that go.
    """
    moves = _moves(tree, notes, past)
    items: list[Item] = []
    findings: list[str] = []
    for path in tree.paths():
        is_held = kind_of(path) in HOLDING
        note = notes.note(tree, path) if is_held or is_topic(path) else None
        if not isinstance(note, Note) or path in gone or not moves.concerns(path, note.text):
            continue
        findings.extend(_ambiguous(path, link, meant) for link, meant in ambiguous_links(path, note, moves))
        if is_held or note.broken:
            findings.extend(_left_behind(tree, notes, path, note, moves))
            continue
        operations = tuple(repairs(path, note, moves, why=_WHY, taken=(taken or {}).get(path, ())))
        if operations:
            digest = hashlib.sha256(f"{path} {tree.blob(path)}".encode()).hexdigest()[:16]
            items.append(Item(id=f"{path}: links", digest=digest, operations=operations))
    findings.extend(_displaced(tree, notes, past))
    return Plan(items=tuple(items), findings=tuple(findings))


def _moves(tree: Tree, notes: NoteCache, past: Past) -> Moves:
    landed = past.landed
    if landed is None:
        return Moves(tree.paths(), past.renames, absorbed=absorbed_by_nights(past.records))
    by_people = absorbed_notes(tree, notes, landed=landed, renames=past.renames)
    here = Destinations(notes)
    gone = [path for path in landed.paths() if is_topic(path) and tree.blob(path) is None]
    before = {name: path for path in gone if (name := here.name(landed, path))}
    now = {name: path for path in tree.paths() if is_topic(path) and (name := here.name(tree, path))} if before else {}
    return Moves(
        tree.paths(),
        past.renames,
        absorbed={**absorbed_by_nights(past.records), **by_people},
        called=Called(now=now, before=before),
        anchors=MovedAnchors(tree, notes, landed=landed, renames=past.renames),
    )


def _ambiguous(path: str, link: Link, meant: Sequence[str]) -> str:
    named = ", ".join(meant[:_MOST_NAMED]) + (" …" if len(meant) > _MOST_NAMED else "")
    return f"{path}:{link.line + 1} links to what several notes may mean: {named}"


def _left_behind(tree: Tree, notes: NoteCache, path: str, note: Note, moves: Moves) -> Iterator[str]:
    """Tell of links in a note that is left as it is."""
    destinations = Destinations(notes)
    for link in destinations.links(tree, path):
        aim: Aim | None = moves.aim(path, link)
        if aim is not None and destinations.find(tree, path, link).leading in DANGLING:
            yield f"{path}:{link.line + 1} links to what stands in {aim.path} now; {_WHOSE[bool(note.broken)]}"


_WHOSE = {False: "nobody but people writes there", True: "its frontmatter cannot be read"}


def _displaced(tree: Tree, notes: NoteCache, past: Past) -> Iterator[str]:
    """Tell of links to a path at which another note stands since its own moved away, byte for byte."""
    landed = past.landed
    if landed is None:
        return
    changed = {path for path in landed.paths() if tree.blob(path) != landed.blob(path)}
    came = {blob: path for path in tree.paths() if is_topic(path) and landed.blob(path) != (blob := tree.blob(path))}
    moved = {old: came[blob] for old in changed if tree.blob(old) and (blob := landed.blob(old)) in came}
    moved = {old: new for old, new in moved.items() if is_topic(old) and new != old}
    if not moved:
        return
    destinations = Destinations(notes)
    for path in tree.paths():
        if path in changed or not (is_topic(path) or kind_of(path) in HOLDING):
            continue
        for link in destinations.links(tree, path):
            found = destinations.find(tree, path, link).paths
            if len(found) == 1 and found[0] in moved:
                told = f"links to {found[0]}, where another note stands now; what stood there is {moved[found[0]]}"
                yield f"{path}:{link.line + 1} {told}"
