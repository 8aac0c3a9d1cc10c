"""Whether two statements say different things of one matter: another value, another name, or a negation. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from dream.guards.verdicts.environments import environments_in, regions_in
from dream.guards.verdicts.subjects import names_in
from dream.guards.verdicts.words import ATTRIBUTES, concept
from dream.guards.vocabulary import content_words, is_negation, is_value
from dream.memory.similarity import specifics, word_set

_MARKUP = re.compile(r"`|\*\*|\]\([^()\s]{0,2000}\)|https?://\S{1,2000}")
_POSITION = re.compile(
    r"\blines?:? ~?[0-9]+(?:\s?[-\u2013,]\s?[0-9]++)*|:[0-9]+(?:[-\u2013][0-9]+)?(?![0-9:])", re.IGNORECASE
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*")
_VERSION = re.compile(r"v?[0-9]+(?:\.[0-9A-Za-z]++)+(?:[-+].*)?|v[0-9]+")
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_NUMERAL = re.compile(r"(?<![\w.#/-])[0-9]+(?:[.,][0-9]+){0,5}(?![\w-]*[-/][0-9])")
_ENVIRONMENTS = frozenset({"production", "staging", "development", "qa", "uat", "sandbox", "dr", "standby", "canary"})
_BOUNDS = frozenset({"≥", "≤"})
_POLAR = {
    "true": "on", "enabled": "on", "on": "on", "allowed": "on", "active": "on", "public": "public",
    "false": "off", "disabled": "off", "off": "off", "forbidden": "off", "inactive": "off", "private": "private",
}  # fmt: skip
_LONGEST = 40
_SHORT = 16
_A_FEW = 4
_MOST_CHANGED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What a statement states: names, values by what they measure, attributes, negations and environments."""

    names: frozenset[str]
    values: Mapping[str, frozenset[str]] = field(hash=False)
    attributes: frozenset[str]
    negations: int
    environments: frozenset[str]
    words: frozenset[str]
    numerals: Mapping[str, int] = field(hash=False)


@lru_cache(maxsize=20_000)
def stated_in(text: str) -> Stated:
    """Return what `text`, the key of an entry, states; marks of style and where links lead count for nothing."""
    plain = _POSITION.sub(_place_apart, _MARKUP.sub(" ", text))
    found = specifics(plain)
    commits = frozenset(one for one in found if _COMMIT.fullmatch(one) and not one.isdigit() and not one.isalpha())
    lower = word_set(plain)
    regions = regions_in([plain])
    values: dict[str, set[str]] = {}
    for one in found:
        if is_value(one) and one not in commits and not is_negation(one) and one not in _BOUNDS and one not in _POLAR:
            values.setdefault(_measured(one), set()).add(one)
    for kind, several in (("switch", {_POLAR[word] for word in lower if word in _POLAR}), ("region", regions)):
        if several:
            values[kind] = set(several)
    numerals = frozenset().union(*(word_set(one) for one in found if is_value(one)))
    named = {one for one in found if one in commits or not (is_value(one) or regions_in([one]))}
    named |= {name for name in names_in(plain) if "-" in name}
    return Stated(
        names=frozenset(map(str.casefold, named)),
        values={kind: frozenset(several) for kind, several in values.items()},
        attributes=frozenset(map(concept, lower)) & ATTRIBUTES,
        negations=sum(map(is_negation, found)),
        environments=environments_in([plain]) & _ENVIRONMENTS,
        numerals=Counter(number.replace(",", "") for number in _NUMERAL.findall(plain)),
        words=content_words(plain) - numerals,
    )


def differing_values(one: Stated, other: Stated) -> frozenset[str]:
    """Return what is measured of which each states a value that the other does not; dates are what happened when.

    Numbers are counted, so that one that took the place of another is seen where that stands elsewhere as well.
    """
    kinds = _differing_kinds(one, other)
    ours, theirs = Counter(one.numerals), Counter(other.numerals)
    return kinds or frozenset(("number",) if ours - theirs and theirs - ours and one.values.keys() - {"date"} else ())


def are_of_two_things(one: Stated, other: Stated) -> bool:
    """Whether each names something that the other does not, and not as the value of one attribute of one thing."""
    if one.environments != other.environments and one.environments and other.environments:
        return True
    ours, theirs = one.names - other.names, other.names - one.names
    return bool(ours and theirs) and not _is_another_name(one, other)


def opposition(one: Stated, other: Stated) -> str:
    """Return in what way two statements on one matter contradict each other by their form, "" where they do not."""
    if differing_values(one, other):
        return "another value"
    if one.negations != other.negations and _say_the_same_beside_it(one, other):
        return "a negation"
    return "another name" if _is_another_name(one, other) else ""


def is_clear(one: Stated, other: Stated) -> bool:
    """Whether so little beside the values differs that one statement may be what the other should be."""
    together = one.words | other.words
    kinds = differing_values(one, other)
    changed = sum(len(_of(kind, one) ^ _of(kind, other)) for kind in kinds)
    return (
        len(together) <= _LONGEST and changed <= _MOST_CHANGED and 5 * len(one.words & other.words) >= 2 * len(together)
    )


def _say_the_same_beside_it(one: Stated, other: Stated) -> bool:
    apart = one.words ^ other.words
    return len(apart) <= _A_FEW or 10 * len(one.words & other.words) >= 7 * len(one.words | other.words)


def _place_apart(match: re.Match[str]) -> str:
    """Leave times of day alone, which read like lines of a file."""
    before = match.string[max(0, match.start() - 1) : match.start()]
    return match[0] if before.isdigit() else " "


def _is_another_name(one: Stated, other: Stated) -> bool:
    ours, theirs = one.names - other.names, other.names - one.names
    return (
        len(ours) == len(theirs) == 1
        and bool(one.names & other.names and one.attributes & other.attributes)
        and len(one.words | other.words) <= _SHORT
    )


def is_one_attribute(one: Stated, other: Stated) -> bool:
    """Whether both state just one value of something measured alike, and of the same attribute, each another one."""
    kinds = _differing_kinds(one, other)
    return (
        bool(one.attributes & other.attributes)
        and len(kinds) == 1
        and all(len(_of(kind, stated)) == 1 for kind in kinds for stated in (one, other))
        and all(_is_written_out(kind, stated) for kind in kinds for stated in (one, other))
        and not are_of_two_things(one, other)
    )


def _differing_kinds(one: Stated, other: Stated) -> frozenset[str]:
    return frozenset(
        kind
        for kind in one.values.keys() & other.values.keys()
        if kind != "date" and one.values[kind] - other.values[kind] and other.values[kind] - one.values[kind]
    )


def _is_written_out(kind: str, stated: Stated) -> bool:
    """Whether a number stands in figures: `one` and `two` count things in passing."""
    return kind != "number" or all(value in stated.numerals for value in _of(kind, stated))


def _of(kind: str, stated: Stated) -> frozenset[str]:
    return stated.values.get(kind, frozenset())


def _measured(value: str) -> str:
    if _DATE.fullmatch(value):
        return "date"
    if " " in value:
        return value.rpartition(" ")[2]
    if ":" in value:
        return "time"
    return "version" if _VERSION.fullmatch(value) and not value.replace(".", "", 1).isdigit() else "number"
