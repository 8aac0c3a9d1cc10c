"""I9: no night leaves a link that leads nowhere in what it wrote, nor takes away what a link led to.

A naive second opinion that knows nothing of the product: markdown-it-py says what a link is, `posixpath` where it
leads, and headings are called what a few lines here call them.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bench.nights.accounts import Violation

_WIKI = re.compile(r"\[\[([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]\]")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:|//", re.IGNORECASE)
_BLOCK = re.compile(r"(?:^|\s)(\^[\w-]+)\s*$", re.MULTILINE)
_ID = re.compile(r"\b(?:id|name)\s*=\s*[\"']?([^\s\"'<>]+)")
_FRONT = re.compile(r"\ufeff?---\n.*?\n(?:---|\.\.\.)(?:\n|\Z)", re.DOTALL)
_NAME = re.compile(r"^name:\s*[\"']?(.*?)[\"']?\s*$", re.MULTILINE)
_OF_WHAT_WAS = ("archive/", ".dream/")


@dataclass(frozen=True, slots=True)
class _Page:
    """What a naive reader sees of a note: its links, what can be named in it, and what it calls itself."""

    links: tuple[str, ...]
    anchors: frozenset[str]
    name: str


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802, ARG002
        return True


_MARKDOWN = _Parser("commonmark").enable("table")


@dataclass(kw_only=True)
class Leads:
    """Reads notes once, by their bytes, and compares what leads nowhere before and after a night."""

    pages: dict[bytes, _Page] = field(default_factory=dict)

    def after(
        self, before: Mapping[str, bytes], after: Mapping[str, bytes], record: Mapping[str, Any]
    ) -> Iterator[Violation]:
        """Yield what dangles in `after` (files by path) and did not in `before`, one that moved with its note apart."""
        was, now = self.dangling(before), self.dangling(after)
        gone = [path for effect in record.get("effects", ()) for path in effect.get("deleted", {})]
        carried = sum((was.get(path, Counter()) for path in gone), Counter[str]())
        for path, links in now.items():
            more = links - was.get(path, Counter()) - carried
            if more:
                yield Violation("I9", f"{sum(more.values())} links of {path} lead nowhere since this night")

    def dangling(self, files: Mapping[str, bytes]) -> dict[str, Counter[str]]:
        """Return the links that lead nowhere, by the path of the note that they stand in."""
        notes = {
            path: self._page(data)
            for path, data in files.items()
            if path.lower().endswith(".md") and not path.startswith(_OF_WHAT_WAS)
        }
        names: dict[str, list[str]] = {}
        for path in files:
            page = notes.get(path)
            for name in (posixpath.basename(path), page.name if page else ""):
                names.setdefault(_loose(name), []).append(path)
        found = {
            path: Counter(link for link in page.links if not _leads(path, link, files, notes, names))
            for path, page in notes.items()
        }
        return {path: links for path, links in found.items() if links}

    def _page(self, data: bytes) -> _Page:
        if data not in self.pages:
            self.pages[data] = _read(data)
        return self.pages[data]


def _read(data: bytes) -> _Page:
    text = data.decode("utf-8", "replace").replace("\r", "")
    front = _FRONT.match(text)
    name = _NAME.search(front[0]) if front else None
    body = text[front.end() :] if front else text
    tokens = _MARKDOWN.parse(body)
    links: list[str] = []
    anchors: set[str] = set(_BLOCK.findall(body)) | set(_ID.findall(body))
    times: Counter[str] = Counter()
    for at, token in enumerate(tokens):
        if token.type == "inline":
            shown = "".join(child.content if child.type == "text" else "\0" for child in token.children or ())
            links += [f"[[{target}]]" for target in _WIKI.findall(shown)]
            links += list(_targets(token))
        if token.type == "heading_open":
            slug = _slug("".join(child.content for child in tokens[at + 1].children or () if child.content))
            anchors.add(f"{slug}-{times[slug]}" if times[slug] else slug)
            times[slug] += 1
    return _Page(tuple(links), frozenset(anchors), name[1] if name else "")


def _targets(token: Token) -> Iterator[str]:
    for child in token.children or ():
        if child.type == "link_open" and child.markup != "autolink":
            yield str(child.attrs["href"])
        elif child.type == "image":
            yield str(child.attrs["src"])


def _slug(text: str) -> str:
    kept = (char for char in text.lower() if char in " -_" or unicodedata.category(char)[:1] in "LMN")
    return "".join(kept).replace(" ", "-")


def _loose(name: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFC", name).casefold().removesuffix(".md"))


def _leads(
    path: str, link: str, files: Mapping[str, bytes], notes: Mapping[str, _Page], names: Mapping[str, list[str]]
) -> bool:
    is_wiki = link.startswith("[[")
    target, _, anchor = link.strip("[]").partition("#") if is_wiki else link.partition("#")
    if not is_wiki and _SCHEME.match(link):
        return True
    if not target:
        found = [path]
    elif is_wiki:
        found = names.get(_loose(posixpath.basename(target)), [])
    else:
        to = posixpath.normpath(posixpath.join("/" + posixpath.dirname(path), unquote(target))).lstrip("/")
        found = [to] if to in files else []
        if not found:
            return not to or any(other.startswith(f"{to}/") for other in files) or _is_outside(path, unquote(target))
    return bool(found) and (not anchor or any(_names(notes.get(one), unquote(anchor)) for one in found))


def _is_outside(path: str, target: str) -> bool:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target)).startswith("..")


def _names(page: _Page | None, anchor: str) -> bool:
    if page is None or re.fullmatch(r"L\d.*|top", anchor):
        return True
    last = anchor.rpartition("#")[2]
    return any(_loose(last) == _loose(one) for one in page.anchors) or last in page.anchors
