"""A statement as its words and values, with the breaks between what is said of one thing and of the next."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from dream.guards.verdicts.quantities import is_unit, quantity_of

_TOKEN = re.compile(
    r"(?P<cron>(?<![^\s`\"'(:=])(?:\*(?:/[0-9]{1,2})?|[0-9][0-9,/-]{0,20})"
    r"(?: (?:\*(?:/[0-9]{1,2})?|[0-9][0-9A-Za-z,/-]{0,20})){4}(?![^\s`\"'),.;]))"
    r"|(?P<token>[\w$€£~%/@#+.:&<>≥≤'\u2019\\-]+)|(?P<mark>[=,;()\[\]{}\u2014\u2013|!?]|\n)|(?P<style>[`*\"\u201c\u201d\u201e]+)"
)
_MARKS_AT_END = ".:!?'\u2019"
_SENTENCE = frozenset(".!?\n|")
_BULLETS = frozenset({"-", "+", "*", "#", "##", "###", "####", "#####", "|", "\\"})
_AND = frozenset({"and", "but", "because", "which", "so", "und", "aber", "weil"})
_BESIDE = frozenset({"on", "in", "with", "via", "using", "auf", "mit", "at", "bei"})
_BEFORE = re.compile(r"\A['\u2019]+|\A:(?=[0-9])")
_TIME = re.compile(r"[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9])?(?:Z|[+-][0-9]{2}:?[0-9]{2})?")
_DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?(?:T.*)?|[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{2,4}|[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}"
)
_VERSION = re.compile(r"[vV]?[0-9]+(?:\.[0-9A-Za-z]+){1,4}(?:[-+][A-Za-z0-9.+-]+)?|[vV][0-9]+")
_NAME = re.compile(r"(?=.*[A-Za-z])(?:.*[\w][-_./:@#][\w].*|[A-Za-z]+[0-9][A-Za-z0-9]*|.*[a-z][A-Z].*|[#@/:][\w].*)")


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a value at `start` to `end` of its text; `segment` and `sentence` count the breaks before it.

    `marked` says that it stands in a code span, in bold or in quotation marks; `opened` is the mark before its segment.
    """

    text: str
    start: int
    end: int
    sentence: int
    segment: int
    marked: bool
    opened: str

    @property
    def is_number(self) -> bool:
        """Whether it is an amount, a time, a date or a version: what numbers are mistaken for."""
        return (
            quantity_of(self.text) is not None
            or any(pattern.fullmatch(self.text) for pattern in (_TIME, _DATE, _VERSION))
            or self.text[:1].isdigit()
            or " " in self.text
        )

    @property
    def is_date(self) -> bool:
        """Whether it is a day."""
        return _DATE.fullmatch(self.text) is not None

    @property
    def is_version(self) -> bool:
        """Whether it looks like the version of something, and is no plain number."""
        return _VERSION.fullmatch(self.text) is not None

    @property
    def is_name(self) -> bool:
        """Whether it is written as the name of a thing, a place or a state, and is no number."""
        return not self.is_number and _NAME.fullmatch(self.text) is not None


@lru_cache(maxsize=1_000)
def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the words and values of `text` in order; marks of style are none."""
    reader = _Reader()
    for match in _TOKEN.finditer(text):
        reader.read(match)
    return tuple(reader.tokens)


def unit_after(tokens: tuple[Token, ...], place: int) -> str:
    """Return the unit that stands as a word of its own behind the number at `place`, "" where none does."""
    following = tokens[place + 1 : place + 2]
    if not following or following[0].segment != tokens[place].segment or quantity_of(tokens[place].text) is None:
        return ""
    return following[0].text if is_unit(following[0].text) else ""


class _Reader:
    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self.sentence = 0
        self.segment = 0
        self.opened = ""
        self.styled = False
        self.has_value = False
        self.is_placed = False

    def read(self, match: re.Match[str]) -> None:
        if match["style"]:
            self.styled = not self.styled
        elif match["mark"]:
            self._break(match["mark"])
        else:
            self._read_token(match["token"] or match["cron"], match.start())

    def _read_token(self, raw: str, start: int) -> None:
        if raw in _BULLETS or raw in {"--", "->", "→"}:
            self._break("\n")
            return
        text = raw.rstrip(_MARKS_AT_END)
        ending = raw[len(text) :]
        bare = _BEFORE.sub("", text)
        start += len(text) - len(bare)
        lower = bare.lower()
        if lower in _AND or (lower in _BESIDE and self.has_value):
            self._break(lower)
        if bare:
            token = Token(bare, start, start + len(bare), self.sentence, self.segment, self.styled, self.opened)
            self.tokens.append(token)
            self.has_value = self.has_value or token.is_number or (token.is_name and self.is_placed)
            self.is_placed = self.is_placed or lower in _BESIDE
        if ending:
            self._break(ending[0])

    def _break(self, mark: str) -> None:
        self.segment += 1
        self.opened = mark
        self.has_value = False
        self.is_placed = False
        if mark in _SENTENCE:
            self.sentence += 1
