"""What somebody typed, made fit to stand inside one line of ours."""

from __future__ import annotations

import re
from collections.abc import Callable

from dream.guards.sources import take_vouchers_apart
from dream.memory.similarity import word_set

LONGEST_TITLE = 120
LONGEST_NAME = 40
_SAID_AT_LENGTH = 60

# Nothing of a title may become a link, a source, code or HTML. Agents read the text as it stands, so that a look-alike
# reads better than a backslash.
_OPENING, _CLOSING = "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}", "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
_MARKUP = re.compile(r"\\?([\[\]<>`])")
_LOOKALIKES = {"[": "(", "]": ")", "<": _OPENING, ">": _CLOSING, "`": "'"}
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_WITHOUT_PARENTHESES = str.maketrans({"(": _OPENING, ")": _CLOSING})
WITHHELD = "(withheld)"
_PROMPT = re.compile(
    r"[ \t]{0,8}(?:\([\w.-]{1,30}\) )?"
    r"(?:[\w.-]{1,40}@[\w.-]{1,60}[: ][^\s$#%]{0,120} ?[$#%]|[$%\u276f\u279c](?=[ \t]))[ \t]{1,8}"
)
_PUSHES = word_set(
    "again ahead and commit continue do done go going good great hello hey hi it keep lgtm next no nope ok okay "
    "perfect please proceed push retry sure thank thanks this try y yeah yep yes you"
)
_WITHHOLDING = "[withheld"


def title_of(text: str, *, screen: Callable[[str], str], longest: int = LONGEST_TITLE) -> str:
    """Return the first line of `text` that says anything, screened, as plain words of at most `longest` characters.

    It is screened before it is cut, so that no half of a secret is left, and holds no quotation mark that could end the
    quotation in which it is told. A line that was pasted from a shell stands only where there is no other, and then
    without its prompt. Empty where no line has a letter or a digit, `(withheld)` where the screen left nothing of one.
    """
    line = _first_line(text)
    return unquoted(plain(screen(" ".join(line.split())), longest=longest)) or WITHHELD if line else ""


def says_little(text: str) -> bool:
    """Whether a message is no more than assent or a push to go on, so that what was wanted stands elsewhere."""
    return len(text) < _SAID_AT_LENGTH and word_set(text) <= _PUSHES


def _first_line(text: str) -> str:
    """The first line that says anything and was not pasted from a shell, else what of the first such line was typed."""
    pasted = ""
    for line in text.split("\n"):
        if any(character.isalnum() for character in line):
            prompt = _PROMPT.match(line)
            if prompt is None:
                return line
            pasted = pasted or line[prompt.end() :] or line
    return pasted


def plain(text: str, *, longest: int) -> str:
    """Return `text` on one line, blanks collapsed and without Markdown's own characters, cut at `longest` with `…`.

    Control characters and halves of pairs, which no note can hold, are gone; what is merely invisible is the screen's.
    What reads as a thread or a person that vouches for something is taken apart by a backslash, which is not counted.
    """
    flat = _MARKUP.sub(lambda match: _LOOKALIKES[match[1]], " ".join(_UNFIT.sub(" ", text).split()))
    return take_vouchers_apart(flat if len(flat) <= longest else flat[: longest - 1].rstrip() + "…")


def unquoted(text: str) -> str:
    """Return `text` fit to stand between double quotation marks: those in it are single ones."""
    return text.replace('"', "'")


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


def passes(text: str, *, screen: Callable[[str], str]) -> bool:
    """Whether the screen leaves `text` standing; that it would cut a title's worth of it plays no part."""
    answer = screen(text)
    return bool(answer.strip()) and not answer.startswith(_WITHHOLDING)


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
