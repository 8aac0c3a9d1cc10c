"""Quotes: true ones drawn by lot from real sessions, and each of them falsified a little at many places."""

from __future__ import annotations

import random
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bench.gates.corpus import half_of
from dream.guards.statements.quotes import Located, Quote, locate
from dream.guards.statements.utterances import Utterance
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Session, SessionSource
from tasks.conversation import utterances_of

FOLDERS = (
    ("transcripts/PackmindHub__context-evaluator", "claude-code"),
    ("transcripts/daaain__claude-code-log", "claude-code"),
    ("transcripts/specstoryai__getspecstory", "specstory"),
)
_FROM, _TO = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
_SHORTEST, _LONGEST = 12, 240
_LOOKALIKES = {"a": "\u0430", "e": "\u0435", "o": "\u043e", "p": "\u0440", "c": "\u0441", "x": "\u0445", "i": "\u0456"}
_INVISIBLE = ("\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\U000e0041")
_SMART = {"'": "\u2019", '"': "\u201d", "-": "\u2013", "...": "\u2026"}


@dataclass(kw_only=True)
class Quoting:
    """What gate and baseline said to one half of the quotes; `still_true` were falsified to what stands there."""

    true: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    refused_by_baseline: int = 0
    tries: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    accepted_by_baseline: Counter[str] = field(default_factory=Counter)
    still_true: int = 0
    still_true_refused: int = 0


def threads(data: Path) -> tuple[tuple[Utterance, ...], ...]:
    """Return the real sessions as a night takes them for evidence."""
    read: list[Session] = []
    for folder, kind in FOLDERS:
        source = SessionSource(kind=kind, path=str(data / folder))
        read.extend(read_sessions([source], since=_FROM, now=_TO).sessions)
    return tuple(map(utterances_of, read))


def try_quotes(
    spoken: Sequence[Sequence[Utterance]], *, seed: int, quotes: int, positions: int
) -> Mapping[str, Quoting]:
    """Draw so many true quotes and falsify each at so many places in every way; returns what came of it, by half."""
    told = {"tune": Quoting(), "test": Quoting()}
    lot = random.Random(f"{seed}/quotes")  # noqa: S311  # repeatable on purpose
    talks = [[one for one in talk if len(one.text.strip()) >= _SHORTEST] for talk in spoken]
    talks = [talk for talk in talks if talk]
    drawn = 0
    while drawn < quotes:
        talk = lot.choice(talks)
        utterance = lot.choice(talk)
        text = _drawn(utterance.text, lot)
        if len(text.strip()) < _SHORTEST:
            continue
        drawn += 1
        _try_one(told[half_of(text)], talk, (utterance, text), lot, positions)
    return told


def _try_one(
    told: Quoting, talk: Sequence[Utterance], quoted: tuple[Utterance, str], lot: random.Random, positions: int
) -> None:
    utterance, text = quoted
    told.true += 1
    answer = locate(Quote(utterance.id, text), talk)
    if not isinstance(answer, Located) or answer.text != text or answer.utterance is not utterance:
        told.refused["located elsewhere" if isinstance(answer, Located) else answer.reason] += 1
    told.refused_by_baseline += not _baseline(text, utterance.text)
    for way, falsify in _WAYS.items():
        for falsified in {falsify(text, lot.randrange(len(text)), lot) for _ in range(positions)}:
            if falsified == text or len(falsified.strip()) < _SHORTEST:
                continue
            is_accepted = isinstance(locate(Quote(utterance.id, falsified), talk), Located)
            if falsified in utterance.text:
                told.still_true += 1
                told.still_true_refused += not is_accepted
                continue
            told.tries[way] += 1
            told.accepted[way] += is_accepted
            told.accepted_by_baseline[way] += _baseline(falsified, utterance.text)
    for other in _others(talk, text, lot):
        told.tries["moved to another message"] += 1
        told.accepted["moved to another message"] += isinstance(locate(Quote(other.id, text), talk), Located)
        told.accepted_by_baseline["moved to another message"] += any(_baseline(text, one.text) for one in talk)


def _drawn(text: str, lot: random.Random) -> str:
    """A stretch of `text` from one blank to another, as long as chance has it."""
    start = lot.randrange(len(text))
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    end = min(len(text), start + lot.randint(_SHORTEST, _LONGEST))
    while end < len(text) and not text[end].isspace():
        end += 1
    return text[start:end][: 4 * _LONGEST].strip()


def _others(talk: Sequence[Utterance], text: str, lot: random.Random) -> Iterator[Utterance]:
    elsewhere = [other for other in talk if text not in other.text]
    if elsewhere:
        yield lot.choice(elsewhere)


def _baseline(quote: str, text: str) -> bool:
    return _normal(quote) in _normal(text)


def _normal(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(char for char in folded if unicodedata.category(char) != "Cf").split())


def _replaced(text: str, at: int, lot: random.Random) -> str:
    return text[:at] + lot.choice("abcdefghijklmnopqrstuvwxyz0123456789") + text[at + 1 :]


def _deleted(text: str, at: int, lot: random.Random) -> str:
    del lot
    return text[:at] + text[at + 1 :]


def _inserted(text: str, at: int, lot: random.Random) -> str:
    return text[:at] + lot.choice("abcdefghijklmnopqrstuvwxyz0123456789 ") + text[at:]


def _decomposed(text: str, at: int, lot: random.Random) -> str:
    """The text in the other normal form, or with a mark that renders as nothing much where it has no such letter."""
    del lot
    other = unicodedata.normalize("NFD", text)
    other = other if other != text else unicodedata.normalize("NFC", text)
    return other if other != text else text[: at + 1] + "\u0301" + text[at + 1 :]


def _lookalike(text: str, at: int, lot: random.Random) -> str:
    del lot
    for place in (*range(at, len(text)), *range(at)):
        if text[place] in _LOOKALIKES:
            return text[:place] + _LOOKALIKES[text[place]] + text[place + 1 :]
    return text


def _hidden(text: str, at: int, lot: random.Random) -> str:
    return text[:at] + lot.choice(_INVISIBLE) + text[at:]


def _case(text: str, at: int, lot: random.Random) -> str:
    del lot
    return text[:at] + text[at:].swapcase()


def _blanks(text: str, at: int, lot: random.Random) -> str:
    place = text.find(" ", at)
    return text if place < 0 else text[:place] + lot.choice(["  ", "\u00a0", "\n", "\t", ""]) + text[place + 1 :]


def _smart(text: str, at: int, lot: random.Random) -> str:
    del at, lot
    for plain, smart in _SMART.items():
        text = text.replace(plain, smart)
    return text


def _omission(text: str, at: int, lot: random.Random) -> str:
    return text[:at] + lot.choice(["…", "...", " "]) + text[at + 9 :]


def _swapped(text: str, at: int, lot: random.Random) -> str:
    del lot
    words = text.split(" ")
    if len(words) > 1:
        place = at % (len(words) - 1)
        words[place : place + 2] = reversed(words[place : place + 2])
    return " ".join(words)


_WAYS: Mapping[str, Callable[[str, int, random.Random], str]] = {
    "a character replaced": _replaced,
    "a character deleted": _deleted,
    "a character inserted": _inserted,
    "another normal form": _decomposed,
    "a look-alike letter": _lookalike,
    "an invisible character": _hidden,
    "capitals and small letters": _case,
    "blanks": _blanks,
    "typographic quotes and dashes": _smart,
    "something left out": _omission,
    "words the other way round": _swapped,
}
