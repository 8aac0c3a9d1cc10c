"""Amounts as people and systems write them, in one form in which equal amounts are equal."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

PERCENT = "percent"
_MOST_DIGITS = 30
_NUMBER = re.compile(
    r"(?P<sign>[-+]?)(?P<digits>[0-9]{1,3}(?:[,_][0-9]{3}){1,6}|[0-9]{1,30})(?P<part>\.[0-9]{1,30})?(?P<unit>%|[A-Za-zµ]{1,12})?"
)
_SPELLED = {
    word: str(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
} | {"twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "hundred": "100"}
_SCALES: dict[str, tuple[str, str, str]] = {
    "ns": ("time", "0.000000001", "ns nanosecond nanoseconds nanos"),
    "us": ("time", "0.000001", "us µs microsecond microseconds micros"),
    "ms": ("time", "0.001", "ms msec msecs milli millis millisecond milliseconds"),
    "s": ("time", "1", "s sec secs second seconds sekunde sekunden"),
    "min": ("time", "60", "min mins minute minutes minuten"),
    "h": ("time", "3600", "h hr hrs hour hours stunde stunden"),
    "d": ("time", "86400", "d day days tag tage tagen"),
    "w": ("time", "604800", "w week weeks woche wochen"),
    "B": ("size", "1", "b byte bytes"),
    "kB": ("size", "1000", "kb kilobyte kilobytes"),
    "MB": ("size", "1000000", "mb megabyte megabytes"),
    "GB": ("size", "1000000000", "gb gigabyte gigabytes"),
    "TB": ("size", "1000000000000", "tb terabyte terabytes"),
    "KiB": ("size", "1024", "kib ki"),
    "MiB": ("size", "1048576", "mib mi"),
    "GiB": ("size", "1073741824", "gib gi"),
    "TiB": ("size", "1099511627776", "tib ti"),
    "%": (PERCENT, "1", "% percent pct percentage prozent"),
    "ratio": (PERCENT, "100", "ratio"),
}
_UNITS = {name: (dimension, Decimal(scale)) for dimension, scale, names in _SCALES.values() for name in names.split()}
_BINARY = {"kb": Decimal(1024), "mb": Decimal(1024) ** 2, "gb": Decimal(1024) ** 3, "tb": Decimal(1024) ** 4}
# Single letters are units only right behind a number: `d` and `s` are names of much else.
_WORDS = frozenset(name for name in _UNITS if len(name) > 1) | {"s", "h", "d"}


class Quantity(NamedTuple):
    """A number in the base unit of what it measures: seconds, bytes, percent, or nothing."""

    dimension: str
    value: Decimal


def is_unit(word: str) -> bool:
    """Whether a word behind a number, or at the end of a key, says what the number measures."""
    return word.lower() in _WORDS or word == "%"


def quantity_of(text: str, unit: str = "") -> Quantity | None:
    """Return what `text` amounts to, in `unit` where it names none itself; None where that is no amount.

    Two units that differ are no amount either: nothing is guessed.
    """
    plain = _SPELLED.get(text.lower(), text)
    match = _NUMBER.fullmatch(plain)
    if match is None or len(plain) > _MOST_DIGITS:
        return None
    own = (match["unit"] or "").lower()
    if own and own not in _UNITS:
        return None
    if own and unit and _UNITS[own] != _UNITS.get(unit.lower()):
        return None
    dimension, scale = _UNITS.get(own or unit.lower(), ("", Decimal(1)))
    number = Decimal(match["sign"] + re.sub("[,_]", "", match["digits"]) + (match["part"] or ""))
    return Quantity(dimension, (number * scale).normalize())


def is_near(text: str, unit: str, other: Quantity) -> bool:
    """Whether `text` in `unit` is `other` as people say it: 512 MB for what has 512 MiB."""
    match = _NUMBER.fullmatch(text)
    scale = _BINARY.get(((match["unit"] if match else "") or unit).lower())
    bare = quantity_of((match["digits"] + (match["part"] or "")) if match else "")
    return scale is not None and bare is not None and other == Quantity("size", (bare.value * scale).normalize())
