"""Two statements that are one come to the wording that holds all of both; a wording of their own is the last resort.

Whatever a ruling says, code decides: a side goes only where the other holds every word of it that says something, and
only where both are told of one thing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from dream.guards.sameness.closed import closed_difference
from dream.guards.sameness.covering import may_be_joined, uncovered
from dream.guards.verdicts.environments import environments_in, regions_in
from dream.guards.vocabulary import content_words
from dream.memory.notes import Entry, Note
from dream.memory.operations import Basis, Merge, Operation, Span
from dream.memory.outcomes import Item
from dream.memory.paths import is_topic
from dream.memory.similarity import specifics
from dream.memory.sources import Origin, weakest
from tasks.duplicates import merged_entry, name_of, named_in
from tasks.entries import key_of, span_of
from tasks.link_repairs import Moves, repairs
from tasks.tidying.asking import Ruling
from tasks.tidying.chains import Chains, told_chain
from tasks.tidying.freshness import Freshness
from tasks.tidying.limits import TidyLimits
from tasks.tidying.nominations import Nomination, Place
from tasks.tidying.staging import Stage, only_statement
from tasks.tidying.wording import reworded

WRITTEN_TODAY = "written-today"
DIFFERING_WORD = "differing-word"
_ORIGINS = tuple(Origin)
_SHARED = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a night decides by; a statement is worded anew by at most `limits.chain` merges.

    `attested` is the evidence that one statement says what another says, by the one that stays and the one that goes.
    """

    stage: Stage
    fresh: Freshness
    chains: Chains
    limits: TidyLimits = field(default_factory=TidyLimits)
    attested: Mapping[tuple[str, str], str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Side:
    """One of two statements, where it stands."""

    place: Place
    entry: Entry

    @property
    def path(self) -> str:
        return self.place.path

    @property
    def span(self) -> Span:
        return span_of(self.place.path, self.place.note, self.entry)


def merge_statements(nomination: Nomination, ruling: Ruling, rules: Rules) -> Item:
    """Return the item that two statements ruled to be one come to, on the memory as it stands by now."""
    item = Item(id=nomination.id, digest=nomination.digest)
    places = [rules.stage.place(place) for place in nomination.places]
    sides = [_Side(place, place.entry) for place in places if place and place.entry]
    if len(sides) != len(nomination.places) or sides[0].span == sides[1].span:
        return replace(item, reason="changed-tonight", pending=True)
    if not _are_of_one_thing(*sides, names=rules.stage.names):
        return replace(item, reason="may-be-two-things")
    reasons = []
    for kept, other in _orders(sides, ruling.best, rules.stage):
        found = _absorbed(kept, other, rules)
        if not isinstance(found, str):
            return replace(item, operations=found)
        reasons.append(found)
    composed = _composed(sides, ruling.wording, rules) if ruling.wording else ""
    if not isinstance(composed, str):
        return replace(item, operations=composed)
    is_waiting = WRITTEN_TODAY in {*reasons, composed}
    return replace(item, reason=WRITTEN_TODAY if is_waiting else composed or reasons[0], pending=is_waiting)


def to_be_attested(nomination: Nomination, rules: Rules) -> tuple[str, str] | None:
    """Return two statements of which one may go only if a judge finds each in the other; None for any other pair.

    Code finds that they differ in words alone that are not closed, and that one of them may go tonight.
    """
    places = [rules.stage.place(place) for place in nomination.places]
    sides = [_Side(place, place.entry) for place in places if place and place.entry]
    if len(sides) != len(nomination.places) or sides[0].span == sides[1].span:
        return None
    one, other = sides
    if not _are_of_one_thing(one, other, names=rules.stage.names):
        return None
    if closed_difference(one.entry.key, other.entry.key):
        return None
    orders = list(_orders(sides, None, rules.stage))
    if not all(uncovered(kept.entry.key, gone.entry.key) for kept, gone in orders):
        return None
    is_open = any(not rules.fresh.is_fresh(gone.path, gone.entry) and _is_vouched(kept, gone) for kept, gone in orders)
    return (one.entry.key, other.entry.key) if is_open else None


def _is_vouched(kept: _Side, gone: _Side) -> bool:
    """Whether what stays has a source where what goes has one: no source passes to words that it did not say."""
    return bool(kept.entry.sources) or not gone.entry.sources


def are_of_two_things(nomination: Nomination) -> bool:
    """Whether each of two statements names a thing that the other does not: code can say that, and asks nobody."""
    keys = [place.entry.key for place in nomination.places if place.entry is not None]
    if len(keys) < len(nomination.places) or len(keys) == 1:
        return False
    one, other = (frozenset(filter(_is_compound, named_in(key))) for key in keys)
    return bool(one - other and other - one)


def is_waiting_for_fresh(nomination: Nomination, fresh: Freshness) -> bool:
    """Whether each of the statements is fresh, so that there is nothing to ask about tonight."""
    entries = [(place.path, place.entry) for place in nomination.places if place.entry is not None]
    return len(entries) > 1 and all(fresh.is_fresh(path, entry) for path, entry in entries)


def _are_of_one_thing(one: _Side, other: _Side, *, names: frozenset[str]) -> bool:
    """Whether two statements are about one thing by where they stand, or both name it; never in two environments."""
    if environments_of(one.place) != environments_of(other.place):
        return False
    if one.path == other.path and one.place.section == other.place.section:
        return True
    compound = {name for name in names if not name.isalnum()}
    told = named_in(one.entry.key) & named_in(other.entry.key)
    own = {name_of(side.path) for side in (one, other)} - {""}
    return bool(told & (compound | own)) or any(_is_compound(name) for name in told)


def environments_of(place: Place) -> frozenset[str]:
    """Return the environments and regions that are named above an entry: its path, title and heading."""
    above = [place.path, place.section, place.note.title]
    return environments_in(above) | regions_in(above)


def _is_compound(name: str) -> bool:
    return any(mark in name.strip("-_.") for mark in "-_.") and any(map(str.isalpha, name))


def _orders(sides: list[_Side], best: int | None, stage: Stage) -> Iterator[tuple[_Side, _Side]]:
    """Yield which to keep and which to absorb: better founded, dated, at home, said best, most linked to, oldest."""

    def rank(number: int) -> tuple[object, ...]:
        side = sides[number]
        origin = weakest(side.entry.sources)
        return (
            _ORIGINS.index(origin) if origin else len(_ORIGINS),
            side.entry.tentative,
            side.entry.date is None,
            name_of(side.path) not in named_in(side.entry.key),
            best is not None and number != best,
            -len(stage.linking(side.path)),
            side.entry.date or date.max,
            number,
        )

    first, second = sorted(range(2), key=rank)
    yield sides[first], sides[second]
    yield sides[second], sides[first]


def _absorbed(kept: _Side, other: _Side, rules: Rules) -> tuple[Operation, ...] | str:
    line = ""
    if uncovered(kept.entry.key, other.entry.key):
        line = rules.attested.get((kept.entry.key, other.entry.key), "")
        if not line or not _is_vouched(kept, other):
            return DIFFERING_WORD
    if rules.fresh.is_fresh(other.path, other.entry):
        return WRITTEN_TODAY
    new = merged_entry(kept.entry, [other.entry])
    if new is not None and rules.fresh.is_fresh(kept.path, kept.entry):
        return WRITTEN_TODAY
    why = f"stays and says what {other.place.shown} said{' in other words' if line else ''}"
    return _merged(kept, other, new, why, rules, evidence=(line,) if line else ())


def _composed(sides: list[_Side], wording: str, rules: Rules) -> tuple[Operation, ...] | str:
    """Return the merge into a new wording, or why there is none: it holds all of both and nothing else."""
    kept, other = next(_orders(sides, None, rules.stage))
    length = rules.chains.length(kept.entry.key, other.entry.key) + 1
    if length > rules.limits.chain:
        return "reworded-often-enough"
    if any(rules.fresh.is_fresh(side.path, side.entry) for side in sides):
        return WRITTEN_TODAY
    text = reworded(kept.place.note, kept.entry, wording)
    if text is None or not _is_common(text, wording, [side.entry.key for side in sides]):
        return "no-common-wording"
    worded = replace(kept.entry, raw=text, key=key_of(text))
    new = merged_entry(worded, [other.entry]) or text
    return _merged(kept, other, new, f"says what {other.place.shown} said as well; {told_chain(length)}", rules)


def _is_common(text: str, wording: str, keys: Sequence[str]) -> bool:
    """Whether a wording, as the entry `text` has it, holds all of two statements and nothing else."""
    one, other = map(specifics, keys)
    if (
        any(uncovered(key_of(text), key) for key in keys)
        or not may_be_joined(*keys)
        or not _share_most(*keys)
        or (one - other and other - one)
    ):
        return False
    return not content_words(wording) - content_words(" ".join(keys))


def _share_most(one: str, other: str) -> bool:
    """Whether one of two statements says most of what the other says: beside one another they would only be a list."""
    words = sorted((content_words(one), content_words(other)), key=len)
    return len(words[0] & words[1]) >= _SHARED * len(words[0])


def _merged(
    kept: _Side, other: _Side, new: str | None, why: str, rules: Rules, *, evidence: tuple[str, ...] = ()
) -> tuple[Operation, ...] | str:
    left = rules.stage.note(other.path)
    gone: Span | str = other.span
    if left is not None and len(left.entries) == 1 and kept.path != other.path:
        gone = _whole(kept, other, left, rules)
    if isinstance(gone, str):
        return gone
    entries = (kept.entry, other.entry)
    merge = Merge(
        into=kept.span,
        new=new,
        absorbed=(gone,),
        basis=Basis(
            sources=tuple(dict.fromkeys(source for entry in entries for source in entry.sources)),
            dated=min((entry.date for entry in entries if entry.date), default=None),
            evidence=evidence,
            why=f"{kept.place.shown} {why}",
        ),
    )
    return (merge, *_links(kept, other, rules)) if gone.text is None else (merge,)


def _whole(kept: _Side, other: _Side, note: Note, rules: Rules) -> Span | str:
    """Return the span of a note of which nothing is left once its one statement goes, or why it stays."""
    if not only_statement(note, other.entry):
        return "last-statement"
    told = content_words(f"{kept.entry.key} {kept.place.note.title} {kept.path} {other.entry.key}")
    if content_words(" ".join(note.other)) - told:
        return "last-statement"
    if rules.stage.is_protected(other.path):
        return "linked-note"
    return Span(path=other.path, text=None, blob=rules.stage.blob(other.path))


def _links(kept: _Side, other: _Side, rules: Rules) -> Iterator[Operation]:
    """Yield what points the links to a note that goes at the one that says what it said."""
    paths = [path for path in rules.stage.tree.paths() if path.lower().endswith(".md") and path != other.path]
    moves = Moves(paths, {other.path: kept.path}, moved=False)
    for path in sorted(rules.stage.linking(other.path)):
        note = rules.stage.note(path)
        if note is not None and is_topic(path):
            yield from repairs(path, note, moves, why=f"{kept.path} says what the note said that it led to")
