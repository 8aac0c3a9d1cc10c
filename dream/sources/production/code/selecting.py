"""The part of a JSON-like value that a JSONPath (RFC 9535) selects, with the lines that stand around it. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from dream.sources.production.fields import json_lines, value_text
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Line

if TYPE_CHECKING:
    from jsonpath import JSONPath, JSONPathEnvironment

_LONGEST = 300
_MOST = 1_000
_PLAIN = re.compile(r"[A-Za-z0-9_/-]+")
_MATCHING = ("match", "search")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """What a path selects, the scalars of it as `values`, on the `lines` of the objects that hold it."""

    values: tuple[str, ...]
    lines: tuple[Line, ...]


def objection_to_path(path: str) -> str:
    """Return why a text is no path that is followed, "" where it is: no regular expressions, one `..`, one filter."""
    if len(path) > _LONGEST or path.count("..") > 1 or path.count("?") > 1:
        return "the JSONPath asks for too much at once"
    return "" if _compiled(path) is not None else "that is no JSONPath of RFC 9535, or uses match or search"


def select(value: object, path: str, *, root: str, limits: ProbeLimits) -> Selected:
    """Return what a path that has no objection selects in a value; each line begins with `root` and its way there."""
    compiled = _compiled(path)
    values: list[str] = []
    lines: dict[Line, None] = {}
    matches = [] if compiled is None else list(islice(compiled.finditer(_json(value)), _MOST))
    for match in matches:
        values += _scalars(match.value)
        parent = match.parent
        if _is_leaf(match.value) and parent is not None and isinstance(parent.value, Mapping):
            own = {key: held for key, held in parent.value.items() if _is_leaf(held)}
            found = json_lines(own, _shown(root, parent.parts), limits=limits)
        else:
            found = json_lines(match.value, _shown(root, match.parts), limits=limits)
        lines |= dict.fromkeys(found)
    return Selected(values=tuple(values), lines=tuple(lines))


def _scalars(value: object) -> list[str]:
    if isinstance(value, list):
        return [value_text(item) for item in value if _is_leaf(item)]
    return [] if isinstance(value, Mapping) else [value_text(value)]


def _is_leaf(value: object) -> bool:
    return not isinstance(value, Mapping | list)


def _shown(root: str, parts: Sequence[object]) -> str:
    shown = root
    for part in parts:
        if isinstance(part, int):
            shown += f"[{part}]"
        else:
            name = str(part)
            shown += "." + (name if _PLAIN.fullmatch(name) else json.dumps(name, ensure_ascii=False))
    return shown


def _json(value: object) -> Any:
    return value


@cache
def _environment() -> JSONPathEnvironment:
    from jsonpath import JSONPathEnvironment  # noqa: PLC0415 - for those alone who select something

    environment = JSONPathEnvironment(strict=True)
    for name in _MATCHING:  # regular expressions of somebody else can take forever
        environment.function_extensions.pop(name, None)
    return environment


def _compiled(path: str) -> JSONPath | None:
    from jsonpath import JSONPathError  # noqa: PLC0415 - for those alone who select something

    try:
        compiled = _environment().compile(path)
    except (JSONPathError, RecursionError, ValueError):
        return None
    return compiled if hasattr(compiled, "segments") or path.startswith("$") else None  # type: ignore[return-value]
