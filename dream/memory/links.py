"""Links between notes, in both syntaxes: where they stand, what they point at, and how to point them elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Collection


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link on line `line` of a text, from column `start` up to `end`."""

    line: int
    start: int
    end: int
    target: str
    anchor: str
    kind: Literal["markdown", "wiki"]
    text: str
    target_start: int
    target_end: int
    image: bool = False


_LINK = re.compile(r"(!?)\[([^\[\]]*)\]\(<?([^()\s<>]*)>?(?:\s[^()]*)?\)")
_WIKI = re.compile(r"(!?)\[\[([^\[\]|#]+)(#[^\[\]|]*)?(?:\|([^\[\]]*))?\]\]")


def scan_links(text: str) -> tuple[Link, ...]:
    """Return the links of `text` in order."""
    found = []
    for number, line in enumerate(text.split("\n")):
        for match in _LINK.finditer(line):
            target, _, anchor = match[3].partition("#")
            found.append(
                Link(
                    line=number,
                    start=match.start(),
                    end=match.end(),
                    target=target,
                    anchor=anchor,
                    kind="markdown",
                    text=match[2],
                    target_start=match.start(3),
                    target_end=match.start(3) + len(target),
                    image=bool(match[1]),
                )
            )
        for match in _WIKI.finditer(line):
            found.append(
                Link(
                    line=number,
                    start=match.start(),
                    end=match.end(),
                    target=match[2],
                    anchor=(match[3] or "")[1:],
                    kind="wiki",
                    text=match[4] or match[2],
                    target_start=match.start(2),
                    target_end=match.end(2),
                    image=bool(match[1]),
                )
            )
    return tuple(found)


def is_external(link: Link) -> bool:
    """Whether `link` leaves the memory: it has a scheme or a host."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]+:|//", link.target) is not None


def resolve(path: str, link: Link, paths: Collection[str]) -> str | None:
    """Return the path in the memory that `link` in the note at `path` points at, or None."""
    if is_external(link):
        return None
    if not link.target:
        return path
    if link.kind == "wiki":
        named = [p for p in paths if p.rpartition("/")[2] == f"{link.target}.md"]
        return named[0] if len(named) == 1 else None
    target = unquote(link.target)
    base = [] if target.startswith("/") else path.split("/")[:-1]
    for part in target.split("/"):
        if part == "..":
            if not base:
                return None
            base.pop()
        elif part not in {"", "."}:
            base.append(part)
    resolved = "/".join(base)
    return resolved if resolved in paths and not target.endswith("/") else None


def retarget(line: str, link: Link, target: str) -> str:
    """Return `line` with `link` pointing at `target`."""
    return line[: link.target_start] + target + line[link.target_end :]
