"""Whether a wording holds all that another says, so that the other may go: closed by default.

Each word of the other that says something stands in the kept wording, in the same order, as itself or as one that means
the same; each word that only the kept one has says nothing, or is a detail added in a clause of its own that takes
nothing back. Whoever rules that two statements say the same cannot be wrong about a value, a name, a state, a role or a
condition: a word that only one of them has is enough to keep both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from dream.guards.sameness.reading import VALUE, Word, read_saying
from dream.guards.sameness.tables import ADDS, GUARDED, LEAST, MOST, NARROWING, SETTINGS
from dream.guards.verdicts.environments import environments_in, regions_in
from dream.memory.entries import collapse

_MOST_WORDS = 400
_BOUNDS = frozenset({LEAST, MOST})

Row = tuple[Word, ...]


def uncovered(kept: str, other: str) -> str:
    """Return the word that stands against letting `other` go for `kept` (comparison keys); empty for nothing."""
    if collapse(kept) == collapse(other):
        return ""
    ours, theirs = read_saying(kept), read_saying(other)
    if max(sum(map(len, ours)), sum(map(len, theirs))) > _MOST_WORDS:
        return "too long to compare"
    places = _places(kept) ^ _places(other)
    if places:
        return min(places)
    mine, yours = _flat(ours), _flat(theirs)
    if _is_setting(mine) and _is_setting(yours) and _counts(mine) == _counts(yours):
        return ""
    return _told(yours, ours) and _by_clause(ours, theirs)


def may_be_joined(one: str, other: str) -> bool:
    """Whether one of two statements holds the other, or a clause of one a clause of the other.

    Where neither is so, no wording holds both without being a list of the two.
    """
    if not uncovered(one, other) or not uncovered(other, one):
        return True
    if _places(one) != _places(other):
        return False
    ours, theirs = ([clause for clause in read_saying(text) if len(_telling(clause)) > 1] for text in (one, other))
    return any(
        not _told(_telling(here), (there,)) or not _told(_telling(there), (here,)) or _is_one_setting(here, there)
        for here in ours
        for there in theirs
    )


def _is_one_setting(one: Row, other: Row) -> bool:
    ours, theirs = _telling(one), _telling(other)
    return _is_setting(ours) and _is_setting(theirs) and _counts(ours) == _counts(theirs)


def cut(old: str, new: str) -> str:
    """Return what stands against `new` as a shorter `old` (comparison keys), in a word or two; empty for nothing.

    It takes words away and moves none, and none of those that turn, limit or time what is left.
    """
    row = _flat(read_saying(new))
    wanted = iter(was := _flat(read_saying(old)))
    moved = next((word.said for word in row if all(word.means != other.means for other in wanted)), "")
    if moved:
        return moved
    turns = Counter(word.means for word in was if _turns(word)) - _counts(row)
    return next((word.said for word in was if turns[word.means]), "")


def _turns(word: Word) -> bool:
    return word.means.startswith("<") or word.said in GUARDED


def _places(text: str) -> frozenset[str]:
    return environments_in([text]) | regions_in([text])


def _is_setting(row: Row) -> bool:
    """Whether a statement gives one thing one value, in words of which none says who does what: it has no order."""
    names = [word for word in row if word.is_name and not VALUE.fullmatch(word.means)]
    values = [word for word in row if VALUE.fullmatch(word.means)]
    rest = [word for word in row if not word.is_name]
    return (
        len(names) == 1
        and len(values) == 1
        and all(word.means in SETTINGS or word.means in _BOUNDS or word.means.startswith("u:") for word in rest)
    )


def _by_clause(ours: Sequence[Row], theirs: Sequence[Row]) -> str:
    """Return what is against it where clauses may stand in another order, each as it is or with a detail behind."""
    left = list(ours)
    against = ""
    for clause in theirs:
        row = _telling(clause)
        found = next((n for n, mine in enumerate(left) if not _told(row, (mine,))), None)
        if row and found is None:
            against = _told(row, ours) or row[0].said
            break
        if found is not None:
            del left[found]
    return against or _adds(word for clause in left for word in clause)


def _told(wanted: Row, clauses: Sequence[Row]) -> str:
    """Return the first word of `wanted` that `clauses` do not say in its order, or a word that they bring in."""
    said = [(word, at, number) for number, clause in enumerate(clauses) for at, word in enumerate(clause)]
    place = 0
    extra: list[tuple[Word, int, int]] = []
    for word in wanted:
        while place < len(said) and said[place][0].means != word.means:
            if not said[place][0].is_free:
                extra.append(said[place])
            place += 1
        if place == len(said):
            return word.said
        place += 1
    last = said[place - 1][2] if place else 0
    extra += [one for one in said[place:] if not one[0].is_free]
    told = {number for number, clause in enumerate(clauses) if _counts(wanted) & _counts(_telling(clause))}
    for word, at, number in extra:
        is_behind = number == last and place and _is_behind(clauses[number], at, said, place)
        if not (is_behind or (number not in told and number > 0)):
            return word.said
    return _adds(word for word, _, _ in extra)


def _is_behind(clause: Row, at: int, said: Sequence[tuple[Word, int, int]], place: int) -> bool:
    """Whether the word at `at` belongs to a detail that begins, with a word that adds one, after all that is wanted."""
    after = said[place - 1][1] + 1
    begins = next((n for n in range(after, len(clause)) if not clause[n].is_free or clause[n].said in ADDS), None)
    return begins is not None and at >= begins and (clause[begins].said in ADDS or clause[begins].means in ADDS)


def _adds(words: Iterable[Word]) -> str:
    return next((word.said for word in words if word.means in NARROWING), "")


def _flat(clauses: Sequence[Row]) -> Row:
    return tuple(word for clause in clauses for word in _telling(clause))


def _telling(clause: Row) -> Row:
    return tuple(word for word in clause if not word.is_free)


def _counts(row: Row) -> Counter[str]:
    return Counter(word.means for word in row)
