"""What is open inside a list item or a quotation, as far as it decides where that one ends and what of it is code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dream.memory import lines as rules
from dream.memory.lines import CODE_INDENT, indent_of, interrupts

if TYPE_CHECKING:
    import re

_DEEPEST = 20
_BULLETS = frozenset({"- ", "* ", "+ "})


class Inside:
    """What is open: nested lists, code, HTML, a paragraph.

    `is_verbatim` tells that the line taken last is code or HTML, `may_go_on` that a line outside goes on with the
    paragraph inside.
    """

    def __init__(self) -> None:
        """Nothing is open yet."""
        self.is_verbatim = False
        self.may_go_on = False
        self._fence = ""
        self._html_closing: re.Pattern[str] | None = None
        self._in_html = False
        self._in_quote = False
        self._offsets = [0]

    def blank(self) -> None:
        """Take a blank line."""
        self.is_verbatim = self.may_go_on = False
        self._in_html = self._html_closing is not None

    def feed(self, content: str) -> None:
        """Take the next line, without what makes it part of the container."""
        if not content:
            self.blank()
            return
        self.is_verbatim = False
        if not (self._fence or self._in_html) and self._feed_words(content):
            return
        indent = indent_of(content)
        if indent < self._offsets[-1]:
            if self.may_go_on and not interrupts(content, any_item=True):
                return
            while indent < self._offsets[-1]:
                self._offsets.pop()
            self._close()
        rest = content[self._offsets[-1] :]
        if self._in_quote and (self._fence or self._in_html):
            if rest.lstrip(" ")[:1] == ">":
                rest = rest.lstrip("> ")
            else:
                self._close()
        self._feed_rest(rest)

    def _close(self) -> None:
        self._fence, self._html_closing, self._in_html = "", None, False

    def _feed_rest(self, rest: str) -> None:
        if self._fence:
            self.is_verbatim = True
            if rules.closes_fence(rest, self._fence):
                self._fence = ""
        elif self._in_html:
            self._feed_html(rest)
        else:
            self._feed_block(rest)

    def _feed_words(self, content: str) -> bool:
        """Take a line of words, or a bullet and words, as most lines are; False if it is not so plain."""
        is_bullet = content[:2] in _BULLETS
        if not (content[2:3] if is_bullet else content[0]).isalpha():
            return False
        if is_bullet:
            self._offsets = [0, 2]
        elif not self.may_go_on:
            self._offsets = [0]
        self.may_go_on = True
        return True

    def _feed_html(self, rest: str) -> None:
        self.is_verbatim = True
        if self._html_closing and self._html_closing.search(rest):
            self._html_closing, self._in_html = None, False

    def _feed_block(self, rest: str) -> None:
        self._in_quote = False
        for _ in range(_DEEPEST):
            if indent_of(rest) >= CODE_INDENT:
                self.is_verbatim = not self.may_go_on
                return
            if rest.lstrip(" ")[:1] == ">":
                self._in_quote = True
                rest = rest.lstrip(" ")[1:].removeprefix(" ")
                continue
            width = 0 if rules.is_rule(rest) else rules.item_width(rest)
            if not width:
                break
            if not self._in_quote:
                self._offsets.append(self._offsets[-1] + width)
            self.may_go_on = False
            rest = rest[width:]
        self._feed_leaf(rest.lstrip(" "))

    def _feed_leaf(self, rest: str) -> None:
        ends_paragraph = interrupts(rest, any_item=False)
        if rest[:1] == "<" and (ends_paragraph or not self.may_go_on):
            self._html_closing = rules.html_closing(rest)
            self._in_html = self._html_closing is not None or rules.begins_html(rest)
            if self._in_html:
                self.may_go_on = False
                self._feed_html(rest)
                return
        self._fence = rules.opening_fence(rest)
        self.is_verbatim = bool(self._fence)
        self.may_go_on = bool(rest) and not self._fence and not ends_paragraph
