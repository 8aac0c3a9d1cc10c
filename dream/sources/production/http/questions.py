"""The paths that a web server may be asked for: one way to write each, and only those that a pattern allows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote

_LONGEST = 1_000
_PATH = re.compile(r"(?:/(?:[A-Za-z0-9._~!$&'()*+,=:@-]|%[0-9A-Fa-f]{2}){1,1000})*/?")
_QUERY = re.compile(r"(?:[A-Za-z0-9._~!$'()*+,:@/=&-]|%[0-9A-Fa-f]{2})+")
_HIDDEN = re.compile(r"[/\\%;]")
_MOST_PARAMETERS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked for: `path` as it is sent, `segments` of it unescaped, and the `rest` of the question."""

    path: str
    segments: tuple[str, ...]
    query: tuple[tuple[str, str], ...] = ()
    rest: str = ""


def read_question(text: str) -> Question | str:
    """Return a question such as `/services/orders-api?view=full $.replicas`, or why it is none.

    A path that could mean another one to somebody who reads it in another way is refused: with `..`, with an escaped
    dot, slash or percent sign, with a backslash, a semicolon or an empty segment.
    """
    target, _, rest = text.partition(" ")
    path, mark, asked = target.partition("?")
    if len(target) > _LONGEST:
        return f"the path is longer than {_LONGEST} characters"
    if not path.startswith("/") or not _PATH.fullmatch(path):
        return "the question does not begin with a plain path below the address, such as /services/orders-api"
    segments = _unescaped(path)
    if segments is None:
        return "the path holds what can be read in more than one way"
    query = _pairs(asked) if mark else ()
    if query is None:
        return "what follows the `?` is no list of different names with their values"
    return Question(path=path, segments=segments, query=query, rest=rest.strip())


def is_allowed(question: Question, patterns: Iterable[str]) -> bool:
    """Return whether one of the patterns allows a path with its query.

    `*` stands for anything within a segment, and as the whole of the last one for everything below. A query is allowed
    by `?*`, or parameter by parameter: `?view=*&page=1`.
    """
    return any(_allows(pattern, question) for pattern in patterns)


def _unescaped(path: str) -> tuple[str, ...] | None:
    try:
        segments = tuple(unquote(segment, errors="strict") for segment in path.strip("/").split("/") if segment)
    except UnicodeDecodeError:
        return None
    plain = all(segment.isprintable() and not _HIDDEN.search(segment) for segment in segments)
    dotted = any(segment in {".", ".."} for segment in segments) or "%2e" in path.lower()
    return segments if plain and not dotted else None


def _pairs(asked: str) -> tuple[tuple[str, str], ...] | None:
    if not _QUERY.fullmatch(asked):
        return None
    try:
        pairs = parse_qsl(
            asked, keep_blank_values=True, strict_parsing=True, errors="strict", max_num_fields=_MOST_PARAMETERS
        )
    except ValueError:
        return None
    plain = all(name and name.isprintable() and value.isprintable() for name, value in pairs)
    return tuple(pairs) if plain and len({name for name, _ in pairs}) == len(pairs) else None


def _allows(pattern: str, question: Question) -> bool:
    path, mark, query = pattern.partition("?")
    wanted = [segment for segment in path.split("/") if segment]
    given: Sequence[str] = question.segments
    if wanted[-1:] == ["*"]:
        wanted, given = wanted[:-1], given[: len(wanted) - 1]
    if len(wanted) != len(given) or not all(map(_fits, wanted, given)):
        return False
    if not question.query or (mark and query == "*"):
        return True
    allowed = dict(parameter.partition("=")[::2] for parameter in query.split("&"))
    return bool(mark) and all(name in allowed and _fits(allowed[name], value) for name, value in question.query)


def _fits(pattern: str, text: str) -> bool:
    return bool(re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text, re.DOTALL))
