"""Which value of an entry a key of a line speaks of: the nearest attribute decides, and nothing may be left over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dream.guards.verdicts.environments import environments_in, regions_in
from dream.guards.verdicts.quantities import is_unit, quantity_of
from dream.guards.verdicts.readings import Reading, is_naming
from dream.guards.verdicts.subjects import Subjects, runs_of, same_name, same_subject
from dream.guards.verdicts.tokens import Token, unit_after
from dream.guards.verdicts.words import (
    ATTRIBUTES,
    concept,
    concepts_of,
    is_generic_heading,
    is_neutral,
    listed,
    parts_of,
    says_nothing_in_a_key,
)

_REACH = 4
_LEADS_IN = frozenset({":", "=", "(", "|"})
_SCOPES = listed(
    "if when whenever unless during only except while until per each every some most few before after above below over "
    "under otherwise usually normally sometimes often rarely mostly partly depending either neither nor not never no "
    "without cannot can't don't doesn't isn't won't wenn falls nur außer pro jede jeder jedes nicht "
    "kein keine ohne nie "
    "about around roughly approximately approx circa ca nearly almost etwa ungefähr rund least instead "
    "unlike like than "
    "compared vs versus both all any maybe perhaps probably possibly likely whose peak night weekends "
    "weekdays weekend idle"
)
_POLAR = frozenset({"enabled", "disabled", "on", "off", "true", "false", "yes", "no", "active", "inactive"})
_STATES = listed(
    "active inactive running stopped paused suspended enabled disabled public private open closed healthy degraded "
    "available ready online offline locked unlocked"
)
_VERBS = listed("is are has have runs run uses listens keeps ist sind hat läuft nutzt")
_LINKS = frozenset({"is", "by", "ist", "von"})
_PREPOSITIONS = frozenset({"on", "in", "with", "via", "using", "at", "auf", "mit", "bei"})


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
        if self.tokens[place].opened not in _LEADS_IN or segment[0] == 0:
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
    is_amount = quantity_of(statement.tokens[place].text) is not None
    alike = [key for key in keys if not is_amount or quantity_of(key.value, key.unit) is not None]
    fitting = [key for key in alike if _fits(key, words, statement.tokens[place])]
    if any(_is_nearer_to_another(statement, place, key, width) for key in fitting):
        return ()
    told = [key for key in fitting if key.words & words] or fitting
    return tuple(key for key in told if not any(key.words < other.words for other in told))


def unexplained(statement: Statement, place: int, key: Key, reading: Reading, *, width: int = 1) -> str:
    """Return a word by which the entry may say something else than the key, "" where all words are accounted for.

    Within its own segment and in what leads to it, each word is the key's, the thing's, the line's, or says nothing; in
    the rest of the sentence none sets a condition; before it none can be another thing of which all this is said.
    """
    tokens = statement.tokens
    known = _known(reading, key)
    own = {*statement.segment(place), *statement.leading(place)}
    aside = {*range(place, place + width), *statement.named, *(at for at in own if is_unit(tokens[at].text))}
    for at, token in enumerate(tokens):
        if at in aside:
            continue
        if token.sentence == tokens[place].sentence:
            if _sets_scope(token, known) or _is_left_over(statement, at, place, own, known):
                return token.text
        elif token.sentence < tokens[place].sentence and _is_other_head(statement, at, known):
            return token.text
    return next(
        (text for text in statement.subjects.context if not _is_plain_context(text, known, statement.subjects)), ""
    )


def _is_other_head(statement: Statement, at: int, known: frozenset[str]) -> bool:
    """Whether the word at `at` may name what an earlier sentence, and so this one, is about."""
    token = statement.tokens[at]
    if token.is_number or is_generic_heading(token.text) or not _is_head(statement, at):
        return False
    return not _is_known(token, known | ATTRIBUTES)


def _is_left_over(statement: Statement, at: int, place: int, own: set[int], known: frozenset[str]) -> bool:
    """Whether the word at `at`, in the sentence of the value, may make it another thing's or set a condition."""
    token = statement.tokens[at]
    if at in own:
        return not _is_known(token, known)
    if not _has_value(statement, at):
        leads = at < place or token.opened in _PREPOSITIONS
        return leads and not _is_known(token, known)
    if at > place or token.is_number or token.is_name or is_unit(token.text):
        return False
    return not _is_known(token, known | ATTRIBUTES)


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
        return bool(told & key.words) or bool(_implied(token) & key.words)
    if before.segment != token.segment:
        follows = token.opened in {":", "="}
    else:
        follows = before.text.lower() in _LINKS or concept(before.text) in key.words
    return follows and concept(token.text) not in ATTRIBUTES | key.words


def _key(name: str, value: str, within: Sequence[str], named: str) -> Key:
    parts = [part for key in (*within, name) for part in parts_of(key)]
    unit = ""
    if len(parts) > 1 and is_unit(parts[-1]):
        unit = parts.pop()
    subject = list(parts_of(named))
    if subject and parts[: len(subject)] == subject and not within:
        parts = parts[len(subject) :]
    words = frozenset(concept(part) for part in parts if not says_nothing_in_a_key(part))
    words = words or frozenset(concept(part) for part in parts[-1:])
    return Key(name=name, value=value, words=words, unit=unit)


def _fits(key: Key, words: frozenset[str], value: Token) -> bool:
    wanted = key.words - {"deployment", "statefulset", "service"}
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


def _known(reading: Reading, key: Key) -> frozenset[str]:
    """Return what the key, the list or table in which its line stands, and whole values of the line speak of."""
    values = (concept(value) for _, value in reading.fields if value.isalpha())
    return key.words | concepts_of((key.name, *reading.before, *reading.within)) | frozenset(values)


def _is_known(token: Token, known: frozenset[str]) -> bool:
    text = token.text
    if is_neutral(text) or concept(text) in known:
        return True
    if environments_in([text]) or regions_in([text]):
        return True
    parts = concepts_of([text])
    return bool(parts) and parts <= known


def _sets_scope(token: Token, known: frozenset[str]) -> bool:
    lower = token.text.lower().replace("\u2019", "'")
    return lower in _SCOPES and concept(lower) not in known


def _has_value(statement: Statement, at: int) -> bool:
    segment = statement.segment(at)
    following = statement.tokens[segment[-1] + 1 : segment[-1] + 2]
    led = statement.segment(segment[-1] + 1) if following and following[0].opened in _LEADS_IN else ()
    return any(statement.tokens[one].is_number or statement.tokens[one].is_name for one in (*segment, *led))


def _is_head(statement: Statement, at: int) -> bool:
    """Whether a token stands before the first verb of being or having, or the first value, of its sentence."""
    tokens = statement.tokens
    first = next(place for place, token in enumerate(tokens) if token.sentence == tokens[at].sentence)
    return not any(tokens[place].text.lower() in _VERBS or tokens[place].is_number for place in range(first, at))


def _is_plain_context(text: str, known: frozenset[str], subjects: Subjects) -> bool:
    if is_generic_heading(text):
        return True
    if any(same_subject(name, text) or same_name(name, text) for name in subjects.names):
        return True
    return concepts_of([text]) <= known | ATTRIBUTES | concepts_of((*subjects.environments, *subjects.regions))


def value_width(tokens: tuple[Token, ...], place: int) -> int:
    """Return how many tokens the value at `place` takes: a unit that stands by itself belongs to it."""
    return 2 if unit_after(tokens, place) else 1
