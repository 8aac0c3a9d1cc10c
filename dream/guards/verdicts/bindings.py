"""Which value of an entry a key of a line speaks of: the nearest attribute decides, and nothing may be left over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dream.guards.verdicts.environments import regions_in
from dream.guards.verdicts.phrases import concepts_in_key, is_next_version, meanings_of
from dream.guards.verdicts.quantities import is_unit, quantity_of
from dream.guards.verdicts.readings import Reading, is_naming
from dream.guards.verdicts.subjects import Subjects, runs_of
from dream.guards.verdicts.tokens import Token, unit_after
from dream.guards.verdicts.words import (
    ATTRIBUTES,
    concept,
    concepts_of,
    is_neutral,
    listed,
    parts_of,
    says_nothing_in_a_key,
)

_REACH = 4
LEADS_IN = frozenset({":", "=", "(", "|"})
"""The marks behind which a value of what stands before them is told."""

_POLAR = frozenset({"enabled", "disabled", "on", "off", "true", "false", "yes", "no", "active", "inactive"})
_STATES = listed(
    "active inactive running stopped paused suspended enabled disabled public private open closed healthy degraded "
    "available ready online offline locked unlocked"
)
_HOLDING = frozenset(map(concept, ("deployment", "statefulset", "service")))
_ARTICLES = listed("the a an der die das dem")
READING = frozenset(map(concept, ("read", "reads", "consume", "consumes", "liest")))
"""By what words an entry says that something is read."""

_SCALING = frozenset(map(concept, ("autoscaling", "autoscaler", "hpa")))
_CARRIERS = frozenset(map(concept, ("queue", "topic", "stream")))
_LINKS = frozenset({"is", "by", "ist", "von"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A field of a line as an attribute: `words` are all that the key says, `unit` what its last word measures."""

    name: str
    value: str
    words: frozenset[str]
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A text as its tokens, of which those at `subject` are the names of what it is about."""

    tokens: tuple[Token, ...]
    subjects: Subjects

    def segment(self, place: int) -> tuple[int, ...]:
        """Return the places of the tokens between the two breaks around `place`."""
        wanted = self.tokens[place].segment
        return tuple(at for at, token in enumerate(self.tokens) if token.segment == wanted)

    @property
    def named(self) -> frozenset[int]:
        """The places at which the subject is named, in one word or in those of a title (`the Orders API`)."""
        runs = (runs_of(parts_of(name), self.tokens) for name in self.subjects.names)
        return frozenset().union(*runs)

    def leading(self, place: int) -> tuple[int, ...]:
        """Return the places of the segment before that of `place` where it leads in to it (`Timeout: 30 s`)."""
        segment = self.segment(place)
        if self.tokens[place].opened not in LEADS_IN or segment[0] == 0:
            return ()
        before = self.segment(segment[0] - 1)
        same = self.tokens[before[0]].sentence == self.tokens[place].sentence
        return before if same and not any(self.tokens[at].is_number for at in before) else ()


def keys_of(reading: Reading, named: str) -> tuple[Key, ...]:
    """Return the attributes that a line gives of the thing `named`, but for the keys that name it."""
    found = []
    for name, value in reading.fields:
        if (is_naming(name) and value == named) or name == "value" or not value.strip():
            continue
        found.append(_key(name, value, reading.within, named))
    return tuple(found)


def keys_for(statement: Statement, place: int, keys: Sequence[Key], *, width: int = 1) -> tuple[Key, ...]:
    """Return the keys that speak of the value at `place` (`width` tokens long) of `statement`, mostly none or one."""
    around = [*statement.leading(place), *statement.segment(place)]
    own = {*range(place, place + width), *statement.named}
    near = {at: concept(statement.tokens[at].text) for at in around if at not in own}
    parts = {part for at in near for part in concepts_of([statement.tokens[at].text])}
    words = frozenset(near.values()) | parts | _implied(statement.tokens[place])
    meanings = meanings_of(statement.tokens)
    words = words.union(*(meanings[at] for at in near))
    is_amount = quantity_of(statement.tokens[place].text) is not None
    alike = [key for key in keys if not is_amount or quantity_of(key.value, key.unit) is not None]
    shaped = words | _shaped(statement.tokens[place])
    fitting = [
        key
        for key in alike
        if _fits(key, words, statement.tokens[place])
        or (key.words & words and _fits(key, shaped, statement.tokens[place]))
        or carries(statement, place, key)
    ]
    if any(_is_nearer_to_another(statement, place, key, width) for key in fitting):
        return ()
    told = [key for key in fitting if key.words & words] or fitting
    return tuple(key for key in told if not any(key.words < other.words for other in told))


def is_value(statement: Statement, place: int, key: Key) -> bool:
    """Whether the word at `place` stands where a value of `key` does: no word that only joins others may be one.

    Amounts, names, switches and what is set off are values by their form; any other word is one right behind the
    attribute, `is`, `by` or a colon.
    """
    token = statement.tokens[place]
    lower = token.text.lower()
    if token.is_number or quantity_of(token.text) is not None or lower in _POLAR | _STATES:
        return True
    before = statement.tokens[place - 1] if place else None
    if (
        before is None
        or key.value.lower() in {"true", "false"}
        or place in statement.named
        or is_unit(token.text)
        or is_neutral(token.text)
    ):
        return False
    if token.is_name or token.marked:
        around = [*statement.leading(place), *statement.segment(place)]
        told = concepts_of(statement.tokens[at].text for at in around if at < place)
        told = told.union(*(meanings_of(statement.tokens)[at] for at in around if at < place))
        return bool((told | _implied(token)) & key.words) or carries(statement, place, key)
    if before.segment != token.segment:
        follows = token.opened in {":", "="}
    else:
        lead = statement.tokens[place - 2] if place > 1 and before.text.lower() in _ARTICLES else before
        follows = lead.text.lower() in _LINKS or concept(before.text) in key.words
    return follows and concept(token.text) not in ATTRIBUTES | key.words


def _key(name: str, value: str, within: Sequence[str], named: str) -> Key:
    parts = [part for key in (*within, name) for part in parts_of(key)]
    unit = ""
    if len(parts) > 1 and is_unit(parts[-1]) and parts[-2] != "per":
        unit = parts.pop()
    subject = list(parts_of(named))
    if subject and parts[: len(subject)] == subject and not within:
        parts = parts[len(subject) :]
    words = concepts_in_key([part for part in parts if not says_nothing_in_a_key(part)])
    if concept("replica") in words and words & {"max", "min"}:
        words -= _SCALING
    words = words or frozenset(concept(part) for part in parts[-1:])
    return Key(name=name, value=value, words=words, unit=unit)


def _fits(key: Key, words: frozenset[str], value: Token) -> bool:
    wanted = key.words - _HOLDING
    if value.text.lower() in _POLAR | _STATES:
        wanted = wanted - {"enabled", "statu", "status", "stat", "state", "phas", "phase"}
        return wanted <= words and (bool(wanted) or bool(key.words & {"enabled", *concepts_of(("status", "state"))}))
    return bool(wanted) and wanted <= words


def _implied(value: Token) -> frozenset[str]:
    """Return what a value is an amount of by its form alone: a version, a region, a port that follows a host."""
    if value.is_version:
        return frozenset({"version"})
    if value.text.lower() in regions_in([value.text]):
        return frozenset({"region"})
    return frozenset()


def _is_nearer_to_another(statement: Statement, place: int, key: Key, width: int) -> bool:
    """Whether a value of the same kind in the same segment stands nearer to the key's words, or as near."""
    tokens = statement.tokens
    segment = statement.segment(place)
    rivals = [
        at
        for at in segment
        if not place <= at < place + width
        and tokens[at].is_number == tokens[place].is_number
        and (tokens[at].is_number or tokens[at].is_name)
        and not is_unit(tokens[at].text)
        and tokens[at].text not in statement.subjects.stated
    ]
    anchors = [at for at in segment if concepts_of([tokens[at].text]) & key.words and not place <= at < place + width]
    if not rivals or not anchors:
        return bool(rivals)
    last = place + width - 1
    own = min(min(abs(at - place), abs(at - last)) for at in anchors)
    return own > _REACH or any(abs(at - rival) <= own for at in anchors for rival in rivals)


def _shaped(value: Token) -> frozenset[str]:
    """Return what a value looks like that some other word says more of: a path, an address, a channel."""
    if value.text.startswith("/"):
        return frozenset({concept("path")})
    if value.text.startswith(("https://", "http://")):
        return frozenset({"url"})
    return frozenset({"channel"}) if value.text.startswith("#") else frozenset()


def carries(statement: Statement, place: int, key: Key) -> bool:
    """Whether an entry says that something is read, and the key is where from, by the same name in another version."""
    if len(key.words) != 1 or not key.words <= _CARRIERS:
        return False
    said = {statement.tokens[at].text.lower() for at in statement.segment(place) if at < place}
    reads = bool({concept(word) for word in said} & READING)
    return reads and is_next_version(statement.tokens[place].text, key.value)


def value_width(tokens: tuple[Token, ...], place: int) -> int:
    """Return how many tokens the value at `place` takes: a unit that stands by itself belongs to it."""
    return 2 if unit_after(tokens, place) else 1
