"""Statements that stand twice, word for word or but for their formatting, and the one that is kept.

Being careful costs a duplicate, being careless a fact, so only these are touched: dated entries, list items and
paragraphs of at least 20 characters and four words beside their links, in at most three notes (beyond, it is a
template). Steps of a numbered list, tasks, tables, quotations, code, what introduces a list and what is said of the
note itself mean something where they stand. Two notes may say the same words of different things, so that across
notes, and across sections of one, the statement must name what it is about: the name of one of its notes, or a
compound name (`checkout-api`) of any note.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from dream.guards.verdicts.environments import environments_in, regions_in
from dream.memory.notes import Entry, EntryStyle, Note, NoteCache, Unreadable
from dream.memory.paths import is_topic
from dream.memory.pinned import carry_checks
from dream.memory.tree import Tree
from tasks.entries import cited
from tasks.tidying.formatting import plain_form

SHORTEST = 20
FEWEST_WORDS = 4
MOST_NOTES = 3

_STYLES = frozenset({EntryStyle.DATED, EntryStyle.ITEM, EntryStyle.PARAGRAPH})
_STAYS = re.compile(r"\ufeff?(?:[ \t]{4}|[ \t]*(?:[0-9]{1,9}[.)][ \t]|[-+*][ \t]+\[[ xX]\]|```|~~~|[|<>]))")
_LINK = re.compile(r"\[\[[^\[\]]*\]\]|\[[^\[\]]*\]\([^()\s]*\)")
_HAS_LINK = re.compile(r"\]\(|\[\[")
_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_GENERIC = frozenset(
    {"readme", "index", "notes", "todo", "changelog", "state", "facts", "decisions", "tasks", "memory"}
)
_SHORTEST_NAME = 3
_ABOUT_THE_NOTE = ("last updated", "last modified", "updated:", "created:", "date:", "author:", "status:", "version:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """An entry where it stands, under the nearest heading above it."""

    path: str
    note: Note
    entry: Entry
    section: str

    @property
    def place(self) -> str:
        """How people find it: `services/search.md:12`."""
        return f"{self.path}:{self.entry.start + 1}"


def stands_for_itself(entry: Entry) -> bool:
    """Whether an entry is a statement that may be told from another only by its words."""
    bare = entry.key.strip("*_ ")
    if entry.style not in _STYLES or len(bare) < SHORTEST or bare.endswith(":") or _STAYS.match(entry.raw):
        return False
    if bare.casefold().startswith(_ABOUT_THE_NOTE):
        return False
    words = [word for word in _LINK.sub(" ", entry.key).split() if "://" not in word]
    return sum(_WORD.search(word) is not None for word in words) >= FEWEST_WORDS


def repeated_statements(tree: Tree, notes: NoteCache, *, without: Collection[str]) -> Iterator[list[Standing]]:
    """Yield the statements that stand more than once in topic notes, in the order in which they are first met.

    Notes in `without` and statements in more than three notes are left out.
    """
    places: dict[str, list[tuple[str, Entry]]] = {}
    for path in tree.paths():
        if not is_topic(path) or path in without:
            continue
        note = notes.note(tree, path)
        if isinstance(note, Unreadable) or note.broken:
            continue
        for entry in note.entries:
            places.setdefault(plain_form(entry.key), []).append((path, entry))
    for several in (found for found in places.values() if len(found) > 1):
        found = [(path, entry) for path, entry in several if stands_for_itself(entry)]
        if len(found) > 1 and len({path for path, _ in found}) <= MOST_NOTES:
            yield [_standing(tree, notes, path, entry) for path, entry in found]


def _standing(tree: Tree, notes: NoteCache, path: str, entry: Entry) -> Standing:
    note = notes.note(tree, path)
    if isinstance(note, Unreadable):
        message = f"{path} was read a moment ago"
        raise TypeError(message)
    above = (line for line in reversed(note.lines[: entry.start]) if line.startswith("#"))
    return Standing(path=path, note=note, entry=entry, section=next(above, ""))


def same_statements(found: Sequence[Standing], *, names: Collection[str]) -> Iterator[list[Standing]]:
    """Yield those of `found`, which have the same words, that say the same; `names` are the names of all notes.

    What stands under the name of an environment is about that one.
    """
    by_place: dict[frozenset[str], list[Standing]] = {}
    for standing in found:
        above = [standing.path, standing.section, standing.note.title]
        by_place.setdefault(environments_in(above) | regions_in(above), []).append(standing)
    for group in by_place.values():
        if len(group) > 1:
            yield from _same_in_one_place(group, names)


def _same_in_one_place(found: Sequence[Standing], names: Collection[str]) -> Iterator[list[Standing]]:
    key = found[0].entry.key
    by_section: dict[tuple[str, str], list[Standing]] = {}
    for standing in found:
        by_section.setdefault((standing.path, standing.section), []).append(standing)
    own = {name_of(standing.path) for standing in found}
    is_named = bool(named_in(key) & ({name for name in names if not name.isalnum()} | own))
    folders = {standing.path.rpartition("/")[0] for standing in found}
    if is_named and (len(folders) == 1 or not any(_HAS_LINK.search(standing.entry.raw) for standing in found)):
        yield list(found)
        return
    yield from (group for group in by_section.values() if len(group) > 1)


def name_of(path: str) -> str:
    """Return the name by which statements speak of the note at `path`; empty for one that names nothing."""
    name = path.rpartition("/")[2].removesuffix(".md").casefold()
    is_name = len(name) >= _SHORTEST_NAME and name not in _GENERIC and any(map(str.isalpha, name))
    return name if is_name else ""


def named_in(text: str) -> frozenset[str]:
    """Return the words of `text` that could be the name of a note."""
    return frozenset(name.rstrip("._-") for name in _NAME.findall(text.casefold()))


def ranked(group: Iterable[Standing], *, fresh: Collection[str], inbound: Callable[[str], int]) -> tuple[Standing, ...]:
    """Return `group` with the one to keep first.

    That is one written today (`fresh`, by their places), else with a date, else in the note that the statement
    names, else in the note most linked to, else the oldest.
    """
    return tuple(
        sorted(
            group,
            key=lambda standing: (
                standing.place not in fresh,
                standing.entry.date is None,
                name_of(standing.path) not in named_in(standing.entry.key),
                -inbound(standing.path),
                standing.entry.date or date.max,
                standing.path,
                standing.entry.start,
            ),
        )
    )


def merged_entry(kept: Entry, others: Sequence[Entry]) -> str | None:
    """Return how `kept` reads with sources and pinned checks of all, the oldest date and the weakest status.

    None if that is as it is.
    """
    entries = (kept, *others)
    sources = tuple(dict.fromkeys(source for entry in entries for source in entry.sources))
    dated = min((entry.date for entry in entries if entry.date), default=None)
    is_tentative = any(entry.tentative for entry in entries)
    checked = carry_checks(kept.raw, *(other.raw for other in others))
    if checked == kept.raw and (len(sources), dated, is_tentative) == (
        len(set(kept.sources)),
        kept.date,
        kept.tentative,
    ):
        return None
    return cited(kept, checked, sources=sources, dated=dated, is_tentative=is_tentative)
