"""A second, naive opinion on where links lead: markdown-it-py for what is a link, `posixpath` and sets for the rest."""

from __future__ import annotations

import itertools
import posixpath
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from urllib.parse import unquote

from markdown_it.token import Token

from dream.memory.frontmatter import frontmatter_end
from tests.memory.markdown_oracle import ORACLE

_WIKI = re.compile(r"\[\[([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]\]")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:|//", re.IGNORECASE)


@cache
def _parsed(text: str) -> tuple[list[Token], tuple[str, ...]]:
    """Return the tokens of a note's body, and the targets that its definitions give."""
    lines = text.removeprefix("\ufeff").replace("\r", "").split("\n")
    start = frontmatter_end(lines)
    env: dict[str, dict[str, dict[str, str]]] = {}
    tokens = ORACLE.parse("\n".join([*[""] * start, *lines[start:]]), env)
    return tokens, tuple(reference["href"] for reference in env.get("references", {}).values())


def see_slugs(text: str) -> list[str]:
    """Return what the headings of a note are called, those written as HTML apart."""
    tokens = _parsed(text)[0]
    times: Counter[str] = Counter()
    found: list[str] = []
    for token, inline in itertools.pairwise(tokens):
        if token.type != "heading_open":
            continue
        shown = "".join(_shown(child) for child in inline.children or ())
        kept = (
            char for char in shown.lower() if char in "-_ " or unicodedata.category(char)[0] in "LM" or _counts(char)
        )
        first = name = "".join(kept).replace(" ", "-")
        while name in found:
            times[first] += 1
            name = f"{first}-{times[first]}"
        found.append(name)
    return found


def _counts(char: str) -> bool:
    return unicodedata.category(char) in {"Nd", "Nl", "Pc"}


def _shown(token: Token) -> str:
    if token.type in {"softbreak", "hardbreak"}:
        return "\n"
    return token.content if token.type in {"text", "text_special", "code_inline"} else ""


def see_leads(files: Mapping[str, str]) -> Counter[str]:
    """Count the Markdown links of a memory by what they come to: `note` and `anchor` dangle."""
    folders = {"", *(posixpath.dirname(path) for path in files)}
    folders |= {folder.rsplit("/", depth)[0] for folder in folders for depth in range(1, folder.count("/") + 1)}
    return Counter(_lead(path, href, files, folders) for path, text in files.items() for href in _hrefs(text))


def _hrefs(text: str) -> Iterator[str]:
    if "](" not in text and "]:" not in text:
        return
    tokens, defined = _parsed(text)
    waiting = [*tokens]
    used: set[str] = set()
    while waiting:
        token = waiting.pop()
        waiting.extend(token.children or ())
        if token.type == "link_open" and token.markup != "autolink":
            used.add(href := str(token.attrs["href"]))
            yield href
        elif token.type == "image":
            used.add(href := str(token.attrs["src"]))
            yield href
    yield from (href for href in defined if href not in used)


def _lead(path: str, href: str, files: Mapping[str, str], folders: set[str]) -> str:
    if _SCHEME.match(href):
        return "external"
    target, _, anchor = href.partition("#")
    target = unquote(target)
    here = posixpath.dirname(path)
    to = posixpath.normpath(posixpath.join(here, target)).removeprefix("./").lstrip("/") if target else path
    if to.startswith(".."):
        return "external"
    if to.removesuffix("/") in folders or to == ".":
        return "folder"
    if to not in files:
        return "note"
    return "leads" if not anchor or anchor in see_slugs(files[to]) else "anchor"


def see_wiki(text: str) -> list[str]:
    """Return what `[[…]]` names in the text of a note, code apart."""
    inline = [token for token in _parsed(text)[0] if token.type == "inline"]
    texts = ("".join(child.content if child.type == "text" else "\0" for child in one.children or ()) for one in inline)
    return [match[1] for shown in texts for match in _WIKI.finditer(shown)]
