"""What two statements of one meaning have in common whatever their words: closed classes, that no attestation opens.

Names and values, their order where a role could hang on it, environments, negations, quantifiers, bounds, conditions,
times, and every word that has an opposite. What is left to differ are ordinary words, of which only somebody who
understands them can say whether they mean the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dream.guards.sameness.poles import FAMILY, NO_NAME, NO_NAMES, PHRASAL, RIVALS, ROLES, STRICT, UNSAID
from dream.guards.sameness.reading import VALUE, Word, read_words
from dream.guards.sameness.tables import GUARDED, NOT
from dream.guards.verdicts.environments import environments_in, regions_in
from dream.guards.verdicts.words import listed
from dream.memory.entries import collapse
from dream.memory.specifics import specifics

_MOST_WORDS = 120
_TOKEN = re.compile(r"[A-Za-z][A-Za-z'-]{0,60}|[.!?:;\n(]|[^\sA-Za-z]{1,200}")
_ENDS = frozenset(".!?:;\n(")
_LED = re.compile(r"\A(?:[-*] )?(?:(?:please )?(?:note|remember) that|as of today,?|confirmed:|fyi:) ", re.IGNORECASE)
_DENYING = re.compile(r"(?:un|dis|non|in|im|de|mis|anti|over|under)[a-z]{4,40}")
_NOT_DENYING = listed(
    "under unit units until unless union unique unix universal display distributed distance discover discuss "
    "distinct directory directories disappear disappears index indexes inside into input instance instances interval "
    "information infrastructure interface important image images imagine immediate immediately interest interests "
    "understand understands import default defaults delay delays deliver delivers delivery depend depends describe "
    "design details detect determine develop deploy deploys deployed deployment deployments depth device destination "
    "destined intake intended initial integer integration dispatch dispatched internet invoice invoices investigate "
    "involved improve dedicated decide deemed define defined"
)
_BE = listed("is are be been being am gets get getting was were has have had having")
_BARE_PAST = listed(
    "ran went kept held sent took gave got wrote began came became left made built had lived sat stood spoke"
)
_AFTER_A_VERB = listed("on to the a its for from in with")
_NO_PAST = listed("need feed seed speed breed exceed proceed succeed embed shed indeed destined")
_ABLE = "can"
_BY = "by"
_AFTER_AN_ORDER = listed("of a an the at to with through it them this that these those your our its all every any up")
_PASSIVE = re.compile(
    r"\b(?:is|are|be|being|gets|get) (?:[a-z]{1,30} )?[a-z]{1,30}(?:ed|en|wn|pt|lt|nt|ld|ung|un) by "
    r"(?:an? |the )?(?:team )?(?P<doer>[a-z][a-z0-9._-]{0,60})",
    re.IGNORECASE,
)
_NEAR = 3
_TWO = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Closed:
    """What of a statement is closed: its `row` of names and values in order, and what else has to be the same."""

    row: tuple[str, ...]
    capitals: frozenset[str]
    first: frozenset[str]
    words: frozenset[str]
    turns: Counter[str]
    strict: frozenset[str]
    roles: tuple[str, ...]
    rivals: dict[int, frozenset[str]]
    places: frozenset[str]
    specifics: frozenset[str]
    is_past: bool
    doer: str
    asks: bool
    size: int


def closed_difference(one: str, other: str) -> str:
    """Return a word in which two statements (comparison keys) say two things whatever is attested; empty for none."""
    if collapse(one) == collapse(other):
        return ""
    ours, theirs = _closed(one), _closed(other)
    if max(ours.size, theirs.size) > _MOST_WORDS:
        return "too long to compare"
    apart = (
        *sorted(ours.specifics ^ theirs.specifics),
        *sorted(ours.places ^ theirs.places),
        *_names_apart(ours, theirs),
        *_turns_apart(ours.turns, theirs.turns),
        *_poles_apart(ours.strict, theirs.strict),
        *_rivals_apart(ours, theirs),
    )
    if apart:
        return apart[0]
    if ours.is_past != theirs.is_past:
        return "past"
    return "?" if ours.asks != theirs.asks else ""


def matter_of(text: str) -> tuple[str, ...]:
    """Return the names and values of a statement, sorted: equal for what can be one; empty where it names nothing."""
    closed = _closed(text)
    names = closed.capitals | {one for one in closed.first if _may_be_name(one)}
    row = {*_row(closed.row, names)}
    return tuple(sorted(row)) if any(map(_is_thing, row)) else ()


def _names_apart(ours: _Closed, theirs: _Closed) -> Iterator[str]:
    """Yield what is named in one alone, or in another order where it has to be the same."""
    names = ours.capitals | theirs.capitals
    for mine, yours in ((ours, theirs), (theirs, ours)):
        yield from sorted(mine.capitals - yours.words)
        yield from sorted(one for one in mine.first - yours.words if _may_be_name(one))
    names |= {one for one in ours.first | theirs.first if _may_be_name(one)}
    one, other = (tuple(dict.fromkeys(_row(side.row, names))) for side in (ours, theirs))
    if {*one} != {*other}:
        yield min({*one} ^ {*other})
    things = sum(map(_is_thing, one))
    if _is_turned_round(one, other) and _is_passive(ours, theirs, doers=(one[-1], other[-1])):
        return
    if one != other and (things > 1 or len(one) - things > 1):
        yield "order"
    if things > 1 and ours.roles != theirs.roles:
        yield next(iter({*ours.roles} ^ {*theirs.roles}), "order")


def _is_turned_round(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two things, and nothing else, are named in the one order and in the other."""
    return len(one) == _TWO and all(map(_is_thing, one)) and one == tuple(reversed(other))


def _is_passive(ours: _Closed, theirs: _Closed, *, doers: Sequence[str]) -> bool:
    """Whether one of two statements is the other in the passive, for all that `by` tells: who does it stands last."""
    (passive, doer), (active, _) = sorted(zip((ours, theirs), doers, strict=True), key=lambda side: -len(side[0].roles))
    is_said = passive.doer == doer.removeprefix("=") and not active.doer
    return is_said and passive.roles == tuple(sorted((*active.roles, _BY)))


def _turns_apart(ours: Counter[str], theirs: Counter[str]) -> list[str]:
    """Return what turns one of two statements alone; what one is able to do and does is no other thing by itself."""
    apart = sorted((ours - theirs) + (theirs - ours))
    is_denied = NOT in ours or NOT in theirs
    return [] if apart == [_ABLE] and not is_denied else apart


def _poles_apart(ours: frozenset[str], theirs: frozenset[str]) -> Iterator[str]:
    """Yield the poles that one statement alone has, but for one that takes nothing back and meets no other pole."""
    for mine, yours in ((ours, theirs), (theirs, ours)):
        families = {FAMILY[pole] for pole in yours if pole in FAMILY}
        yield from sorted(pole for pole in mine - yours if pole not in UNSAID or FAMILY[pole] in families)


def _may_be_name(first: str) -> bool:
    """Whether the word that a sentence begins with may be what something is called."""
    is_word = NO_NAME.fullmatch(first) or first in NO_NAMES or first in STRICT or first in RIVALS or first in GUARDED
    return not is_word


def _row(row: Sequence[str], names: frozenset[str]) -> Iterator[str]:
    return (one for one in row if one.startswith("=") or one in names)


def _is_thing(one: str) -> bool:
    return not VALUE.fullmatch(one.partition(" ")[0])


def _rivals_apart(ours: _Closed, theirs: _Closed) -> Iterator[str]:
    for family in ours.rivals.keys() & theirs.rivals.keys():
        if ours.rivals[family].isdisjoint(theirs.rivals[family]):
            yield min(ours.rivals[family])


@lru_cache(maxsize=20_000)
def _closed(text: str) -> _Closed:
    plain = _LED.sub("", text)
    for pattern, said in PHRASAL:
        plain = pattern.sub(said, plain)
    words = read_words(plain)
    tokens = _TOKEN.findall(plain)
    lower = [token.lower() for token in tokens]
    capitals, first = _capitalised(tokens)
    rivals: dict[int, set[str]] = {}
    for word in lower:
        if word in RIVALS:
            rivals.setdefault(RIVALS[word][0], set()).add(RIVALS[word][1])
    return _Closed(
        row=tuple(_valued(words)),
        capitals=capitals,
        first=first,
        words=frozenset(lower) | {word.said for word in words},
        turns=_turns(words),
        strict=frozenset(STRICT[word] for word in lower if word in STRICT) | frozenset(filter(_denies, lower)),
        roles=tuple(sorted(word for word in lower if word in ROLES)),
        rivals={family: frozenset(poles) for family, poles in rivals.items()},
        places=environments_in([plain]) | regions_in([plain]),
        specifics=specifics(plain),
        is_past=_tells_of_past(lower),
        doer=passive["doer"].lower().rstrip(".") if (passive := _PASSIVE.search(plain)) else "",
        asks="?" in text,
        size=len(tokens),
    )


def _valued(words: Sequence[Word]) -> Iterator[str]:
    """Yield names, values with their unit, and plain words, which may turn out to be names."""
    for at, word in enumerate(words):
        after = words[at + 1].means if at + 1 < len(words) else ""
        if word.is_name and VALUE.fullmatch(word.means) and after.startswith("u:"):
            yield f"{word.means} {after}"
        else:
            yield word.means if word.is_name else word.said


def _turns(words: Sequence[Word]) -> Counter[str]:
    """Count negations, and note once each what quantifies, bounds, limits, measures or times; `after 30 s` measures."""
    found: Counter[str] = Counter()
    for at, word in enumerate(words):
        if word.said in ROLES or not (word.means.startswith(("<", "u:")) or word.said in GUARDED):
            continue
        after = next((one for one in words[at + 1 :] if not one.is_free), None)
        if word.means == "after" and after is not None and VALUE.fullmatch(after.means):
            continue
        found[word.means] = found[word.means] + 1 if word.means == NOT else 1
    return found


def _capitalised(tokens: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words with a capital within a sentence, and those that a sentence begins with, in lower case."""
    within: set[str] = set()
    first: set[str] = set()
    begins = True
    for at, token in enumerate(tokens):
        if token[:1].isalpha():
            if token[0].isupper():
                name = token.lower().removesuffix("'s")
                if not begins or (len(token) > 1 and token.isupper()):
                    within.add(name)
                elif not _is_told_to_do(tokens[at + 1 :]):
                    first.add(name)
            begins = False
        else:
            begins = token in _ENDS or (begins and not token[0].isalnum())
    return frozenset(within - {"i"}), frozenset(first)


def _is_told_to_do(after: Sequence[str]) -> bool:
    """Whether a sentence begins with no name, by what follows: `Knock at …`, `Dial 8080`, `Tracks of …`."""
    following = after[0].lower() if after else ""
    return following in _AFTER_AN_ORDER or following[:1].isdigit()


def _denies(word: str) -> bool:
    return _DENYING.fullmatch(word) is not None and word not in _NOT_DENYING and word not in RIVALS


def _tells_of_past(words: Sequence[str]) -> bool:
    """Whether a verb stands in the past and is no participle behind a form of `be` or before what it tells of."""
    return any(
        word in _BARE_PAST and not _BE.intersection(words[max(0, at - _NEAR) : at]) for at, word in enumerate(words)
    ) or any(
        word.endswith("ed")
        and word not in _NO_PAST
        and at > 0
        and words[at + 1 : at + 2]
        and _follows_a_thing(words, at)
        for at, word in enumerate(words)
    )


def _follows_a_thing(words: Sequence[str], at: int) -> bool:
    near = words[max(0, at - _NEAR) : at]
    after = words[at + 1] if at + 1 < len(words) else ""
    return (
        at > 0 and not _BE.intersection(near) and after in {"on", "to", "the", "a", "its", "for", "from", "in", "with"}
    )
