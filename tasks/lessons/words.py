"""What people with write access said of agents' pull requests, sentence by sentence, where it asks for something."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from dream.guards.statements.moods import Mood, is_wanted, mood_of
from dream.guards.statements.quotes import split_sentences
from dream.guards.vocabulary import content_words
from dream.memory.similarity import specifics
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
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_INDENTED = re.compile(r"(?: {4}|\t)\s{0,100}\S")
_WORD = re.compile(r"[^\W_]+")
_ARTICLES = frozenset({"a", "an", "the"})
_MENTION = re.compile(r"(?<!\w)@[\w-]{1,60}(?:\[bot\])?[,:]?\s{0,2}")
_ASKS = re.compile(
    r"\b(?:should(?:n't)?|must(?:n't)?|never|always|don't|do not|avoid|prefer|instead|rather than|no need|need(?:s)? to"
    r"|have to|has to|make sure|please|we (?:use|do|don't|never|always|keep|prefer|only)|use)\b",
    re.IGNORECASE,
)
# What is asked of this one pull request on its way, however often it is said.
_ON_ITS_WAY = re.compile(
    r"\b(?:rebas\w{0,4}|conflicts?|merg(?:e|ed|ing)|clos(?:e|ed|ing)|reopen\w{0,3}|approv\w{0,4}|lgtm|ci|checks?"
    r"|re-?run\w{0,4}|retrigger\w{0,4}|re-?review\w{0,4}|supersed\w{0,3}|duplicate|stale|preview"
    r"|try (?:again|(?:one|once) more)|timed out"
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


def is_of_one_alone(text: str) -> bool:
    """Whether a sentence says how one pull request is to go on, or speaks to somebody, and nothing of other work."""
    return _ON_ITS_WAY.search(text) is not None or _MENTION.search(text) is not None


@lru_cache(maxsize=4_096)
def matter_of(text: str) -> str:
    """Return what two sentences that say one thing have in common: the same names and words in the same order.

    Articles, politeness, punctuation and endings make no difference. How alike two sentences are does not tell:
    `tabs instead of spaces` is made of the same words as its opposite, and a long one differs from another by a name.
    """
    words = [match[0].casefold() for match in _WORD.finditer(text)]
    stems = [min(content_words(word), default=word) for word in words if word not in _ARTICLES]
    return " ".join([*(stem for stem in stems if stem not in _POLITE), *sorted(specifics(text))])


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    at, is_code = 0, False
    for line in _HIDDEN.sub(_blank, text).split("\n"):
        bullet = _BULLET.match(line)
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code and not _NOT_THEIR_WORDS.match(line) and (bullet or not _INDENTED.match(line)):
            begin = bullet.end() if bullet else 0
            for sentence in split_sentences(line[begin:]):
                start = line.index(sentence, begin)
                begin = start + len(sentence)
                lead = _MENTION.match(sentence)
                yield at + start + (lead.end() if lead else 0), at + begin
        at += len(line) + 1


def _blank(hidden: re.Match[str]) -> str:
    """Blanks and ends of lines in the place of what nobody is shown, so that what follows stands where it stood."""
    return re.sub(r"[^\n]", " ", hidden[0])


def _is_asked(text: str) -> bool:
    if not text.isprintable() or len(text) > _LONGEST or text.rstrip(" *_`)\"'").endswith(("?", ":")):
        return False
    if _ELSEWHERE.search(text) or is_of_one_alone(text) or "\u201d" in text:
        return False
    if len(content_words(text) - _POLITE) < _FEWEST:
        return False
    mood = mood_of(text)
    if mood in {Mood.QUESTION, Mood.SUPPOSITION, Mood.GUESS, Mood.PLAN}:
        return False
    return is_wanted(text) or _ASKS.search(text) is not None or mood is Mood.ORDER
