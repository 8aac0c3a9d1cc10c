"""Several words that together speak of one attribute, and units that a word before a number says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from dream.guards.verdicts.quantities import is_unit, quantity_of
from dream.guards.verdicts.tokens import Token
from dream.guards.verdicts.words import concept, parts_of

_SAID = {
    "time out after": "timeout",
    "times out after": "timeout",
    "time out": "timeout",
    "times out": "timeout",
    "gives up after": "timeout",
    "give up after": "timeout",
    "written in": "language",
    "cached for": "cache ttl",
    "time to live": "ttl",
    "visibility timeout": "visibility",
    "dead letter queue": "dlq",
    "dead letter": "dlq",
    "consumed by": "consumer",
}
_PHRASES = {tuple(said.split()): frozenset(map(concept, means.split())) for said, means in _SAID.items()}
_LONGEST = max(map(len, _PHRASES))
_VERSIONED = re.compile(r"(?P<stem>.*?)(?:[-_.]v[0-9]{1,3})?")


@lru_cache(maxsize=1_000)
def meanings_of(tokens: tuple[Token, ...]) -> tuple[frozenset[str], ...]:
    """Return for each token what the phrase speaks of in which it stands, empty where it stands in none."""
    found = [frozenset[str]()] * len(tokens)
    for first in range(len(tokens)):
        for last in range(first, min(first + _LONGEST, len(tokens))):
            said = tokens[first : last + 1]
            meaning = _PHRASES.get(tuple(token.text.lower() for token in said))
            if meaning and len({token.segment for token in said}) == 1:
                found[first : last + 1] = [meaning] * len(said)
    return tuple(found)


def concepts_in_key(parts: Sequence[str]) -> frozenset[str]:
    """Return what the words of a key speak of, those of a phrase together (`dead_letter_queue`)."""
    found: set[str] = set()
    at = 0
    while at < len(parts):
        size = next((size for size in range(_LONGEST, 1, -1) if tuple(parts[at : at + size]) in _PHRASES), 1)
        found |= _PHRASES.get(tuple(parts[at : at + size]), frozenset({concept(parts[at])}))
        at += size
    return frozenset(found)


def unit_before(tokens: tuple[Token, ...], places: Sequence[int], place: int) -> str:
    """Return the unit that a word at `places` says of the bare number at `place`, "" where none or several do.

    It is the last word of an identifier (`timeout_seconds: 30`), or a word of its own (`minute 10`, `in seconds: 30`).
    """
    bare = quantity_of(tokens[place].text)
    if bare is None or bare.dimension or tokens[place].text[:1] in "+-":
        return ""
    found = {unit for at in places if at < place for unit in _units_of(tokens, at)}
    return next(iter(found)) if len(found) == 1 else ""


def is_next_version(old: str, new: str) -> bool:
    """Whether two names are those of one thing but for a version at their end: `orders-events`, `orders-events-v2`."""
    one, other = _VERSIONED.fullmatch(old), _VERSIONED.fullmatch(new)
    return one is not None and other is not None and one["stem"] == other["stem"] and old != new


def _units_of(tokens: tuple[Token, ...], at: int) -> list[str]:
    if at and quantity_of(tokens[at - 1].text) is not None:
        return []
    parts = parts_of(tokens[at].text)
    is_rate = parts[-2:-1] == ("per",) or (at > 0 and tokens[at - 1].text.lower() == "per")
    return [parts[-1]] if parts and len(parts[-1]) > 1 and is_unit(parts[-1]) and not is_rate else []
