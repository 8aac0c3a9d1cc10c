"""Statements that differ in nothing but how they are written: code can say that they are one, and asks nobody."""

from __future__ import annotations

import re

_CODE = re.compile(r"(`{1,3})[^`]{1,2000}\1")
_EMPHASIS = re.compile(r"(?<![\w*])([*_]{1,3})(?=[\w\"'(\[`])([^\n*]{1,400}?)(?<=[^\s*_])\1(?![\w*]|\.\w)")
_BRACKETS = str.maketrans("[]{}\u2018\u2019\u201c\u201d", "()()''\"\"")
_BLANKS = re.compile(r"\s+")
_LINK = re.compile(r"\]\(|\[\[")
_ENDS = ".;,! "


def plain_form(key: str) -> str:
    """Return a comparison key without what is only formatting: another form is another statement.

    Emphasis marks, runs of blanks, the punctuation at the end, the case of the first letter, and the style of brackets
    and quotation marks. What stands in code is kept to the letter, and so are the brackets of a statement with links.
    """
    pieces, at = [], 0
    for match in _CODE.finditer(key):
        pieces += [_bare(key[at : match.start()]), match[0]]
        at = match.end()
    text = _BLANKS.sub(" ", "".join((*pieces, _bare(key[at:])))).strip().rstrip(_ENDS)
    if not _LINK.search(key):
        text = text.translate(_BRACKETS) if not pieces else text
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def _bare(text: str) -> str:
    return _EMPHASIS.sub(r"\2", text)
