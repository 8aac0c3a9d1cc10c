"""Lines of JSON from files that nobody vouches for: bounded, strict, one bad line at a time."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class BadLineError(Exception):
    """A line that is not one honest JSON value; the message says why, in words that can be counted."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its line feed; `ended` is False for a last line that has none, `data` None for one too long."""

    data: bytes | None
    ended: bool


def read_lines(handle: IO[bytes], *, limit: int) -> Iterator[Line]:
    """Yield the lines of an open file, never holding more than `limit` bytes of one."""
    while True:
        data = handle.readline(limit + 1)
        if not data:
            return
        if data.endswith(b"\n"):
            yield Line(data[:-1], ended=True)
        elif len(data) <= limit:
            yield Line(data, ended=False)
        else:
            yield Line(None, ended=_skip_to_line_feed(handle))


def parse_line(data: bytes) -> Any:
    """Return the JSON value of a line.

    Raises BadLineError for anything that is not strict JSON in UTF-8: duplicate keys, NaN, numbers of thousands of
    digits and nesting beyond the interpreter's depth included. A surrogate without its partner reads U+FFFD.
    """
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        message = "not UTF-8"
        raise BadLineError(message) from error
    try:
        value = _DECODER.decode(text)
        return _without_lone_surrogates(value) if _SURROGATE_ESCAPE.search(text) else value
    except RecursionError as error:
        message = "nested too deep"
        raise BadLineError(message) from error
    except json.JSONDecodeError as error:
        message = "not JSON"
        raise BadLineError(message) from error
    except ValueError as error:
        message = "a number of thousands of digits"
        raise BadLineError(message) from error


def _skip_to_line_feed(handle: IO[bytes]) -> bool:
    while chunk := handle.readline(1 << 16):
        if chunk.endswith(b"\n"):
            return True
    return False


def _refuse_constant(name: str) -> Any:
    message = f"{name} is not JSON"
    raise BadLineError(message)


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        message = "a key stands twice"
        raise BadLineError(message)
    return record


def _without_lone_surrogates(value: Any) -> Any:
    match value:
        case str():
            return _SURROGATE.sub("\ufffd", value)
        case list():
            return [_without_lone_surrogates(item) for item in value]
        case dict():
            return {_without_lone_surrogates(key): _without_lone_surrogates(item) for key, item in value.items()}
        case _:
            return value


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_refuse_duplicates)
