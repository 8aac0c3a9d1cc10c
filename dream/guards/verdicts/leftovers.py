"""Which words of an entry could make its value another thing's, or set a condition: none may be left over."""

from __future__ import annotations

from dream.guards.verdicts.bindings import LEADS_IN, READING, Key, Statement, carries
from dream.guards.verdicts.environments import environments_in, regions_in
from dream.guards.verdicts.phrases import meanings_of
from dream.guards.verdicts.quantities import is_unit
from dream.guards.verdicts.readings import Reading
from dream.guards.verdicts.subjects import Subjects, runs_of, same_name, same_subject
from dream.guards.verdicts.tokens import Token, tokens_of
from dream.guards.verdicts.words import (
    ATTRIBUTES,
    concept,
    concepts_of,
    is_generic_heading,
    is_neutral,
    listed,
    parts_of,
)

_SCOPES = listed(
    "if when whenever unless during only except while until per each every some most few before after above below over "
    "under otherwise usually normally sometimes often rarely mostly partly depending either neither nor not never no "
    "without cannot can't don't doesn't isn't won't wenn falls nur außer pro jede jeder jedes nicht "
    "kein keine ohne nie "
    "about around roughly approximately approx circa ca nearly almost etwa ungefähr rund least instead "
    "unlike like than "
    "compared vs versus both all any maybe perhaps probably possibly likely whose peak night weekends "
    "weekdays weekend idle "
    "sauf excepté si quand pendant seulement par chaque sans sin ne pas jamais avant après salvo excepto cuando "
    "durante "
    "sólo solo cada no nunca antes después environ casi alrededor"
)
_VERBS = listed("is are has have runs run uses listens keeps ist sind hat läuft nutzt")
_TO_FACTS = listed(
    "what is are known of about the facts fact key here some for on we know notes basics details was ist bekannt über"
)
_PREPOSITIONS = frozenset({"on", "in", "with", "via", "using", "at", "auf", "mit", "bei"})
_OWNING = frozenset(map(concept, ("owner", "team")))
_BOUNDS = frozenset(map(concept, ("quota", "budget")))
_HOLDERS = frozenset({"namespace", "cluster", "project"})


def unexplained(statement: Statement, place: int, key: Key, reading: Reading, *, width: int = 1) -> str:
    """Return a word by which the entry may say something else than the key, "" where all words are accounted for.

    Within its own segment and in what leads to it, each word is the key's, the thing's, the line's, or says nothing; in
    the rest of the sentence none sets a condition; before it none can be another thing of which all this is said.
    """
    tokens = statement.tokens
    known = _known(reading, key) | (READING if carries(statement, place, key) else frozenset())
    known |= {concept(word) for word in _HOLDERS if _holds(statement, place, word, reading)}
    meanings = meanings_of(tokens)
    own = {*statement.segment(place), *statement.leading(place)}
    aside = {*range(place, place + width), *statement.named, *(at for at in own if is_unit(tokens[at].text))}
    for at, token in enumerate(tokens):
        if at in aside or (meanings[at] and meanings[at] <= known):
            continue
        if token.sentence == tokens[place].sentence:
            if _is_spread(statement, at, place):
                continue
            if _sets_scope(token, known) or _is_left_over(statement, at, place, own, known):
                return token.text
            if _is_joined(statement, at, place):
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


def _holds(statement: Statement, place: int, word: str, reading: Reading) -> bool:
    """Whether the line has, under `word`, what the entry says behind the value: `in the shop namespace`."""
    said = {token.text.lower() for token in statement.tokens[place:]}
    values = {value.lower() for key, value in reading.fields if key.lower() == word}
    return len(values) == 1 and values <= said


def _is_spread(statement: Statement, at: int, place: int) -> bool:
    """Whether `each` at `at` says of the things that the value counts what each has, and nothing of their number."""
    tokens = statement.tokens
    if at < place or tokens[at].segment == tokens[place].segment or tokens[at].text.lower() not in {"each", "je"}:
        return False
    following = tokens[at + 1 : at + 2]
    return bool(following) and following[0].text.lower() in {"with", "has", "having", "mit"}


def _is_joined(statement: Statement, at: int, place: int) -> bool:
    """Whether `and` at `at` puts a second name or word beside the value, of which it then says only a part."""
    tokens = statement.tokens
    if tokens[at].text.lower() not in {"and", "und"} or tokens[at].segment != tokens[place].segment + 1:
        return False
    following = statement.segment(at)
    has_own = any(tokens[one].is_number or tokens[one].text.lower() in _VERBS | READING for one in following)
    return not tokens[place].is_number and not has_own


def _known(reading: Reading, key: Key) -> frozenset[str]:
    """Return what the key, the list or table in which its line stands, and whole values of the line speak of."""
    values = (concept(value) for _, value in reading.fields if value.isalpha())
    owning = _OWNING if key.words and key.words <= _OWNING else frozenset()
    if key.words & _BOUNDS and not reading.metric:
        owning |= {"max"}
    return owning | key.words | concepts_of((key.name, *reading.before, *reading.within)) | frozenset(values)


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
    led = statement.segment(segment[-1] + 1) if following and following[0].opened in LEADS_IN else ()
    return any(statement.tokens[one].is_number or statement.tokens[one].is_name for one in (*segment, *led))


def _is_head(statement: Statement, at: int) -> bool:
    """Whether a token stands before the first verb of being or having, or the first value, of its sentence."""
    tokens = statement.tokens
    first = next(place for place, token in enumerate(tokens) if token.sentence == tokens[at].sentence)
    return not any(tokens[place].text.lower() in _VERBS or tokens[place].is_number for place in range(first, at))


def _leads_to_facts(text: str, subjects: Subjects) -> bool:
    """Whether a line says only that facts about the thing follow: `What is known of orders-api:`."""
    tokens = tokens_of(text)
    named = frozenset().union(*(runs_of(parts_of(name), tokens) for name in subjects.names))
    return all(at in named or token.text.lower() in _TO_FACTS for at, token in enumerate(tokens))


def _is_plain_context(text: str, known: frozenset[str], subjects: Subjects) -> bool:
    if is_generic_heading(text) or _leads_to_facts(text, subjects):
        return True
    if any(same_subject(name, text) or same_name(name, text) for name in subjects.names):
        return True
    return concepts_of([text]) <= known | ATTRIBUTES | concepts_of((*subjects.environments, *subjects.regions))
