"""A quote is found in the utterance that it names, code point by code point, or it proves nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from dream.guards.statements.limits import GateLimits
from dream.guards.statements.utterances import Utterance
from dream.memory.operations import Refusal

_DEFAULT = GateLimits()
LONGEST_LINE = 600
_AROUND = 240
_SENTENCE_END = re.compile(r"[.!?\u2026\u3002\uff01\uff1f][)\]\"'\u201d\u2019*_`]{0,4}(?=\s|\Z)|\n(?![a-z])")


@dataclass(frozen=True, slots=True)
class Quote:
    """What a reply claims to have read: the id of an utterance, and characters of it."""

    message: str
    text: str


@dataclass(frozen=True, slots=True)
class Located:
    """A quote that is there: code points `start` to `end` of the utterance's text."""

    utterance: Utterance
    start: int
    end: int

    @property
    def text(self) -> str:
        """The source's own characters."""
        return self.utterance.text[self.start : self.end]

    @property
    def digest(self) -> str:
        """The hash (64 hex) under which the quote is remembered, which tells nothing of it."""
        return sha256(self.text.encode(errors="surrogatepass")).hexdigest()

    @property
    def lines(self) -> str:
        """The whole lines that the quote touches; of very long ones, some words either side of it."""
        text = self.utterance.text
        first = text.rfind("\n", 0, self.start) + 1
        last = text.find("\n", self.end)
        last = len(text) if last < 0 else last
        if self.start - first > LONGEST_LINE:
            first = _word_start(text, self.start - _AROUND, self.start)
        if last - self.end > LONGEST_LINE:
            last = _word_end(text, self.end, self.end + _AROUND)
        return text[first:last]

    @property
    def sentences(self) -> str:
        """The whole sentences that the quote touches, so that what stands around it cannot be left out."""
        text = self.utterance.text
        low, high = max(0, self.start - LONGEST_LINE), min(len(text), self.end + LONGEST_LINE)
        ends = [match.end() for match in _SENTENCE_END.finditer(text, low, high)]
        first = max((end for end in ends if end <= self.start), default=low)
        quoted_to = self.start + len(self.text.rstrip())
        last = min((end for end in ends if end >= quoted_to), default=high)
        return text[first:last].strip()


def locate(
    quote: Quote,
    utterances: Iterable[Utterance],
    *,
    least: int = _DEFAULT.least_quote,
    most: int = _DEFAULT.most_quote,
) -> Located | Refusal:
    """Return where `quote` stands, the first place of several; neither side is changed in any way.

    A quote of fewer than `least` characters counts only where it is the whole utterance, one of more than `most` never.
    One id in two threads is no trouble unless both hold the quote. Reasons: `empty-quote`, `quote-too-short`,
    `quote-too-long`, `no-such-message`, `message-withheld`, `message-empty`, `message-cut-off` (it may have stood in
    what a limit left out), `quote-not-found`, `ambiguous-quote`.
    """
    if not quote.text.strip():
        return Refusal("empty-quote")
    if len(quote.text) > most:
        return Refusal("quote-too-long", f"{len(quote.text)} characters, at most {most}")
    named = [utterance for utterance in utterances if utterance.id == quote.message]
    holding = [utterance for utterance in named if not utterance.withheld and quote.text in utterance.text]
    if not holding:
        return _why_absent(quote, named)
    first = holding[0]
    if any((other.source, other.speaker) != (first.source, first.speaker) for other in holding):
        return Refusal("ambiguous-quote", f"in {len(holding)} messages of one id")
    if len(quote.text.strip()) < least and quote.text.strip() != first.text.strip():
        return Refusal("quote-too-short", f"{len(quote.text)} characters, at least {least}")
    start = first.text.index(quote.text)
    return Located(first, start, start + len(quote.text))


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of `text`, with their marks, none of them empty."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    starts = [0, *ends]
    pieces = (text[start:end].strip() for start, end in zip(starts, [*ends, len(text)], strict=True))
    return tuple(piece for piece in pieces if piece)


def _why_absent(quote: Quote, named: list[Utterance]) -> Refusal:
    if not named:
        return Refusal("no-such-message", ascii(quote.message[:80])[1:-1])
    if any(utterance.withheld for utterance in named):
        return Refusal("message-withheld", named[0].id)
    if all(not utterance.text.strip() for utterance in named):
        return Refusal("message-empty", named[0].id)
    if any(utterance.cut for utterance in named):
        return Refusal("message-cut-off", named[0].id)
    return Refusal("quote-not-found", named[0].id)


def _word_start(text: str, at: int, end: int) -> int:
    while at < end and not text[at - 1].isspace():
        at += 1
    return at


def _word_end(text: str, start: int, at: int) -> int:
    while at > start and not text[at : at + 1].isspace():
        at -= 1
    return at
