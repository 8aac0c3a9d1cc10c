"""JSON documents of the flow, rendered so that their diffs read: sorted keys, one item a line."""

from __future__ import annotations

import json
from typing import Any, NoReturn

MAX_DEPTH = 24


class UnreadableDocumentError(ValueError):
    """The bytes are no JSON object that this project would have written."""


def render_document(payload: dict[str, Any]) -> bytes:
    """Return `payload` as UTF-8 JSON: keys sorted, each key on a line, each item of a list or mapping on its own."""
    lines = [f"{_compact(key)}: {_render_value(payload[key])}" for key in sorted(payload)]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def parse_document(data: bytes) -> dict[str, Any]:
    """Return the object in `data`; UnreadableDocumentError for duplicate keys, NaN, deep nesting and no object."""
    try:
        payload = json.loads(data.decode(), object_pairs_hook=_unique, parse_constant=_refuse_constant)
        _compact(payload).encode()  # a lone surrogate can be read but never written
    except (ValueError, RecursionError) as error:
        message = f"not a JSON document: {error}"
        raise UnreadableDocumentError(message) from error
    if not isinstance(payload, dict):
        message = "not a JSON object"
        raise UnreadableDocumentError(message)
    if _depth(payload) > MAX_DEPTH:
        message = f"nested deeper than {MAX_DEPTH}"
        raise UnreadableDocumentError(message)
    return payload


def _render_value(value: Any) -> str:
    match value:
        case dict() if value:
            items = [f"  {_compact(key)}: {_compact(value[key])}" for key in sorted(value)]
            return "{\n" + ",\n".join(items) + "\n}"
        case list() if value:
            return "[\n" + ",\n".join(f"  {_compact(item)}" for item in value) + "\n]"
        case _:
            return _compact(value)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    payload = dict(pairs)
    if len(payload) != len(pairs):
        message = "a key stands twice"
        raise ValueError(message)
    return payload


def _refuse_constant(name: str) -> NoReturn:
    message = f"{name} is not a number"
    raise ValueError(message)


def _depth(value: Any) -> int:
    deepest, pending = 0, [(value, 1)]
    while pending:
        item, depth = pending.pop()
        deepest = max(deepest, depth)
        children = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
        pending.extend((child, depth + 1) for child in children)
    return deepest
