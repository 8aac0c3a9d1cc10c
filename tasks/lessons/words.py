"""What people with write access said of agents' pull requests, sentence by sentence, where it asks for something."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from dream.guards.statements.moods import Mood, is_wanted, mood_of
from dream.guards.statements.quotes import split_sentences
from dream.guards.vocabulary import content_words
from dream.memory.similarity import similarity, specifics, word_set
from tasks.lessons.teachers import Spoken

_FEWEST = 4
_LONGEST = 300
_MOST_SENTENCES = 100
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_NOT_THEIR_WORDS = re.compile(r"\s{0,3}(?:>|\||<|!\[|[-*_]{3,}\s*$|#{1,6}\s|/[a-z]|@[\w-]+\s*$)")
_BULLET = re.compile(r"\s{0,12}(?:[-*+]|[0-9]{1,2}[.)])\s+(?:\[[ xX]\]\s+)?")
_ELSEWHERE = re.compile(
    r"[a-z][a-z0-9+.-]{1,15}://|www\.|\]\(|\[\[|(?<!\w)[#!][0-9]{1,9}\b|[\w.-]+/[\w.-]+#[0-9]|<[a-z/!]"
)
_MENTION = re.compile(r"(?<!\w)@[\w-]{1,60}(?:\[bot\])?[,:]?\s{0,2}")
_ASKS = re.compile(
    r"\b(?:should(?:n't)?|must(?:n't)?|never|always|don't|do not|avoid|prefer|instead|rather than|no need|need(?:s)? to"
    r"|have to|has to|make sure|please|we (?:use|do|don't|never|always|keep|prefer|only)|use)\b",
    re.IGNORECASE,
)
# What is asked of this one pull request on its way, however often it is said.
_ON_ITS_WAY = re.compile(
    r"\b(?:rebas\w{0,4}|conflicts?|merg(?:e|ed|ing)|clos(?:e|ed|ing)|reopen\w{0,3}|approv\w{0,4}|lgtm|ci|checks?"
    r"|re-?run\w{0,4}|retrigger\w{0,4}|re-?review\w{0,4}|supersed\w{0,3}|duplicate|stale|preview|try again"
    r"|take a look|this (?:pr|pull request)|the (?:pr|pull request)|branch|description|cla|sign)\b",
    re.IGNORECASE,
)
_POLITE = content_words(
    "thanks thank you great good nice looks lgtm please nit nitpick minor ok okay sorry hi hello hey awesome perfect "
    "this that it here one thing just also again now me we i"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One sentence as it stands: code points `start` to `end` of what `spoken` says."""

    spoken: Spoken
    start: int
    end: int

    @property
    def text(self) -> str:
        """The person's own characters."""
        return self.spoken.text[self.start : self.end]


def asked_for(spoken: Iterable[Spoken], *, by_agent: str, most: int, characters: int) -> Iterator[Said]:
    """Yield the sentences that ask for something, of the first `most` words and of each its first `characters`.

    No question, no thanks, nothing of a line that quotes or of code, nothing that stands in what the agent wrote
    (`by_agent`), and nothing of how this one pull request goes on.
    """
    known = " ".join(by_agent.split())
    for number, one in enumerate(spoken):
        if number == most:
            return
        for start, end in islice(_sentences(one.text[:characters]), _MOST_SENTENCES):
            text = one.text[start:end]
            if _is_asked(text) and " ".join(text.split()) not in known:
                yield Said(spoken=one, start=start, end=end)


def says_the_same(text: str, other: str, *, alike: float) -> bool:
    """Whether two sentences say one thing: alike, with the same names, values and negations, and as many words."""
    if text.casefold() == other.casefold():
        return True
    if similarity(text, other, cutoff=alike) < alike:
        return False
    return specifics(text) == specifics(other) and _negates(text) == _negates(other)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    at, is_code = 0, False
    for line in text.split("\n"):
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code and not _NOT_THEIR_WORDS.match(line):
            bullet = _BULLET.match(line)
            begin = bullet.end() if bullet else 0
            for sentence in split_sentences(line[begin:]):
                start = line.index(sentence, begin)
                begin = start + len(sentence)
                lead = _MENTION.match(sentence)
                yield at + start + (lead.end() if lead else 0), at + begin
        at += len(line) + 1


def _is_asked(text: str) -> bool:
    if not text.isprintable() or len(text) > _LONGEST or text.rstrip(" *_`)\"'").endswith(("?", ":")):
        return False
    if _ELSEWHERE.search(text) or _ON_ITS_WAY.search(text) or _MENTION.search(text) or "\u201d" in text:
        return False
    if len(content_words(text) - _POLITE) < _FEWEST:
        return False
    mood = mood_of(text)
    if mood in {Mood.QUESTION, Mood.SUPPOSITION, Mood.GUESS, Mood.PLAN}:
        return False
    return is_wanted(text) or _ASKS.search(text) is not None or mood is Mood.ORDER


def _negates(text: str) -> frozenset[str]:
    return word_set(text) & {"not", "no", "never", "don", "without", "avoid", "instead", "t", "nor", "only"}
