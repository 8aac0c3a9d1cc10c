"""What a note names of a code repository: paths, commands and links, with the lines they stand on; for opened notes.

Paths come from code spans, from prose and from the shell lines of fences, commands from code spans and shell lines,
links are those that stay in the memory. What counts is said in `dream.memory.repopaths`: nothing with a blank, a glob,
a placeholder (`<x>`, `{x}`, `...`, `$X`), `~`, `..`, a backslash, a scheme or a host, or that begins with `/` or `@`.
What a pinned check asks is its probe's to read, and names nothing here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from markdown_it import MarkdownIt

from dream.memory.frontmatter import frontmatter_end
from dream.memory.links.notation import Link, is_external, scan_links
from dream.memory.pinned import check_lines
from dream.memory.repopaths import commands_in, path_in_code, path_in_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A name on line `line` (from 0) of a text, as it is looked up; a path is part of that line as it stands there.

    A symbol is what code calls something; `find_references` leaves those to whoever can ask about them.
    """

    kind: Literal["path", "command", "link", "symbol"]
    text: str
    line: int
    link: Link | None = None


_SHELLS = frozenset({"", "sh", "bash", "shell", "zsh", "console", "shell-session", "terminal"})
_LONE_RETURN = re.compile(r"\r(?!\n)")


def find_references(text: str) -> tuple[Reference, ...]:
    """Return what `text` names, by line, each name once a line."""
    lines = text.removeprefix("\ufeff").split("\n")
    start = frontmatter_end(lines)
    body = _LONE_RETURN.sub(" ", "\n".join([*[""] * start, *lines[start:]]))
    found = [
        Reference(kind="link", text=link.target, line=link.line, link=link)
        for link in scan_links(text)
        if link.target and not is_external(link)
    ]
    for token in MarkdownIt("commonmark").enable("table").parse(body):
        found.extend(_in_token(token))
    checks = check_lines(lines) if "heck" in text else frozenset()
    told = (reference for reference in dict.fromkeys(found) if reference.line not in checks)
    return tuple(sorted(told, key=lambda reference: reference.line))


def _in_token(token: Token) -> Iterator[Reference]:
    if token.map is None:
        return
    if token.type == "inline":
        yield from _in_inline(token, token.map[0])
    elif token.type == "fence" and token.info.partition(" ")[0].strip().lower() in _SHELLS:
        for number, line in enumerate(token.content.split("\n")):
            yield from _in_shell(line, token.map[0] + 1 + number)


def _in_inline(token: Token, line: int) -> Iterator[Reference]:
    at = links = 0
    for child in token.children or ():
        links += child.nesting if child.type in {"link_open", "link_close"} else 0
        if child.type not in {"code_inline", "text"} or not child.content:
            continue
        place = token.content.find(child.content, at)
        if place >= 0:
            line += token.content.count("\n", at, place)
            at = place
        if child.type == "code_inline":
            yield from _in_code(child.content.strip(), line)
        elif not links:
            yield from _paths(child.content, line)


def _in_code(content: str, line: int) -> Iterator[Reference]:
    path = path_in_code(content)
    if path:
        yield Reference(kind="path", text=path, line=line)
    elif " " in content:
        yield from _in_shell(content, line)


def _in_shell(content: str, line: int) -> Iterator[Reference]:
    yield from (Reference(kind="command", text=command, line=line) for command in commands_in(content))
    yield from _paths(content, line)


def _paths(content: str, line: int) -> Iterator[Reference]:
    paths = (path_in_text(word) for word in content.split())
    yield from (Reference(kind="path", text=path, line=line) for path in paths if path)
