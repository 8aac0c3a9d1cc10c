"""What a path in a memory is for, and which paths the night may make."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

INDEX = "MEMORY.md"
FIVE_INDEX = "index.md"
"""The index of a memory of five files; beside `MEMORY.md` a page of links that people keep."""
CATALOG = "CATALOG.md"
FLOW_FOLDER = ".dream/"
"""What is under it is the flow's alone."""

_SEGMENT = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_DEVICES = frozenset({"con", "prn", "aux", "nul"}) | {f"{port}{n}" for port in ("com", "lpt") for n in range(10)}
_MOST_SEGMENTS = 4
_LONGEST = 200


class Kind(StrEnum):
    """What a file is for; everything that is decided by place is decided on this."""

    INDEX = auto()
    CATALOG = auto()
    DAILY = auto()
    PREFERENCE = auto()
    LEARNING = auto()
    ARCHIVE = auto()
    DOT = auto()
    TOPIC = auto()
    ASSET = auto()


HOLDING = frozenset({Kind.DAILY, Kind.PREFERENCE, Kind.LEARNING})
"""What links from these lead to stays where it is, since no task may mend such a link."""

_FOLDERS = {
    "CATALOG": Kind.CATALOG,
    "daily": Kind.DAILY,
    "preferences": Kind.PREFERENCE,
    "learnings": Kind.LEARNING,
    "archive": Kind.ARCHIVE,
}


def kind_of(path: str) -> Kind:
    """Return what `path` (relative to the memory, with `/`) is for.

    Anything with a dot-name on its way is DOT, whatever its ending; else what is not `.md` is ASSET. Only the root
    has an index, and only folders at the root have a meaning. `index.md` at the root is an INDEX in every layout: a
    path says nothing of what stands beside it, and no task may take a page of links for statements.
    """
    if path[:1] == "." or "/." in path:
        return Kind.DOT
    if path[-3:].lower() != ".md":
        return Kind.ASSET
    if path in {INDEX, FIVE_INDEX}:
        return Kind.INDEX
    if path == CATALOG:
        return Kind.CATALOG
    folder, slash, _ = path.partition("/")
    return _FOLDERS.get(folder, Kind.TOPIC) if slash else Kind.TOPIC


def is_topic(path: str) -> bool:
    """Whether `path` is a topic note: the one answer for selection, loss, ownership and catalog."""
    return kind_of(path) is Kind.TOPIC


def folders_of(path: str) -> Iterator[str]:
    """Yield every folder that `path` is in, the nearest first, the root left out."""
    end = path.rfind("/")
    while end > 0:
        yield path[:end]
        end = path.rfind("/", 0, end)


def is_creatable(path: str) -> bool:
    """Whether the night may make `path`; existing paths, however odd, are never asked about.

    Lower-case ASCII names, at most four deep and 200 characters, `.md`, no Windows device, nothing that starts with
    or (a folder) ends in a dot. `MEMORY.md`, `CATALOG.md`, pages under `CATALOG/` and `learnings/<name>/SKILL.md` are
    the named exceptions.
    """
    if path in {INDEX, CATALOG}:
        return True
    segments = path.split("/")
    if len(path) > _LONGEST or len(segments) > _MOST_SEGMENTS:
        return False
    if len(segments) > 1 and segments[0] == "CATALOG":
        segments = segments[1:]
    elif len(segments) == 3 and segments[0] == "learnings" and segments[2] == "SKILL.md":  # noqa: PLR2004
        segments = [*segments[:2], "skill.md"]
    *folders, name = segments
    return name.endswith(".md") and name != ".md" and all(map(_is_plain, segments)) and not any(map(_misleads, folders))


def _is_plain(segment: str) -> bool:
    return _SEGMENT.fullmatch(segment) is not None and segment.partition(".")[0] not in _DEVICES


def _misleads(folder: str) -> bool:
    return folder.endswith((".", ".md"))


def collisions(paths: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the paths that some file systems take for one, grouped by their form with case and Unicode form folded."""
    groups: dict[str, list[str]] = {}
    for path in paths:
        groups.setdefault(fold(path), []).append(path)
    return {form: tuple(sorted(group)) for form, group in groups.items() if len(group) > 1}


def fold(path: str) -> str:
    """Return the form in which two paths are equal on a file system that ignores case and Unicode form."""
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
