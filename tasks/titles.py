"""What somebody typed, made fit to stand inside one line of ours."""

from __future__ import annotations

import re
from collections.abc import Callable

from dream.guards.sources import take_vouchers_apart

LONGEST_TITLE = 120
LONGEST_NAME = 40

# Nothing of a title may become a link, a source, code or HTML. Agents read the text as it stands, so that a look-alike
# reads better than a backslash.
_OPENING, _CLOSING = "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}", "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
_MARKUP = re.compile(r"\\?([\[\]<>`])")
_LOOKALIKES = {"[": "(", "]": ")", "<": _OPENING, ">": _CLOSING, "`": "'"}
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_WITHOUT_PARENTHESES = str.maketrans({"(": _OPENING, ")": _CLOSING})
WITHHELD = "(withheld)"
_WITHHOLDING = "[withheld"


def title_of(text: str, *, screen: Callable[[str], str], longest: int = LONGEST_TITLE) -> str:
    """Return the first line of `text` that says anything, screened, as plain words of at most `longest` characters.

    It is screened before it is cut, so that no half of a secret is left. Empty where no line has a letter or a digit,
    `(withheld)` where the screen left nothing of one.
    """
    for line in text.split("\n"):
        if any(character.isalnum() for character in line):
            return plain(screen(" ".join(line.split())), longest=longest) or WITHHELD
    return ""


def plain(text: str, *, longest: int) -> str:
    """Return `text` on one line, blanks collapsed and without Markdown's own characters, cut at `longest` with `…`.

    Control characters and halves of pairs, which no note can hold, are gone; what is merely invisible is the screen's.
    What reads as a thread or a person that vouches for something is taken apart by a backslash, which is not counted.
    """
    flat = _MARKUP.sub(lambda match: _LOOKALIKES[match[1]], " ".join(_UNFIT.sub(" ", text).split()))
    return take_vouchers_apart(flat if len(flat) <= longest else flat[: longest - 1].rstrip() + "…")


def plain_name(text: str, *, longest: int = LONGEST_NAME) -> str:
    """Return a name as `plain` does, without parentheses, so that it can stand inside some."""
    return plain(text, longest=longest).translate(_WITHOUT_PARENTHESES)


def number_of(count: int, one: str, many: str) -> str:
    """Return `1 file`, `3 files` or `no file`."""
    if not count:
        return f"no {one}"
    return f"{count} {one if count == 1 else many}"


def passed(text: str, *, screen: Callable[[str], str], longest: int) -> str:
    """Return `text` as `plain` does, or what the screen puts in its place where it withholds it.

    A screen for titles would cut a statement, so that of its answer only the withholding counts.
    """
    answer = screen(text)
    if not answer.strip():
        return WITHHELD
    return plain(answer if answer.startswith(_WITHHOLDING) else text, longest=longest)


def statements_of(text: str) -> tuple[str, ...]:
    """Return the statements of a ready text: one for each list item, one for each paragraph, markers taken off.

    Headings and lines without a letter or a digit are left out.
    """
    found: list[str] = []
    joins = False
    for line in text.split("\n"):
        words = line.split()
        if not any(character.isalnum() for character in line) or words[0].strip("#") == "":
            joins = False
        elif words[0] in {"-", "*", "+"}:
            found.append(" ".join(words[1:]))
            joins = True
        elif joins:
            found[-1] += " " + " ".join(words)
        else:
            found.append(" ".join(words))
            joins = True
    return tuple(found)
