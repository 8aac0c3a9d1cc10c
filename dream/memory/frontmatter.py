"""The YAML block that a note may begin with, read as far as anyone here needs it, and never written.

A block is a first line `---` and a later one (or `...`), with at least one line between that looks like a key; two
rules around prose are prose. Plain `key: value` lines are read directly, because that is what most notes have and a
night reads all of them; whatever is richer goes to ruamel.yaml as a stream of events. Nothing is ever constructed: no
type is guessed (`no`, dates and `12:30:45` stay text), no tag is obeyed, and an alias stays one event, however much
it stands for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MOST_BYTES = 16_000
_DEEPEST = 20
_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_. -]*")
_NOT_ONE_MAPPING = "not one mapping"
_NULLS = frozenset({"~", "null", "Null", "NULL"})

_LOOKS_LIKE_KEY = re.compile(r"\s*(?:- )?[\"']?\w[\w .-]{0,99}[\"']?\s*:(?:\s|\Z)")
_NOT_IN_YAML = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_INDICATORS = r"\s\-?:,\[\]{}#&*!|>'\"%@`"
_SIMPLE_LINE = re.compile(
    r"(?P<indent> {0,8})(?:(?P<key>[A-Za-z_][A-Za-z0-9_-]*):|-)"
    rf"(?: +(?:(?P<plain>[^{_NOT_IN_YAML}{_INDICATORS}][^{_NOT_IN_YAML}]*)|\[(?P<list>[A-Za-z0-9_., -]*)\]"
    rf"|\"(?P<double>[^\"\\{_NOT_IN_YAML}]*)\"|'(?P<single>[^'{_NOT_IN_YAML}]*)'))?\Z"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frontmatter:
    """What a block says; the body of the note begins at line `end`.

    `values` holds every scalar of the outer mapping as text, and those of a mapping in it under `outer.inner`.
    """

    end: int
    values: Mapping[str, str]

    @property
    def name(self) -> str:
        """What the note is called, on one line; empty where it does not say."""
        return " ".join(self.values.get("name", "").split())

    @property
    def description(self) -> str:
        """What the note is about, on one line; empty where it does not say."""
        return " ".join(self.values.get("description", "").split())

    @property
    def type(self) -> str:
        """The note's type, also where a tool keeps it under `metadata`; empty where it does not say."""
        return self.values.get("type") or self.values.get("metadata.type", "")


@dataclass(frozen=True, slots=True)
class Broken:
    """A block that cannot be read, and why; `end` is 0 where not even its end can be told."""

    end: int
    reason: str


def read_frontmatter(lines: Sequence[str]) -> Frontmatter | Broken | None:
    """Return what the block at the start of `lines` says, why it cannot be read, or None where there is none."""
    end = frontmatter_end(lines)
    if not end:
        is_cut = len(lines) > 1 and _opens(lines[0]) and not _closing(lines) and _LOOKS_LIKE_KEY.match(lines[1])
        return Broken(0, "not closed") if is_cut else None
    block = [line.rstrip(" \r") for line in lines[1 : end - 1]]
    if sum(map(len, block)) > MOST_BYTES:
        return Broken(end, f"over {MOST_BYTES // 1000} kB")
    simple = read_simple(block)
    values = read_events(block) if simple is None else simple
    return Broken(end, values) if isinstance(values, str) else Frontmatter(end=end, values=values)


def frontmatter_end(lines: Sequence[str]) -> int:
    """Return the line that the body begins at, 0 where there is no block."""
    if not lines or not _opens(lines[0]):
        return 0
    closing = _closing(lines)
    block = lines[1:closing]
    is_prose = any(map(str.strip, block)) and not any(map(_LOOKS_LIKE_KEY.match, block))
    return 0 if not closing or is_prose else closing + 1


def _opens(line: str) -> bool:
    return line.removeprefix("\ufeff").rstrip(" \t\r") == "---"


def _closing(lines: Sequence[str]) -> int:
    return next((n for n in range(1, len(lines)) if lines[n].rstrip(" \t\r") in {"---", "..."}), 0)


def read_simple(block: Iterable[str]) -> Mapping[str, str] | None:
    """Return what plain `key: value` lines say, one level of nesting included; None where YAML has to be asked."""
    values: dict[str, str] = {}
    seen: set[str] = set()
    outer, layout = "", (0, False)
    for line in filter(None, block):
        match = _SIMPLE_LINE.match(line)
        value = None if match is None else _simple_value(match)
        if match is None or value is None:
            return None
        key, width = match["key"], len(match["indent"])
        if not width:
            if key is None:
                return None
            outer, layout = (key if line.endswith(":") and not value else ""), (0, False)
        else:
            if not outer or layout not in {(0, False), (width, key is None)}:
                return None
            layout = (width, key is None)
            values.pop(outer, None)
            key = f"{outer}.{key}" if key else None
        if key in seen:
            return None
        if key is not None:
            seen.add(key)
            if match["list"] is None:
                values[key] = value
    return values


def _simple_value(match: re.Match[str]) -> str | None:
    plain: str | None = match["plain"]
    if match["list"]:
        words = (word.strip(" ") for word in match["list"].split(","))
        return "[]" if all(_WORD.fullmatch(word) for word in words) else None
    if plain is None:
        return match["double"] or match["single"] or ""
    if ": " in plain or " #" in plain or plain.endswith(":"):
        return None
    return "" if plain in _NULLS else plain


def read_events(block: Iterable[str]) -> Mapping[str, str] | str:
    """Return what any YAML mapping says, or why it cannot be read."""
    reader = _Reader()
    try:
        for event in YAML(typ="safe", pure=True).parse("".join(f"{line}\n" for line in block)):
            if isinstance(event, DocumentStartEvent):
                reader.documents += 1
            elif isinstance(event, MappingStartEvent | SequenceStartEvent):
                reader.open(is_mapping=isinstance(event, MappingStartEvent))
            elif isinstance(event, MappingEndEvent | SequenceEndEvent):
                reader.close()
            elif isinstance(event, ScalarEvent | AliasEvent):
                reader.take(_text_of(event))
    except (YAMLError, _UnreadableError) as error:
        return _first_line(error)
    except Exception as error:  # noqa: BLE001 - the parser stumbles over hostile blocks in ways that it does not name
        return f"not YAML ({type(error).__name__})"
    return reader.values


def _text_of(event: ScalarEvent | AliasEvent) -> str | None:
    if isinstance(event, AliasEvent):
        return None
    is_null = event.style is None and event.value in _NULLS
    return "" if is_null else str(event.value)


def _first_line(error: Exception) -> str:
    problem = getattr(error, "problem", None) or str(error).partition("\n")[0]
    mark = getattr(error, "problem_mark", None)
    return f"{problem}, line {mark.line + 2}" if mark is not None else str(problem)


class _UnreadableError(Exception):
    """YAML that is well formed and still says nothing that can be relied on."""


class _Level:
    def __init__(self, prefix: str | None, *, is_mapping: bool) -> None:
        self.prefix = prefix
        self.is_mapping = is_mapping
        self.keys: set[str] = set()
        self.key: str | None = None
        self.awaits_key = is_mapping


class _Reader:
    """Keeps the scalars of the two outer mappings, and refuses what has two meanings."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.documents = 0
        self._levels: list[_Level] = []

    def open(self, *, is_mapping: bool) -> None:
        if not self._levels and (not is_mapping or self.documents > 1):
            raise _UnreadableError(_NOT_ONE_MAPPING)
        if len(self._levels) == _DEEPEST:
            message = f"nested deeper than {_DEEPEST}"
            raise _UnreadableError(message)
        prefix: str | None = ""
        if self._levels:
            above = self._levels[-1]
            is_outer_value = above.prefix == "" and above.key is not None
            prefix = f"{above.key}." if is_outer_value else None
            self.take(None)
        self._levels.append(_Level(prefix, is_mapping=is_mapping))

    def close(self) -> None:
        self._levels.pop()

    def take(self, text: str | None) -> None:
        """Take a key or a value; None is anything but a scalar."""
        if not self._levels:
            raise _UnreadableError(_NOT_ONE_MAPPING)
        level = self._levels[-1]
        if not level.is_mapping:
            return
        if level.awaits_key:
            if text in level.keys:
                message = f"the key {text} stands twice"
                raise _UnreadableError(message)
            level.key = text
            if text is not None:
                level.keys.add(text)
        elif level.prefix is not None and level.key is not None and text is not None:
            self.values[level.prefix + level.key] = text
        level.awaits_key = not level.awaits_key
