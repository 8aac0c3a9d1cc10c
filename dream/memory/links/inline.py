"""Links inside one run of inline Markdown, found in one pass whose time grows as the length of the text does."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple


class Found(NamedTuple):
    """Where a link stands in the run: all of it, its target without brackets around it, and its text."""

    start: int
    end: int
    target_start: int
    target_end: int
    text: str
    is_wiki: bool
    is_image: bool


class _Opener(NamedTuple):
    at: int
    text_at: int
    is_image: bool


_TOKEN = re.compile(r"\\.|`+|<|!?\[|\]", re.DOTALL)
_TICKS = re.compile(r"`+")
_SKIPPED = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>|</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>\[\]]*)?/?>")
_WIKI = re.compile(
    r"\[\[(?P<target>(?!\s)[^\[\]|#\n\\\"<>{}$=]{0,200}(?:#[^\[\]|\n\\]{0,200})?(?<!\s))"
    r"(?:\\?\|(?P<alias>[^\[\]\n]{0,300}))?\]\](?!\()"
)
_STOP = re.compile(r"[\s()\\\x00-\x1f\x7f]")
_ANGLED = re.compile(r"<((?:[^<>\n\\]|\\.){0,2000})>")
_REST = re.compile(
    r"(?:\s+(?:\"(?:[^\"\\]|\\.){0,1000}\"|'(?:[^'\\]|\\.){0,1000}'|\((?:[^()\\]|\\.){0,1000}\)))?\s*\)", re.DOTALL
)
_BLANKS = re.compile(r"[ \t\r\n]*")
_LONGEST = 2_000
_DEEPEST = 32


def find_links(run: str) -> list[Found]:
    """Return the links of `run` in order of their ends; code spans, comments, tags and escapes hide what is in them."""
    if "](" not in run and "[[" not in run:
        return []
    return _Run(run).find()


class _Run:
    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Found] = []
        self._openers: list[_Opener] = []
        self._dead_below = 0
        self._ticks: dict[int, list[int]] | None = None
        self._last_comment_end = text.rfind("-->")

    def find(self) -> list[Found]:
        at = 0
        while token := _TOKEN.search(self.text, at):
            at = self._after(token)
        return self.found

    def _after(self, token: re.Match[str]) -> int:
        """Take one token and return where to go on."""
        mark = token[0][-1]
        if token[0][0] == "\\":
            return token.end()
        if mark == "`":
            return self._after_ticks(token)
        if mark == "<":
            return self._after_angle(token.start())
        if mark == "]":
            return self._after_closing(token.start())
        return self._after_opening(token)

    def _after_angle(self, at: int) -> int:
        if self.text.startswith("<!--", at):
            closing = self.text.find("-->", at) if at < self._last_comment_end else -1
            return closing + 3 if closing >= 0 else at + 1
        skipped = _SKIPPED.match(self.text, at)
        return skipped.end() if skipped else at + 1

    def _after_ticks(self, token: re.Match[str]) -> int:
        """Return the end of the code span that these ticks open, or of the ticks where nothing closes them."""
        if self._ticks is None:
            self._ticks = {}
            for run in _TICKS.finditer(self.text):
                self._ticks.setdefault(len(run[0]), []).append(run.start())
        length = len(token[0])
        starts = self._ticks.get(length, [])
        place = bisect_right(starts, token.start())
        return starts[place] + length if place < len(starts) else token.end()

    def _after_opening(self, token: re.Match[str]) -> int:
        bracket = token.end() - 1
        wiki = _WIKI.match(self.text, bracket) if self.text.startswith("[[", bracket) else None
        if wiki and wiki["target"]:
            alias = wiki["alias"]
            self.found.append(
                Found(
                    start=token.start(),
                    end=wiki.end(),
                    target_start=wiki.start("target"),
                    target_end=wiki.end("target"),
                    text=wiki["target"] if alias is None else alias,
                    is_wiki=True,
                    is_image=token[0][0] == "!",
                )
            )
            return wiki.end()
        self._openers.append(_Opener(token.start(), token.end(), token[0][0] == "!"))
        return token.end()

    def _after_closing(self, at: int) -> int:
        if not self._openers:
            return at + 1
        opener = self._openers.pop()
        is_dead = len(self._openers) < self._dead_below and not opener.is_image
        self._dead_below = min(self._dead_below, len(self._openers))
        if is_dead or not self.text.startswith("(", at + 1):
            return at + 1
        target = _destination(self.text, at + 2)
        rest = _REST.match(self.text, target[2]) if target else None
        if target is None or rest is None:
            return at + 1
        text = self.text[opener.text_at : at]
        self.found.append(
            Found(opener.at, rest.end(), target[0], target[1], text, is_wiki=False, is_image=opener.is_image)
        )
        if not opener.is_image:
            self._dead_below = len(self._openers)
        return rest.end()


def _destination(text: str, at: int) -> tuple[int, int, int] | None:
    """Return where a target begins and ends and what follows it begins, or None where there is none."""
    blanks = _BLANKS.match(text, at)
    start = blanks.end() if blanks else at
    angled = _ANGLED.match(text, start)
    if angled:
        return angled.start(1), angled.end(1), angled.end()
    depth = 0
    at = start
    while stop := _STOP.search(text, at, start + _LONGEST):
        if stop[0] == "\\":
            at = stop.end() + 1
        elif stop[0] == "(":
            depth += 1
            if depth > _DEEPEST:
                return None
            at = stop.end()
        elif stop[0] == ")" and depth:
            depth -= 1
            at = stop.end()
        else:
            return None if depth else (start, stop.start(), stop.start())
    return None
