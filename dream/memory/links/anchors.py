"""What inside a note a link can lead to: its headings, the places that are named in it, its blocks and its lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import unquote

from dream.memory.frontmatter import frontmatter_end
from dream.memory.links.slugs import heading_text, slug, slugs
from dream.memory.scan import Block, Shape, scan

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading on line `line`, whose section ends before line `end`; `slug` is what GitHub calls it."""

    line: int
    body: int
    end: int
    level: int
    text: str
    slug: str


@dataclass(frozen=True, kw_only=True)
class Anchors:
    """What a link into one note can name; `named` are places with a name of their own, each with its line.

    `line_count` is the number of its lines.
    """

    headings: tuple[Heading, ...]
    named: Mapping[str, int]
    line_count: int

    def find(self, anchor: str, *, is_wiki: bool = False) -> int | None:
        """Return the line that `anchor` (without `#`) leads to, None where there is nothing that it can mean.

        Exactly, else without regard to case and percent-encoding, else as Obsidian has it: a heading's text, also with
        those above it (`A#B`); out of a `[[link]]` always, elsewhere where it has a blank. `#top` is found in every
        note, lines (`L10`, `L10-L12`) where there are so many.
        """
        if not anchor or anchor.lower() == "top":
            return 0
        by_slug = self._by_slug
        for spelling in dict.fromkeys((anchor, unquote(anchor), unquote(anchor).lower())):
            plain = spelling.removeprefix("user-content-")
            for name in (spelling, plain):
                if name in self.named:
                    return self.named[name]
                if name in by_slug:
                    return by_slug[name]
        lines = _LINES.fullmatch(anchor)
        if lines:
            last = max(int(lines[1]), int(lines[2] or 0))
            return int(lines[1]) - 1 if int(lines[1]) > 0 and last <= self.line_count else None
        decoded = unquote(anchor)
        return self._by_text(decoded) if is_wiki or " " in decoded else None

    def heading(self, anchor: str, *, is_wiki: bool = False) -> Heading | None:
        """Return the heading that `anchor` leads to; None where it leads to none or to something else."""
        line = self.find(anchor, is_wiki=is_wiki)
        is_line = anchor and _LINES.fullmatch(anchor)
        return None if is_line else next((one for one in self.headings if one.line == line), None)

    @property
    def names(self) -> frozenset[str]:
        """Everything that an anchor can be, slugs and named places."""
        return frozenset({*self._by_slug, *self.named})

    @cached_property
    def _by_slug(self) -> Mapping[str, int]:
        return {heading.slug: heading.line for heading in reversed(self.headings)}

    @cached_property
    def _texts(self) -> Mapping[str, Sequence[Heading]]:
        found: dict[str, list[Heading]] = {}
        for heading in self.headings:
            found.setdefault(_loose(heading.text), []).append(heading)
        return found

    def _by_text(self, written: str) -> int | None:
        parts = [_loose(part) for part in written.split("#")]
        if not all(parts):
            return None
        for heading in self._texts.get(parts[-1], ()):
            if not parts[:-1]:
                return heading.line
            above = [_loose(one.text) for one in self.headings if one.line < heading.line < one.end]
            if _in_order(parts[:-1], above):
                return heading.line
        return None


_LINES = re.compile(r"L([0-9]{1,7})(?:C[0-9]{1,5})?(?:-L?([0-9]{1,7})(?:C[0-9]{1,5})?)?")
_ID = re.compile(r"<(?!/)[A-Za-z][^<>]*?\s(?:id|ID)\s*=\s*(?:\"([^\"<>]+)\"|'([^'<>]+)'|([^\s\"'<>=`]+))[^<>]*>")
_NAME = re.compile(r"<[Aa]\s[^<>]*?\bname\s*=\s*(?:\"([^\"<>]+)\"|'([^'<>]+)'|([^\s\"'<>=`]+))[^<>]*>")
_HTML_HEADING = re.compile(r"<h([1-6])(?:\s[^<>]*)?>(.*?)</h\1\s*>", re.IGNORECASE | re.DOTALL)
_CUSTOM = re.compile(r"(?<!\s)\s*+\{#([^\s{}]+)\}\s*+\Z")
_BLOCK_ID = re.compile(r"(?:\A|\s)(\^[A-Za-z0-9-]+)\s*\Z")
_ATX = re.compile(r"[\s>]*(?:(?:[-+*]|[0-9]{1,9}[.)])[ \t]++)*(#{1,6})(?:[ \t]+(.*?))?\s*\Z", re.DOTALL)
_CLOSING = re.compile(r"(?:(?<=\s)|\A)#+\s*\Z")
_TICKS = re.compile(r"(?<!`)(`++).*?(?<!`)\1(?!`)", re.DOTALL)
_HIDDEN = frozenset({Shape.FENCE, Shape.CODE, Shape.COMMENT})
_NESTED = frozenset({Shape.ITEM, Shape.QUOTE})
_MAY_NAME = re.compile(r"[#<^]|^ {0,3}(?:=+|-+)\s*$", re.MULTILINE)


def find_anchors(text: str) -> Anchors:
    """Return what can be linked to in `text`; what is in code or in a comment is none."""
    lines = text.split("\n")
    if not _MAY_NAME.search(text):
        return Anchors(headings=(), named={}, line_count=len(lines))
    bare = [lines[0].removeprefix("\ufeff"), *lines[1:]]
    found = scan(bare, frontmatter_end(bare))
    written = [one for block in found.blocks for one in _headings_in(bare, block, found.verbatim)]
    texts = [heading_text(one.written) for one in written]
    headings = tuple(
        Heading(
            line=one.line,
            body=one.body,
            end=_end(written, number, len(lines)),
            level=one.level,
            text=_CUSTOM.sub("", text),
            slug=name,
        )
        for number, (one, text, name) in enumerate(zip(written, texts, slugs(texts), strict=True))
    )
    named: dict[str, int] = {}
    for heading, heading_as_shown in zip(headings, texts, strict=True):
        custom = _CUSTOM.search(heading_as_shown)
        if custom:
            named.setdefault(custom[1], heading.line)
            named.setdefault(slug(heading.text), heading.line)
    for block in found.blocks:
        if block.shape not in _HIDDEN:
            for line, name in _named_in(bare, block, found.verbatim):
                named.setdefault(name, line)
    return Anchors(headings=headings, named=named, line_count=len(lines))


@dataclass(frozen=True, slots=True)
class _Written:
    line: int
    body: int
    level: int
    written: str
    until: int | None = None


def _headings_in(lines: Sequence[str], block: Block, verbatim: Collection[int]) -> Iterator[_Written]:
    if block.shape is Shape.HEADING:
        match = _ATX.fullmatch(lines[block.start]) if block.end == block.start + 1 else None
        text = (
            (match[2] or "") if match else "\n".join(line.rstrip("\r") for line in lines[block.start : block.end - 1])
        )
        yield _Written(block.start, block.end, block.level, _CLOSING.sub("", text) if match else text)
    elif block.shape in _NESTED:
        for number in range(block.start, block.end):
            match = _ATX.fullmatch(lines[number]) if number not in verbatim and "#" in lines[number] else None
            if match:
                text = _CLOSING.sub("", match[2] or "")
                yield _Written(number, number + 1, len(match[1]), text, until=block.end)
    elif block.shape is Shape.HTML:
        whole = "\n".join(lines[block.start : block.end])
        for match in _HTML_HEADING.finditer(whole):
            at = block.start + whole.count("\n", 0, match.start())
            yield _Written(at, at + 1 + match[0].count("\n"), int(match[1]), match[2])


def _end(written: Sequence[_Written], number: int, line_count: int) -> int:
    """Return where a section ends; a heading in an item or a quotation ends none but those beside it."""
    level, until = written[number].level, written[number].until
    others = (one.line for one in written[number + 1 :] if one.level <= level and one.until in {None, until})
    return min(next(others, line_count), until or line_count)


def _named_in(lines: Sequence[str], block: Block, verbatim: Collection[int]) -> Iterator[tuple[int, str]]:
    for number in range(block.start, block.end):
        line = lines[number]
        if number in verbatim and block.shape in _NESTED and "<" not in line:
            continue
        if "<" in line:
            shown = _TICKS.sub("", line)
            for pattern in (_ID, _NAME):
                yield from ((number, next(filter(None, match.groups()))) for match in pattern.finditer(shown))
        if "^" in line and block.shape is not Shape.HTML:
            reference = _BLOCK_ID.search(line)
            if reference:
                yield number, reference[1]


def _loose(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _in_order(wanted: Sequence[str], above: Sequence[str]) -> bool:
    left = iter(above)
    return all(part in left for part in wanted)
