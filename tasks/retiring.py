"""Notes that only a person may retire: nearly empty ones, incidents that never became a rule, and stale ones.

Each is proposed as a move to `archive/`, with the links to it pointed there; whether it goes is for a person to say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from dream.memory.layouts import Layout, layout_of
from dream.memory.links.notation import loose_name, names_linked_to
from dream.memory.logbooks import is_logbook
from dream.memory.notes import Note, NoteCache
from dream.memory.operations import Basis, Move, Operation, Span
from dream.memory.outcomes import Item
from dream.memory.paths import is_topic
from dream.memory.tree import Tree
from tasks.link_repairs import Moves, repairs
from tasks.tidying.nominations import Matter, Nomination

ARCHIVE = "archive/"
"""The folder at the root that retired notes go to, each under the path that it had."""

_WHY: Mapping[Matter, str] = {
    Matter.INCIDENTS: "it tells of what happened, and no rule came of it",
}
_FIRST_READ = frozenset({"readme.md", "index.md", "state.md", "decisions.md", "facts.md", "tasks.md"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RetiringLimits:
    """A note of fewer than `empty_characters` beside headings is nearly empty, one without news for `stale_days` stale.

    Both mirror what is configured: `tidy.empty_characters` and `checking.stale_days`.
    """

    empty_characters: int = 80
    stale_days: int = 180


def propose(
    tree: Tree,
    notes: NoteCache,
    nominations: Iterable[Nomination],
    *,
    today: date,
    limits: RetiringLimits,
    without: Collection[str] = (),
) -> tuple[Item, ...]:
    """Return an item for each note that may be retired, in the order of their paths.

    Args:
        tree: the memory as it stands.
        notes: the notes that were read of it.
        nominations: what else was found of it; incidents are taken of these.
        today: the day that ages are counted to.
        limits: how little a note says that is nearly empty, and how old a stale one is.
        without: notes that something else is proposed for.
    """
    topics = {
        path: note
        for path in tree.paths()
        if is_topic(path) and isinstance(note := notes.note(tree, path), Note) and not note.broken
    }
    reasons = _nominated(nominations)
    for path, note in topics.items():
        told = (_nearly_empty(note, limits), _stale(path, note, today=today, days=limits.stale_days))
        for why in filter(None, told):
            reasons.setdefault(path, []).append(why)
    kept = _FIRST_READ if layout_of(tree) is Layout.FIVE_FILES else _FIRST_READ - {"decisions.md", "facts.md"}
    linking = _by_name(topics)
    items = []
    for path in sorted(reasons):
        if path not in topics or path in without or path.rpartition("/")[2].lower() in kept:
            continue
        others = [other for other in linking.get(loose_name(path), ()) if other != path]
        items.append(_retired(tree, topics, path, reasons[path], others))
    return tuple(items)


def _by_name(topics: Mapping[str, Note]) -> Mapping[str, Sequence[str]]:
    """Return the notes that may link to a name, by its loosest form."""
    found: dict[str, list[str]] = {}
    for path, note in topics.items():
        for name in names_linked_to(note.text):
            found.setdefault(name, []).append(path)
    return found


def _nominated(nominations: Iterable[Nomination]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in nominations:
        for place in one.places if one.matter in _WHY else ():
            if place.entry is None:
                why = f"{_WHY[one.matter]}: {one.why}" if one.why else _WHY[one.matter]
                found.setdefault(place.path, []).append(why)
    return found


def _nearly_empty(note: Note, limits: RetiringLimits) -> str:
    """Return that a note says next to nothing; one that dates or founds what it says tells a fact, however short."""
    said = sum(len(entry.key) for entry in note.entries)
    is_founded = note.frontmatter is not None or any(entry.date or entry.sources for entry in note.entries)
    if is_founded or said >= limits.empty_characters:
        return ""
    return f"it says next to nothing: {said} characters beside its headings"


def _stale(path: str, note: Note, *, today: date, days: int) -> str:
    """Return why a note is stale, nothing where it is not, or where an entry without a date may be newer."""
    dates = [entry.date for entry in note.entries if entry.date]
    if not dates or len(dates) < len(note.entries) or is_logbook(path):
        return ""
    age = (today - max(dates)).days
    return f"its newest statement is of {max(dates).isoformat()}, {age} days ago" if age > days else ""


def _retired(tree: Tree, topics: Mapping[str, Note], path: str, reasons: Sequence[str], linking: Sequence[str]) -> Item:
    to = f"{ARCHIVE}{path}"
    span = Span(path=path, text=None, blob=tree.blob(path) or "")
    linked = f"linked from {', '.join(linking)}" if linking else "no note links to it"
    move = Move(span=span, to=to, basis=Basis(why="; ".join(reasons), evidence=(linked,)))
    operations: list[Operation] = [move]
    if linking:
        paths = [other for other in tree.paths() if other != path]
        moves = Moves([*paths, to], {path: to}, moved=True)
        operations += (one for other in linking for one in _repaired(other, topics[other], moves, to))
    return Item(id=f"{path}: retire", digest=span.blob, operations=tuple(operations), whole=True)


def _repaired(path: str, note: Note, moves: Moves, to: str) -> Iterator[Operation]:
    yield from repairs(path, note, moves, why=f"the note is in {to} now")
