"""Which nominations a model is asked about: those whose ruling can change anything, and no statement too often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dream.guards.sameness.closed import closed_difference
from dream.guards.sameness.covering import may_be_joined
from dream.memory.outcomes import Item
from tasks.tidying.deciding import not_declined
from tasks.tidying.freshness import Freshness
from tasks.tidying.limits import TidyLimits
from tasks.tidying.merging import WRITTEN_TODAY, are_of_two_things
from tasks.tidying.nominations import Matter, Nomination, Place, paths_named
from tasks.tidying.places import foundation
from tasks.tidying.staging import only_statement
from tasks.tidying.topics import are_of_two_topics

WAITING = "waiting "
"""How the input is called that stands for a note with pairs that wait for another night; its path follows."""

NO_ROOM = "no-room"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What is asked about tonight, and why what stands in a note waits, by its path."""

    asked: tuple[Nomination, ...]
    waiting: Mapping[str, str]

    @property
    def items(self) -> tuple[Item, ...]:
        """An input for each note that waits: pairs are many, notes few."""
        return tuple(
            Item(id=f"{WAITING}{path}", reason=reason, pending=True) for path, reason in sorted(self.waiting.items())
        )


def choose(
    nominations: Sequence[Nomination],
    *,
    declined: Mapping[str, str],
    aside: Collection[str],
    fresh: Freshness,
    limits: TidyLimits,
    attests: bool = False,
) -> Chosen:
    """Return at most `limits.nominations` of `nominations`, in their order.

    After a merge the other pairs of a statement are about one that is gone: one that may go is asked about in no more
    than `limits.of_one`, and in one less where the other may not; what stays is in as many as there are to take in.
    Where its note would go as well it has all of them at once: that costs no budget in the first nights of a note
    alone, so that one wrong ruling would keep it for a month.

    Left out are those that were `declined` lately or set `aside`, and pairs that code can tell apart or that no wording
    holds whatever is ruled: where somebody `attests` that other words say the same, a pair may differ in such alone.
    What was written since the last landing waits, and so does what there is no room for.
    """
    waiting: dict[str, str] = {}
    asked: list[Nomination] = []
    counts: Counter[str] = Counter()
    for one in not_declined(nominations, declined):
        if one.id in aside or _is_settled_by_code(one, attests=attests):
            continue
        sides = _may_go(one)
        if _waits(one, fresh):
            waiting |= dict.fromkeys((place.path for place in one.places), WRITTEN_TODAY)
        elif len(asked) >= limits.nominations or any(
            counts[side] >= max(1, limits.of_one - (len(sides) == 1 and not _is_a_note(one))) for side in sides
        ):
            waiting |= {place.path: waiting.get(place.path, NO_ROOM) for place in one.places}
        else:
            counts.update(sides)
            asked.append(one)
    return Chosen(asked=tuple(asked), waiting=waiting)


def _may_go(one: Nomination) -> list[str]:
    """Return the statements of a pair of which a merge may take one away: of duplicates the one less well founded."""
    ordered = sorted(one.places, key=foundation)
    return [_name(place) for place in (ordered[1:] if one.matter is Matter.DUPLICATE else ordered)]


def _is_a_note(one: Nomination) -> bool:
    """Whether a note would go with the statement that a merge takes away."""
    place = max(one.places, key=foundation)
    return place.entry is not None and only_statement(place.note, place.entry)


def notes_waiting(inputs: Iterable[str]) -> Iterator[str]:
    """Yield the notes that wait by `inputs`, those that a night left for another one, whichever way it named them."""
    for name in inputs:
        if name.startswith(WAITING):
            yield name.removeprefix(WAITING)
        else:
            yield from paths_named(name)


def _is_settled_by_code(one: Nomination, *, attests: bool) -> bool:
    if one.matter is Matter.SAME_TOPIC:
        return are_of_two_topics(one)
    if are_of_two_things(one):
        return True
    if one.matter is not Matter.DUPLICATE:
        return False
    said = [place.text for place in one.places]
    return not may_be_joined(*said) and (not attests or bool(closed_difference(*said)))


def _waits(one: Nomination, fresh: Freshness) -> bool:
    """Whether a pair is of today: nothing of today is merged away or worded anew, whatever is ruled of it."""
    of_today = [place.entry is not None and fresh.is_fresh(place.path, place.entry) for place in one.places]
    return any(of_today) if one.matter is Matter.DUPLICATE else all(of_today)


def _name(place: Place) -> str:
    return f"{place.path}\0{place.text if place.entry is not None else ''}"
