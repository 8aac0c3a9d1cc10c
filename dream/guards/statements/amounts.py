"""Amounts, dates and names of days in a claim, in a form in which the same amount is the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from dream.guards.vocabulary import content_words

_AMOUNT = re.compile(r"(-?)[$€£]?([0-9]{1,50}(?:\.[0-9]{1,50})?) ?(%|[A-Za-z]{1,5})?")
_SCALES = {
    "": ("", "1"),
    "%": ("", "0.01"),
    "k": ("", "1000"),
    "x": ("", "1"),
    "ns": ("time", "0.000000001"),
    "us": ("time", "0.000001"),
    "ms": ("time", "0.001"),
    "s": ("time", "1"),
    "min": ("time", "60"),
    "h": ("time", "3600"),
    "d": ("time", "86400"),
    "w": ("time", "604800"),
    "B": ("size", "1"),
    "kB": ("size", "1000"),
    "MB": ("size", "1000000"),
    "GB": ("size", "1000000000"),
    "TB": ("size", "1000000000000"),
    "KiB": ("size", "1024"),
    "MiB": ("size", "1048576"),
    "GiB": ("size", "1073741824"),
}
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_MONTH = (
    r"Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?"
)
_MONTH_DAY = re.compile(
    rf"\b(?P<month>{_MONTH})\.? (?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<year>[0-9]{{4}})\b)?"
    rf"|\b(?P<day2>[0-9]{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?(?P<month2>{_MONTH})\b(?:,? (?P<year2>[0-9]{{4}})\b)?"
)
_ISO = re.compile(r"(?<![0-9])([0-9]{4}-[0-9]{2}-[0-9]{2})(?![0-9])")
_RANGE = re.compile(
    r"(?<![\w.-])([0-9]{1,12}(?:[.:][0-9]{1,9}){0,2}) ?(?:-|\u2013|\u2014|\.\.|to) ?"
    r"([0-9]{1,12}(?:[.:][0-9]{1,9}){0,2})( ?(?:%|[A-Za-z]{1,7}))?(?![\w-])"
)
_NUMERIC = re.compile(r"(?<![0-9./])([0-9]{1,2})[./]([0-9]{1,2})[./]([0-9]{4}|[0-9]{2})(?![0-9/])")
_RELATIVE = (("yesterday", -1), ("last night", -1), ("tomorrow", 1), ("today", 0), ("tonight", 0), ("this morning", 0))
_WORD = re.compile(r"[A-Za-z]{2,20}")
_LETTERS_OF_A_MONTH = 3
# Words that are values: each with the other ways of saying the same.
_VALUE_WORDS = {
    "once": "once one 1 single",
    "twice": "twice two 2 double",
    "thrice": "thrice three 3",
    "half": "half 50 0.5",
    "double": "double doubled doubles doubling twice two 2",
    "triple": "triple tripled three 3",
    "quarter": "quarter 25 15",
    "dozen": "dozen 12 twelve",
    "third": "third 3rd 33",
    "fourth": "fourth 4th",
    "fifth": "fifth 5th",
    "hourly": "hourly hour",
    "daily": "daily day days every nightly",
    "nightly": "nightly night nights tonight",
    "weekly": "weekly week",
    "monthly": "monthly month",
    "yearly": "yearly year annually",
}
_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9.]{0,40}")


class Amount(NamedTuple):
    """A number in the base unit of what it measures: seconds, bytes, or nothing."""

    dimension: str
    value: Decimal


def amount_of(specific: str) -> Amount | None:
    """Return what a specific amounts to (`60 s` and `1 min` are equal, `50 %` and `0.5`), None if it is no amount."""
    match = _AMOUNT.fullmatch(specific)
    if match is None or (match[3] or "") not in _SCALES:
        return None
    dimension, scale = _SCALES[match[3] or ""]
    try:
        value = Decimal(match[1] + match[2]) * Decimal(scale)
    except InvalidOperation:
        return None
    return Amount(dimension, value.normalize())


def dates_in(text: str, day: date) -> frozenset[date]:
    """Return the days that `text` names, in figures or with the month's name, those without a year nearest to `day`.

    `yesterday` and the like are days before or after `day`, on which it was said.
    """
    found = {one for match in _ISO.finditer(text) for one in _valid(*map(int, match[1].split("-")))}
    for match in _MONTH_DAY.finditer(text):
        month = _month(match["month"] or match["month2"])
        year = match["year"] or match["year2"]
        if month:
            number = int(match["day"] or match["day2"])
            found.update(_valid(int(year), month, number) if year else _nearest(month, number, day))
    for match in _NUMERIC.finditer(text):
        year = int(match[3]) + (2000 if len(match[3]) == 2 else 0)  # noqa: PLR2004
        found.update((*_valid(year, int(match[2]), int(match[1])), *_valid(year, int(match[1]), int(match[2]))))
    lowered = text.lower()
    found.update(day + timedelta(days=days) for word, days in _RELATIVE if word in lowered)
    return frozenset(found)


def ranges_apart(text: str) -> str:
    """Return the two ends of each range in `text` (`02:00-04:00`, `10-20 ms`), each with the unit of the second."""
    found = (match for match in _RANGE.finditer(text) if not _ISO.search(match[0]))
    return " ".join(f"{match[1]}{match[3] or ''}, {match[2]}{match[3] or ''}," for match in found)


def without_month_days(text: str) -> str:
    """Return `text` without days that carry a month's name, whose numbers would be read as amounts otherwise."""
    return _MONTH_DAY.sub(lambda match: " " if _month(match["month"] or match["month2"]) else match[0], text)


def unknown_value_words(statement: str, evidence: str) -> frozenset[str]:
    """Return the words of `statement` that are values (a weekday, a month, `twice`) and that `evidence` has not."""
    known = {token.rstrip(".").lower() for token in _TOKEN.findall(evidence)}
    return frozenset(word for word, others in _value_words(statement) if not known & others)


def _value_words(statement: str) -> Iterator[tuple[str, frozenset[str]]]:
    for match in _WORD.finditer(statement):
        word, lower = match[0], match[0].lower()
        if lower in _VALUE_WORDS:
            yield lower, frozenset(_VALUE_WORDS[lower].split())
        elif lower.removesuffix("s") in _DAYS or (word[0].isupper() and lower in _MONTHS and match.start()):
            name = lower.removesuffix("s") if lower not in _MONTHS else lower
            yield name, frozenset({name, f"{name}s", name[:3], *({"weekend"} if name.startswith("s") else ())})


def says_number(number: str, evidence: str) -> bool:
    """Whether a word of `evidence` is that number: `twice`, `both`, `a dozen`."""
    words = {word.lower() for word in _WORD.findall(evidence)}
    return any(number in _VALUE_WORDS[word].split() for word in words & _VALUE_WORDS.keys()) or (
        number == "2" and not words.isdisjoint({"both", "pair"})
    )


def _month(name: str) -> int:
    lower = name.lower()
    if len(lower) == _LETTERS_OF_A_MONTH or lower == "sept":
        return next((number for number, month in enumerate(_MONTHS, 1) if month.startswith(lower)), 0)
    return _MONTHS.index(lower) + 1 if lower in _MONTHS else 0


def _nearest(month: int, number: int, day: date) -> tuple[date, ...]:
    found = [one for year in range(day.year - 1, day.year + 2) for one in _valid(year, month, number)]
    return (min(found, key=lambda one: abs(one - day)),) if found else ()


def _valid(year: int, month: int, day: int) -> tuple[date, ...]:
    try:
        return (date(year, month, day),)
    except ValueError:
        return ()


_COUNTED = re.compile(
    r"(?<![\w.,/:#-])([0-9]{1,12}|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
    r"[ -]([A-Za-z]{3,24})\b(?: ([A-Za-z]{3,24})\b)?",
    re.IGNORECASE,
)
_SPELLED = dict(
    zip(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve"],
        ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "12"],
        strict=True,
    )
)
_NEAR = 14


def other_number(statement: str, evidence: str) -> str:
    """Return a thing that `statement` counts otherwise than `evidence` does (`5 nodes` for `3 nodes`), else nothing.

    Both numbers may be in the evidence: then they count one another's things.
    """
    for number, thing in _counted(statement):
        counts = [other for other, counted in _counted(evidence) if counted == thing]
        if counts and number not in counts and not _beside(number, thing, evidence):
            return thing
    return ""


def _counted(text: str) -> Iterator[tuple[str, str]]:
    """Yield each number with the words of what it counts: the next word, or the one after an adjective."""
    for match in _COUNTED.finditer(text):
        for stem in content_words(f"{match[2]} {match[3] or ''}"):
            yield _SPELLED.get(match[1].lower(), match[1]), stem


def _beside(number: str, thing: str, evidence: str) -> bool:
    """Whether the number, not counting something else there, stands near the thing in whatever other way."""
    spelled = {number, *(word for word, value in _SPELLED.items() if value == number)}
    others = [match.start() for match in _COUNTED.finditer(evidence) if thing not in content_words(match[0])]
    for word in _WORD.finditer(evidence):
        if thing not in content_words(word[0]):
            continue
        low = max(0, word.start() - _NEAR)
        around = {
            token[0].rstrip(".").lower()
            for token in _TOKEN.finditer(evidence, low, min(len(evidence), word.end() + _NEAR))
            if token.start() not in others
        }
        if around & spelled or (number == "1" and around & {"a", "an", "single", "only"}):
            return True
    return False
