"""What a dreamer may offer: a statement with its quotes, whether it is honest, and if not, in which way it is bad."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from dream.guards.statements.moods import Mood, mood_of
from dream.guards.statements.utterances import Speaker, Utterance
from tasks.proposals import CitedQuote

HONEST = "honest"
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
_WORD = re.compile(r"(?<![\w./-])[A-Za-z][A-Za-z0-9_./-]{3,39}(?![\w./-])")
_CLUTTER = frozenset("<>[]{}|#*\\\u2026")
_SHORTEST, _LONGEST = 25, 240


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One statement on offer; `kind` is `honest`, or the way in which it is bad, or that of a label.

    `is_true` is what a judge who knows everything would say of its words beside its quotes.
    """

    statement: str
    resource: str
    quotes: tuple[CitedQuote, ...]
    kind: str = HONEST
    is_true: bool = True
    note: str = ""
    folder: str = ""
    replaces: str = ""
    label: str = ""

    @property
    def id(self) -> str:
        """The same for the same offer, and for no other."""
        told = (
            self.statement,
            self.resource,
            self.kind,
            self.note,
            self.folder,
            self.replaces,
            *map(repr, self.quotes),
        )
        return sha256("\0".join(told).encode(errors="surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What the dreamer knows when it is asked: who said what, which of it was shown, and the shown entries."""

    utterances: tuple[Utterance, ...]
    ids: frozenset[str]
    entries: tuple[tuple[str, str], ...] = ()
    folders: tuple[str, ...] = ()
    lot: random.Random = field(default_factory=random.Random)

    def by(self, *speakers: Speaker) -> list[Utterance]:
        """Return what was shown of these speakers."""
        return [one for one in self.utterances if one.speaker in speakers and one.id in self.ids]


def honest_offers(shown: Shown, *, most: int) -> list[Offer]:
    """Return offers that tell no more than their exact quotes say, drawn by lot from people's words and output."""
    found = [
        offer
        for speaker in (Speaker.PERSON, Speaker.TOOL)
        for offer in _drawn([one for said in shown.by(speaker) for one in _told(said)], shown.lot, most // 2)
    ]
    return list({offer.id: offer for offer in found}.values())


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text that could be told in a note as they stand."""
    parts = (part.strip() for part in _SENTENCE.split(text))
    return [
        part
        for part in parts
        if _SHORTEST <= len(part) <= _LONGEST and part.isprintable() and not _CLUTTER & {*part} and "  " not in part
    ]


def resource_of(text: str) -> str:
    """Return the longest name-like word of a text, empty where there is none."""
    return max((word.strip("./-") for word in _WORD.findall(text)), key=len, default="")


def _told(said: Utterance) -> Iterator[Offer]:
    for sentence in sentences_of(said.text):
        resource = resource_of(sentence)
        if not resource:
            continue
        if said.speaker is Speaker.TOOL:
            statement = f"The command printed {sentence}"
        elif mood_of(sentence) is Mood.FACT:
            statement = sentence
        else:
            statement = f"Somebody asked: {sentence}"
        yield Offer(statement=statement, resource=resource, quotes=(CitedQuote(message=said.id, quote=sentence),))


def _drawn(offers: Sequence[Offer], lot: random.Random, most: int) -> list[Offer]:
    return list(offers) if len(offers) <= most else lot.sample(list(offers), most)
