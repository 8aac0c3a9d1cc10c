"""What got done in a session, in one plain sentence of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dream.guards.statements.quotes import split_sentences
from dream.report.escaping import one_line, shortened
from dream.sources.sessions.values import Role, Session

_FENCE = re.compile(r"[ \t]{0,8}(?:```|~~~)")
_NO_PROSE = re.compile(r"[ \t]{0,8}(?:#|\||>|-{3,}|\*{3,}|={3,}|<)")
_MARKER = re.compile(r"[ \t]{0,40}(?:[-*+\u2022]|[0-9]{1,3}[.)])[ \t]{1,8}")
_LINK = re.compile(r"\[([^\[\]\n]{1,200})\]\([^()\s]{1,400}\)")
_EMPHASIS = re.compile(r"`{1,3}|\*{1,3}(?=\w)|(?<=[\w.!?:;)%])\*{1,3}")
_LEAST_WORDS = 4
_TELLING_WORDS = 7
_LONGEST = 4_000
"""Characters of a message in which its sentences are looked for."""

# What agents end with whatever they did: that the checks pass, that it is done, that a list follows.
_SAYS_LITTLE = re.compile(
    r"(?:all|pre-commit|[0-9]{1,6}|tests?|lint(?:er)?|build|everything|here(?:['\u2019]s| is| are)|"
    r"done|committed|pushed|perfect|great|excellent|now|ok(?:ay)?|good|let me|i(?:['\u2019]ll| will))\b",
    re.IGNORECASE,
)


def description_of(session: Session, *, most: int) -> str:
    """Return what the last message of the agent says got done, plainly, in at most `most` characters.

    It is its first sentence; one of fewer than four words, one that only leads to what follows, and one that agents end
    with whatever they did are passed over where the message has another. Where that is all, what the session is called,
    or what a person asked first, stands before it.
    """
    agent = (one.text for one in reversed(session.messages) if one.role is Role.AGENT)
    said = next((found for text in agent if (found := _sentences_of(text))), [])
    asked = session.title or next((one.text for one in session.messages if one.role is Role.PERSON), "")
    topic = next(iter(_sentences_of(asked)), "").rstrip(".:")
    whole = [one for one in said if len(one.split()) >= _LEAST_WORDS]
    telling = [one for one in whole if not one.endswith(":") and not _SAYS_LITTLE.match(one)]
    done = next(iter(telling or whole or said), "").rstrip(":")
    if not done or not topic or len(done.split()) >= _TELLING_WORDS or done in telling:
        return one_line(done or topic, most=most)
    return one_line(f"{shortened(topic, most=max(1, most - len(done) - 2))}: {done}", most=most)


def _sentences_of(text: str) -> list[str]:
    return [one for one in _sentences(text[:_LONGEST]) if any(map(str.isalnum, one))]


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of the prose of `text`: no headings, tables, quoted text or code."""
    in_code = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            in_code = not in_code
        elif not in_code and not _NO_PROSE.match(line):
            marker = _MARKER.match(line)
            plain = _LINK.sub(r"\1", line[marker.end() :] if marker else line)
            yield from split_sentences(_EMPHASIS.sub("", plain))
