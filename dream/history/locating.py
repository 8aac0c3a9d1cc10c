"""A quote found again in what was kept, by where it stood and what it said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from dream.history.values import Found, HistoryLine, Mark
from dream.sources.sessions.values import Message


def locate(mark: Mark, line: HistoryLine, messages: Sequence[Message]) -> Found | None:
    """Return where in `messages` the words are that `mark` points at.

    With a digest it is the nearest message whose characters there have it, else the message that is named.
    """
    for number in _near(int(mark.message[1:]), len(messages)) if mark.digest else (int(mark.message[1:]),):
        if not 1 <= number <= len(messages):
            continue
        text = messages[number - 1].text
        end = len(text) if mark.end is None else mark.end
        words = text[mark.start : end]
        if mark.start <= end <= len(text) and (not mark.digest or digest_of(words) == mark.digest):
            return Found(line=line, message=f"m{number}", start=mark.start, end=end, text=words)
    return None


def digest_of(words: str) -> str:
    """Return the digest (64 hex) under which a quote is remembered."""
    return sha256(words.encode(errors="surrogatepass")).hexdigest()


def _near(number: int, count: int) -> Iterator[int]:
    yield number
    yield from sorted(range(1, count + 1), key=lambda other: abs(other - number))
