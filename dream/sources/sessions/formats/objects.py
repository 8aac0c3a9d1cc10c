"""The JSON objects that a file holds, one a line or all in one document, and the instants that they name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any, TypeGuard

from dream.sources.instants import in_every_zone
from dream.sources.sessions.formats.registry import SessionFile
from dream.sources.sessions.jsonlines import read_lines
from dream.sources.strict_json import BadJSONError, parse_json

Record = Mapping[str, Any]

_DOCUMENT_LINES = 8
_SEAM = re.compile(rb'(?<=\})(?=\{")')
_MILLISECONDS = 10**11
_LATEST = 10**14


def records_of(
    file: SessionFile, left_out: Counter[str], *, worth: re.Pattern[bytes] | None = None
) -> Iterator[Record]:
    """Yield the objects of a file in order; what is none is counted in `left_out` by its reason.

    A file that is one document instead of lines, an array or a pretty-printed object, yields its objects. Two objects
    that a lost line feed glued together are two. Lines that `worth` is not found in are passed over unparsed, but for
    the first and for a last one that is cut off.
    """
    first = True
    for line in read_lines(file.handle, limit=file.limits.line_bytes):
        data = line.data
        if data is None and first and file.path.endswith(".json"):
            yield from _kept(_document(file, left_out), left_out)
            return
        if data is None:
            left_out["a line is too long"] += 1
        elif first and (data.strip() == b"{" or data.lstrip().startswith(b"[")):
            yield from _kept(_document(file, left_out), left_out)
            return
        elif data.strip() and (first or worth is None or not line.ended or worth.search(data)):
            yield from _kept(_values_of(data, left_out, ended=line.ended), left_out)
        first = first and data is not None and not data.strip()


def moment(value: object, zone: tzinfo) -> datetime | None:
    """Return the UTC instant of an ISO text or of a number of seconds or milliseconds since 1970, None for the rest.

    A text without a zone is of `zone`; an instant is itself.
    """
    try:
        if isinstance(value, datetime):
            return value
        if isinstance(value, str):
            at = datetime.fromisoformat(value)
            return in_every_zone((at if at.tzinfo else at.replace(tzinfo=zone)).astimezone(UTC))
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < _LATEST:
            return datetime.fromtimestamp(value / 1000 if value >= _MILLISECONDS else value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def is_map(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Return whether a JSON value is an object."""
    return isinstance(value, dict)


def map_at(record: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the object at a key, an empty one where there is none."""
    value = record.get(key)
    return value if is_map(value) else {}


def maps_at(record: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """Return the objects of the list at a key, none where there is no list."""
    value = record.get(key)
    return [item for item in value if is_map(item)] if isinstance(value, list) else []


def text_at(record: Mapping[str, Any], *keys: str, most: int | None = None) -> str:
    """Return the text at the first key that has one, "" where none does or where it is of more than `most` characters.

    An identifier that is too long is none, so that it is not cut into another's.
    """
    for key in keys:
        found = record.get(key)
        if found and isinstance(found, str):
            return "" if most is not None and len(found) > most else found
    return ""


def _kept(values: list[Any], left_out: Counter[str]) -> Iterator[Record]:
    for value in values:
        if is_map(value):
            yield value
        else:
            left_out["a line is not an object"] += 1


def _values_of(data: bytes, left_out: Counter[str], *, ended: bool) -> list[Any]:
    try:
        return [parse_json(data)]
    except BadJSONError as error:
        pieces = _SEAM.split(data)
        values = _parsed(pieces) if len(pieces) > 1 else []
        if len(values) < len(pieces):
            left_out[str(error) if ended else "the last line is cut off"] += 1
        return values


def _parsed(pieces: list[bytes]) -> list[Any]:
    values = []
    for piece in pieces:
        try:
            values.append(parse_json(piece))
        except BadJSONError:
            continue
    return values


def _document(file: SessionFile, left_out: Counter[str]) -> list[Any]:
    limit = _DOCUMENT_LINES * file.limits.line_bytes
    file.handle.seek(0)
    data = file.handle.read(limit + 1)
    if len(data) > limit:
        left_out["a document is too long"] += 1
        return []
    try:
        value = parse_json(data)
    except BadJSONError as error:
        left_out[str(error)] += 1
        return []
    return value if isinstance(value, list) else [value]
