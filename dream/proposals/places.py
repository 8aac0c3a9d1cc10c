"""Operations written down by place: which lines of which blob, never the lines themselves, and read back."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from dream.errors import UsageError
from dream.memory.notes import find_span
from dream.memory.operations import Operation, Span
from dream.memory.tree import Tree

_OPERATIONS: TypeAdapter[Operation] = TypeAdapter(Operation)
_SPAN = {"path", "text", "occurrence", "blob"}
_NO_TEXT = frozenset({"path", "to", "blob", "said", "kind"})
_PLACE = {"path", "lines", "occurrence", "blob", "said"}


class NoPlaceError(Exception):
    """Lines that an operation is about are not where it says."""


def by_place(operation: Operation, tree: Tree) -> dict[str, Any]:
    """Return `operation` as JSON values that name the lines of `tree` it is about by their place.

    Raises NoPlaceError where they do not stand there, or cannot be told from it.
    """
    placed = _placed(_OPERATIONS.dump_python(operation, mode="json"), tree)
    if not isinstance(placed, dict) or from_place(placed, tree) != operation:
        raise NoPlaceError
    return placed


def from_place(step: Mapping[str, Any], tree: Tree) -> Operation:
    """Return the operation that `step` is in `tree`.

    Raises:
        NoPlaceError: the lines that it is about are not there.
        UsageError: it is no operation.
    """
    try:
        return _OPERATIONS.validate_python(_quoted(step, tree))
    except ValidationError as error:
        message = "a step of the proposal is no operation that this version knows"
        raise UsageError(message, way_out="make the proposal again: dream consolidate PATH") from error


def texts_in(step: Any) -> Iterator[str]:
    """Yield every text that a step brings along: what it writes and why; paths, ids and digests are none."""
    match step:
        case str():
            yield step
        case Mapping():
            for name, value in step.items():
                if name not in _NO_TEXT:
                    yield from texts_in(value)
        case Sequence():
            for value in step:
                yield from texts_in(value)
        case _:
            pass


def _placed(value: Any, tree: Tree) -> Any:
    if isinstance(value, list):
        return [_placed(one, tree) for one in value]
    if not isinstance(value, dict):
        return value
    if value.keys() != _SPAN or value["text"] is None:
        return {name: _placed(one, tree) for name, one in value.items()}
    text, span = _text(tree, value["path"]), Span(**value)
    place = find_span(text, span)
    if place is None:
        raise NoPlaceError
    return {
        "path": span.path,
        "lines": [place[0] + 1, place[1]],
        "occurrence": span.occurrence,
        "blob": span.blob,
        "said": _said(value["text"]),
    }


def _quoted(value: Any, tree: Tree) -> Any:
    if isinstance(value, list):
        return [_quoted(one, tree) for one in value]
    if not isinstance(value, Mapping):
        return value
    if value.keys() != _PLACE:
        return {name: _quoted(one, tree) for name, one in value.items()}
    match value["lines"]:
        case [int(first), int(last)]:
            pass
        case _:
            raise NoPlaceError
    text = "\n".join(_text(tree, value["path"]).split("\n")[first - 1 : last])
    if _said(text) != value["said"]:
        raise NoPlaceError
    return {"path": value["path"], "text": text, "occurrence": value["occurrence"], "blob": value["blob"]}


def _text(tree: Tree, path: str) -> str:
    data = tree.read(path)
    try:
        return (data or b"").decode()
    except UnicodeDecodeError as error:
        raise NoPlaceError from error


def _said(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]
