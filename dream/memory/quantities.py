"""Values as systems give them and people write them: when two are the same, and which are numbers."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

_NUMBER = re.compile(
    r"(?P<sign>[-+]?)(?P<digits>[1-9][0-9]{0,2}(?:[,_'\u2019][0-9]{3}){1,10}|0|[1-9][0-9]{0,49})(?:\.(?P<part>[0-9]{1,50}))?"
    r"(?P<power>[eE][-+]?[0-9]{1,3})?"
)
_MARKS = re.compile(r"[,_'\u2019]")


def plain_value(text: str) -> str:
    """Return `text` in the form that values are compared in: trimmed, NFC."""
    return unicodedata.normalize("NFC", text.strip())


def number_of(text: str) -> Decimal | None:
    """Return the number that `text` is (`1,000` is 1000, `5e0` is 5), None for anything else, such as `007`."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return None
    return Decimal(f"{match['sign']}{_MARKS.sub('', match['digits'])}.{match['part'] or '0'}{match['power'] or ''}")


def is_same_value(one: str, other: str) -> bool | None:
    """Return whether two values are the same: as numbers where both are some, else to the letter.

    None where they are one number or two versions: `1.10` and `1.1`.
    """
    if plain_value(one) == plain_value(other):
        return True
    ours, theirs = number_of(one), number_of(other)
    if ours is None or theirs is None or ours != theirs:
        return False
    parts = {_fraction(one), _fraction(other)}
    return None if len(parts) > 1 and all(part.strip("0") for part in parts) else True


def _fraction(text: str) -> str:
    match = _NUMBER.fullmatch(text.strip())
    return match["part"] or "" if match and not match["power"] else ""
