"""What got done in a session, in one plain sentence of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dream.guards.statements.quotes import split_sentences
from dream.report.escaping import one_line
from dream.sources.sessions.values import Role, Session

_FENCE = re.compile(r"[ \t]{0,8}(?:```|~~~)")
_NO_PROSE = re.compile(r"[ \t]{0,8}(?:#|\||>|-{3,}|\*{3,}|={3,}|<)")
_MARKER = re.compile(r"[ \t]{0,40}(?:[-*+\u2022]|[0-9]{1,3}[.)])[ \t]{1,8}")
_LINK = re.compile(r"\[([^\[\]\n]{1,200})\]\([^()\s]{1,400}\)")
_EMPHASIS = re.compile(r"[*`]{1,3}(?=\w)|(?<=[\w.!?:;)%])[*`]{1,3}")
_LEAST_WORDS = 4
_LONGEST = 4_000
"""Characters of a message in which its first sentence is looked for."""


def description_of(session: Session, *, most: int) -> str:
    """Return what the last message of the agent says first, plainly, in at most `most` characters.

    A sentence of fewer than four words is passed over where another follows. Without an agent's words it is the title
    that the tool gave the session, else what a person asked first, else nothing.
    """
    agent = (one.text for one in reversed(session.messages) if one.role is Role.AGENT)
    person = (one.text for one in session.messages if one.role is Role.PERSON)
    for text in (next(filter(_says_something, agent), ""), session.title, *person):
        sentence = _first_sentence(text)
        if sentence:
            return one_line(sentence, most=most)
    return ""


def _says_something(text: str) -> bool:
    return bool(_first_sentence(text))


def _first_sentence(text: str) -> str:
    sentences = [one for one in _sentences(text[:_LONGEST]) if any(map(str.isalnum, one))]
    whole = [one for one in sentences if len(one.split()) >= _LEAST_WORDS]
    return next(iter(whole or sentences), "").rstrip(":")


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
