"""What a JSONPath (RFC 9535) selects of a JSON value, with what stands around it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from math import prod
from typing import TYPE_CHECKING, Any

import jiter

from dream.sources.production.fields import json_lines, value_text, way_text
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Line, Refused

if TYPE_CHECKING:
    from jsonpath import JSONPath, JSONPathEnvironment
    from jsonpath.filter import BaseExpression

_LONGEST = 300
_MOST_SELECTORS = 10
_MOST_MATCHES = 1_000
_MOST_VALUES = 100_000
_MOST_WAYS = 20_000_000
_OF_REGULAR_EXPRESSIONS = ("match", "search")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """What a path selects: its scalars as `values` (a list's own too), on the `lines` of the objects that hold them."""

    values: tuple[str, ...]
    lines: tuple[Line, ...]
    cut: bool = False


def objection_to_path(path: str) -> str:
    """Return why a text is no path that is followed, "" for one that is.

    No regular expressions, one `..`, one filter, in a filter only ways to one value: whatever a path says, following it
    takes a time that grows with the value and with no power of it.
    """
    compiled = _compiled(path)
    return compiled if isinstance(compiled, str) else ""


def select(value: Any, path: str, *, root: str = "", limits: ProbeLimits | None = None) -> Selected | Refused:
    """Return what a path selects of a value as `read_json` gives it; nothing is in it that is not in the value.

    Lines begin with `root` and the way to what they hold.
    """
    compiled = _compiled(path)
    if isinstance(compiled, str):
        return Refused(compiled)
    try:
        plain = _Plain().copy(value, 0)
        ways = [tuple(match.parts) for match in islice(compiled.finditer(plain), _MOST_MATCHES + 1)]
    except (RecursionError, _TooMuchError):
        return Refused("what it answers is too large or nested too deep for a path to be followed")
    most = (limits or ProbeLimits()).lines
    values: list[str] = []
    lines: list[Line] = []
    shown: set[tuple[str | int, ...]] = set()
    for way, selected in (found for each in ways[:_MOST_MATCHES] for found in _steps(value, each)):
        values += _scalars(selected)
        around = way[:-1] if _is_leaf(selected) else way
        if around not in shown and len(lines) <= most:
            shown.add(around)
            lines += _around(value, around, root, limits, whole=around == way)
    return Selected(values=tuple(values), lines=tuple(lines), cut=len(ways) > _MOST_MATCHES or len(lines) > most)


def _around(
    value: Any, way: tuple[str | int, ...], root: str, limits: ProbeLimits | None, *, whole: bool
) -> tuple[Line, ...]:
    """Return the lines of what stands at a way; unless `whole`, only of the scalars that it holds itself."""
    held = next(held for _, held in _steps(value, way))
    if not whole and isinstance(held, Mapping):
        held = {key: item for key, item in held.items() if _is_leaf(item)}
    elif not whole and not _is_leaf(held):
        held = [item for item in held if _is_leaf(item)]
    name = next((part for part in reversed(way) if isinstance(part, str)), "value")
    return json_lines(held, way_text(way, root), name=name, limits=limits)


def _steps(value: Any, way: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield a way with what stands at its end; nothing where it leads into a string, as a slice of one would."""
    for part in way:
        if not isinstance(value, (Mapping, list, tuple)):
            return
        value = value[part]  # type: ignore[index]
    yield way, value


def _scalars(value: Any) -> list[str]:
    if isinstance(value, (list, tuple)):
        return [value_text(item) for item in value if _is_leaf(item)]
    return [] if isinstance(value, Mapping) else [value_text(value)]


def _is_leaf(value: Any) -> bool:
    return not isinstance(value, (Mapping, list, tuple))


class _TooMuchError(Exception):
    """To follow a path would take time or memory without measure: for each value, its way is written out."""


class _Plain:
    """Copies a value with numbers that can be compared; counts the values, and the lengths of all ways to them."""

    def __init__(self) -> None:
        self._values = self._ways = 0

    def copy(self, value: Any, way: int) -> Any:
        self._values += 1
        self._ways += way
        if self._values > _MOST_VALUES or self._ways > _MOST_WAYS:
            raise _TooMuchError
        match value:
            case Mapping():
                return {key: self.copy(item, way + len(str(key)) + 4) for key, item in value.items()}
            case list() | tuple():
                return [self.copy(item, way + 8) for item in value]
            case jiter.LosslessFloat():
                return float(value)
            case _:
                return value


@lru_cache(maxsize=1)
def _environment() -> JSONPathEnvironment:
    from jsonpath import JSONPathEnvironment  # noqa: PLC0415  # for those alone who select something

    environment = JSONPathEnvironment(strict=True)
    for name in _OF_REGULAR_EXPRESSIONS:
        del environment.function_extensions[name]
    return environment


@lru_cache(maxsize=256)
def _compiled(path: str) -> JSONPath | str:
    """Return a path that can be followed, or why it can not."""
    from jsonpath import JSONPath, JSONPathError  # noqa: PLC0415

    if len(path) > _LONGEST:
        return f"the JSONPath is longer than {_LONGEST} characters"
    try:
        compiled = _environment().compile(path)
    except (JSONPathError, RecursionError, ValueError):
        return "that is no JSONPath of RFC 9535, or uses match or search"
    if not isinstance(compiled, JSONPath) or not _is_modest(compiled):
        return "the JSONPath asks for too much at once"
    return compiled


def _is_modest(path: JSONPath) -> bool:
    from jsonpath.segments import JSONPathRecursiveDescentSegment  # noqa: PLC0415
    from jsonpath.selectors import Filter  # noqa: PLC0415

    descents = sum(isinstance(segment, JSONPathRecursiveDescentSegment) for segment in path.segments)
    filters = [item for segment in path.segments for item in segment.selectors if isinstance(item, Filter)]
    return (
        descents <= 1
        and len(filters) <= 1
        and prod(len(segment.selectors) for segment in path.segments) <= _MOST_SELECTORS
        and all(_is_singular(item.expression) for item in filters)
    )


def _is_singular(expression: BaseExpression) -> bool:
    from jsonpath.filter import FilterQuery  # noqa: PLC0415

    if isinstance(expression, FilterQuery):
        return expression.path.singular_query()
    return all(_is_singular(child) for child in expression.children())
