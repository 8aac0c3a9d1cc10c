"""What a model may propose, and what code makes of it before anything is judged."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from dream.guards.vocabulary import content_words
from dream.memory.entries import TENTATIVE, collapse
from dream.memory.notes import entries_in
from dream.memory.operations import Refusal
from dream.memory.similarity import word_set

SHORTEST_STATEMENT = 15
LONGEST_RESOURCE = 60
MOST_RESOURCE_WORDS = 6
_MARKUP = frozenset('[]<>#*`|\\"')


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class CitedQuote(_Reply):
    """An exact piece of one message."""

    message: str
    quote: str


class StaleStatement(_Reply):
    """What somebody would still find useful in a week, with its evidence."""

    reasoning: str
    resource: str
    statement: str
    quotes: list[CitedQuote]
    tentative: bool


class LastingStatement(_Reply):
    """What will still be true and useful in weeks, and why, with its evidence."""

    reasoning: str
    kind: Literal["decision", "fact", "cause", "constraint", "said"]
    resource: str
    statement: str
    quotes: list[CitedQuote]
    tentative: bool


class TwoPartSummary(_Reply):
    """What a conversation gives: a line for whoever looks for it, what lasts, and what is probably stale soon."""

    reasoning: str
    description: str
    lasting: list[LastingStatement]
    stale: list[StaleStatement]


class Place(_Reply):
    """Where in the memory the statement of this number belongs, as its proposer sees it."""

    statement: int
    is_known: bool
    replaces: str
    note: str
    folder: str


NOWHERE = Place(statement=0, is_known=False, replaces="", note="", folder="")
"""No place: code looks for one by the name of the resource alone."""


class Places(_Reply):
    """The places of the statements that were shown."""

    reasoning: str
    places: list[Place]


def shaped(statement: str, resource: str) -> str | Refusal:
    """Return `statement` as one sentence on one line that names its resource, or why it can be none.

    How long it may be is for the gates to say. Reasons: `malformed-statement`, `malformed-resource`.
    """
    named = collapse(resource)
    if not _is_name(named):
        return Refusal("malformed-resource", ascii(resource[:LONGEST_RESOURCE])[1:-1])
    text = collapse(statement)
    if not word_set(named) <= word_set(text):
        text = f"{named}: {text}"
    if not _is_sentence(text):
        return Refusal("malformed-statement", f"{len(statement)} characters")
    return text


def names_what_was_read(resource: str, texts: Sequence[str]) -> bool:
    """Whether every word of `resource` that carries anything stands in `texts`: no note is about what nobody named."""
    words = content_words(resource)
    known: Collection[str] = content_words("\n".join(texts))
    return bool(words) and all(word in known for word in words)


def _is_name(text: str) -> bool:
    return (
        0 < len(text) <= LONGEST_RESOURCE
        and text.isprintable()
        and len(text.split()) <= MOST_RESOURCE_WORDS
        and not _MARKUP & {*text}
        and any(character.isalnum() for character in text)
    )


def _is_sentence(text: str) -> bool:
    """Whether `text` stands in a note as one entry of just these words, without date, source or mark of its own."""
    if len(text) < SHORTEST_STATEMENT or not text.isprintable() or TENTATIVE in text:
        return False
    entries = entries_in(f"- 2026-01-01: {text}")
    return len(entries) == 1 and entries[0].key == text and not entries[0].sources
