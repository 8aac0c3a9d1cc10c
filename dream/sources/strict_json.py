"""JSON from files that nobody vouches for: strict, or refused with a reason that can be counted."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable
from typing import Any

import jiter

_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANKS = re.compile(r"[ \t\r\n]*")


class BadJSONError(Exception):
    """Bytes that are not one honest JSON value; the message says why, in few and fixed words."""


def parse_json(data: bytes) -> Any:
    """Return the JSON value that bytes hold.

    Raises BadJSONError for anything that is not strict JSON in UTF-8: duplicate keys, NaN, numbers of thousands of
    digits and nesting beyond the interpreter's depth included. A surrogate without its partner reads U+FFFD.
    """
    try:
        return jiter.from_json(data, allow_inf_nan=False, catch_duplicate_keys=True)
    except ValueError:  # it says so of less than is refused here, and not in fixed words
        return _parsed(data, _decode_one)


def parse_json_values(data: bytes) -> list[Any]:
    """Return the JSON values that bytes hold one after another, with or without blanks between them.

    Raises BadJSONError as `parse_json` does, and where there is no value.
    """
    values: list[Any] = _parsed(data, _decode_all)
    return values


def _parsed(data: bytes, decode: Callable[[str], Any]) -> Any:
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        message = "not UTF-8"
        raise BadJSONError(message) from error
    try:
        value = decode(text)
        return _without_lone_surrogates(value) if _SURROGATE_ESCAPE.search(data) else value
    except RecursionError as error:
        message = "nested too deep"
        raise BadJSONError(message) from error
    except json.JSONDecodeError as error:
        message = "not JSON"
        raise BadJSONError(message) from error
    except ValueError as error:
        message = "a number of thousands of digits"
        raise BadJSONError(message) from error


def _decode_one(text: str) -> Any:
    """Return the one value; around an object that fills a line no blanks are looked for."""
    if text.startswith("{") and text.endswith("}"):
        value, end = _DECODER.raw_decode(text)
        if end == len(text):
            return value
    return _DECODER.decode(text)


def _decode_all(text: str) -> list[Any]:
    values: list[Any] = []
    position = _after_blanks(text, 0)
    while position < len(text) or not values:
        value, position = _DECODER.raw_decode(text, position)
        values.append(value)
        position = _after_blanks(text, position)
    return values


def _after_blanks(text: str, position: int) -> int:
    blanks = _BLANKS.match(text, position)
    return blanks.end() if blanks else position


def _refuse_constant(name: str) -> Any:
    message = f"{name} is not JSON"
    raise BadJSONError(message)


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        message = "a key stands twice"
        raise BadJSONError(message)
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
