"""JSON as lines about one thing each: what an object holds itself stands on its line, with the way that leads there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import jiter

from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Line
from dream.sources.strict_json import parse_json

CUT = " …"
"""What a line ends in that goes on."""

_MOST = 10_000
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_/-]+")
_WORDS = {None: "null", True: "true", False: "false"}


def read_json(data: bytes) -> Any:
    """Return the JSON value that bytes hold, its numbers as they were written where that shows in no `int`.

    Raises BadJSONError for what is not strict JSON, as `parse_json` does.
    """
    try:
        return jiter.from_json(data, allow_inf_nan=False, catch_duplicate_keys=True, float_mode="lossless-float")
    except ValueError:
        return parse_json(data)


def json_lines(
    value: Any, root: str = "", *, name: str = "value", limits: ProbeLimits | None = None
) -> tuple[Line, ...]:
    """Return a line for each object's own values and for each list's, in their order, up to 10,000 lines.

    Each begins with the keys that lead there (`services[0].labels: team="shop"`), and its fields are what stands on it.
    An object within another has a line of its own, so that no value of one is on the line of the other; an object of
    more than a line of `limits.line_characters` goes on in a further one that begins the same. What is too long for any
    line is cut, and no field. `root` is put before the keys as it is; `name` is what a value is called that has no key.
    """
    characters = (limits or ProbeLimits()).line_characters
    return tuple(islice(_lines(value, printable(root), name, characters), _MOST))


def way_text(parts: Iterable[str | int], root: str = "") -> str:
    """Return how lines write the keys and places in lists that lead somewhere, after `root`."""
    way = root
    for part in parts:
        shown = f"[{part}]" if isinstance(part, int) else _key(part)
        way += shown if isinstance(part, int) or not way else f".{shown}"
    return way


def text_lines(text: str, *, limits: ProbeLimits | None = None) -> tuple[Line, ...]:
    """Return the lines of a text that hold more than blanks, up to 10,000, each printable and cut at the limit."""
    characters = (limits or ProbeLimits()).line_characters
    filled = (line for line in text.splitlines() if line.strip())
    return tuple(Line(text=cut_text(printable(line.strip()), characters)) for line in islice(filled, _MOST))


def kept_lines(lines: Sequence[Line], limits: ProbeLimits) -> tuple[tuple[Line, ...], bool]:
    """Return the first `limits.lines`, and whether there was more than they hold."""
    kept = tuple(lines[: limits.lines])
    return kept, len(lines) > len(kept) or any(line.text.endswith(CUT) for line in kept)


def value_text(value: Any) -> str:
    """Return a scalar as lines and fields have it: a number as it was written, true, false, null, a string bare."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < 1 << 1024 else f"{value:#x}"
    if isinstance(value, (Mapping, list, tuple)):
        return "{}" if isinstance(value, Mapping) else "[]"
    return _WORDS[value] if value is None or isinstance(value, bool) else str(value)


def printable(text: str) -> str:
    """Return a text in one line that hides nothing: what is not printable is written as JSON escapes it."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)


def cut_text(text: str, characters: int) -> str:
    """Return a text, cut where it has more characters than that so that with `CUT` it has as many."""
    return text if len(text) <= characters else text[: characters - len(CUT)] + CUT


def _lines(value: Any, path: str, name: str, characters: int) -> Iterator[Line]:
    if len(path) >= characters:
        yield Line(text=cut_text(path + ": ", characters))
    elif _is_leaf(value):
        yield from _packed(path, [(f"{name}={_shown(value)}", (name, value_text(value)))], " ", characters)
    elif isinstance(value, Mapping):
        items = [(str(key), _key(str(key)), item) for key, item in value.items()]
        own = ((f"{shown}={_shown(item)}", (key, value_text(item))) for key, shown, item in items if _is_leaf(item))
        yield from _packed(path, own, " ", characters)
        for key, shown, item in items:
            if not _is_leaf(item):
                yield from _lines(item, f"{path}.{shown}" if path else shown, key, characters)
    else:
        yield from _packed(path, ((_shown(i), (name, value_text(i))) for i in value if _is_leaf(i)), ", ", characters)
        for place, item in enumerate(value):
            if not _is_leaf(item):
                yield from _lines(item, f"{path}[{place}]", name, characters)


def _packed(path: str, pieces: Iterable[tuple[str, tuple[str, str]]], between: str, characters: int) -> Iterator[Line]:
    """Yield as few lines as hold the pieces whole; one that fits on none is cut and is no field."""
    start = f"{path}: " if path else ""
    text = start
    fields: list[tuple[str, str]] = []
    for piece, field in pieces:
        longer = f"{text}{between}{piece}" if fields else text + piece
        if len(longer) <= characters:
            text = longer
            fields.append(field)
            continue
        if fields:
            yield Line(text=text, fields=tuple(fields))
        text, fields = start + piece, [field]
        if len(text) > characters:
            yield Line(text=cut_text(text, characters))
            text, fields = start, []
    if fields:
        yield Line(text=text, fields=tuple(fields))


def _is_leaf(value: Any) -> bool:
    return not value or not isinstance(value, (Mapping, list, tuple))


def _shown(value: Any) -> str:
    text = value_text(value)
    plain = value is None or isinstance(value, (bool, int, float, jiter.LosslessFloat, Mapping, list, tuple))
    return text if plain else printable(json.dumps(text, ensure_ascii=False))


def _key(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) else printable(json.dumps(key, ensure_ascii=False))
