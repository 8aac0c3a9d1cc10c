"""The lines of a file that nobody vouches for, however long they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any

from dream.sources.strict_json import BadJSONError, parse_json

_LOOKED_AT = 40


@dataclass(slots=True)
class Line:
    """One line without its line feed; `ended` is False for a last line that has none, `data` None for one too long.

    It is not frozen because making a frozen value takes twice as long, and every line is one.
    """

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


def first_objects(head: bytes) -> Iterator[Mapping[str, Any]]:
    """Yield the JSON objects among the first lines of a file's beginning, as they are asked for."""
    for line in head.split(b"\n", _LOOKED_AT)[:_LOOKED_AT]:
        if not line.lstrip(b"\xef\xbb\xbf \t").startswith(b"{"):
            continue
        try:
            value = parse_json(line)
        except BadJSONError:
            continue
        if isinstance(value, dict):
            yield value


def _skip_to_line_feed(handle: IO[bytes]) -> bool:
    while chunk := handle.readline(1 << 16):
        if chunk.endswith(b"\n"):
            return True
    return False
