"""The words of a PromQL expression. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    (?P<blank>[ \t\n]+)
    | (?P<duration>(?:[0-9]{1,6}(?:ms|[smhdwy]))+(?![A-Za-z0-9_.:]))
    | (?P<number>[0-9]{1,6}(?:\.[0-9]{1,6})?(?![A-Za-z0-9_.:]))
    | (?P<word>[A-Za-z_:][A-Za-z0-9_:]*)
    | (?P<string>"(?:[^"\\\n]|\\["\\])*"|'(?:[^'\\\n]|\\['\\])*')
    | (?P<sign>=~|!~|!=|[=(){}\[\],])
    """,
    re.VERBOSE,
)
_ESCAPED = re.compile(r"\\(.)")
_PART = re.compile(r"([0-9]+)(ms|[smhdwy])")
_SECONDS = {"ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800, "y": 31_536_000}
_GAP = re.compile(r"\s{5}")
_MOST = 300


@dataclass(frozen=True, slots=True)
class Token:
    """A word of the `kind` duration, number, word, string (without its quotes), sign or, once, end."""

    kind: str
    text: str

    def __str__(self) -> str:
        """Return it as a refusal names it."""
        return self.text[:60] or "the end"


def tokens_of(text: str) -> tuple[Token, ...] | str:
    """Return the words of an expression and their end twice, or what in it is none."""
    if _GAP.search(text):
        return "more than four blanks in a row"
    tokens: list[Token] = []
    for token in _read(text):
        if token.kind == "unknown":
            return f"{token.text!r}, which is not known"
        tokens.append(token)
        if len(tokens) > _MOST:
            return f"an expression of more than {_MOST} words"
    return *tokens, Token("end", ""), Token("end", "")


def duration_seconds(text: str) -> float:
    """Return how long `1h30m` is."""
    return sum(int(amount) * _SECONDS[unit] for amount, unit in _PART.findall(text))


def _read(text: str) -> Iterator[Token]:
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        kind = found.lastgroup if found else None
        if found is None or kind is None or (kind == "string" and not found[0].isprintable()):
            yield Token("unknown", text[place : place + 20])
            return
        place = found.end()
        if kind == "string":
            yield Token(kind, _ESCAPED.sub(r"\1", found[0][1:-1]))
        elif kind != "blank":
            yield Token(kind, found[0])
