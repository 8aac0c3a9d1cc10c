"""Links between notes, in both syntaxes: where they stand, what they point at, and how to point them elsewhere."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from dream.memory.frontmatter import frontmatter_end
from dream.memory.lines import DEFINITION
from dream.memory.links.inline import Found, find_links
from dream.memory.links.link import Link
from dream.memory.links.resolving import PathLookup, candidates, is_external, loose_name, resolve, target_to
from dream.memory.scan import Shape, scan

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from dream.memory.scan import Block

__all__ = [
    "Link",
    "PathLookup",
    "candidates",
    "is_external",
    "loose_name",
    "names_linked_to",
    "resolve",
    "retarget",
    "scan_links",
    "target_to",
]


class _Run(NamedTuple):
    """Inline text as it stands, from `column` of `line` on."""

    line: int
    column: int
    text: str


_TARGETS = re.compile(r"(?:\]\(\s{0,4}<?|\]:\s{0,4}<?|\[\[)([^)\]>|#\n\"]{1,300})")
_MAY_LINK = re.compile(r"\]\(|\[\[|\]:")
_BEGINS_RUN = re.compile(r"[\s>]*(?:[-+*]|[0-9]{1,9}[.)]|#{1,6})(?:\s|\Z)")
_SAYS_NOTHING = re.compile(r"[\s>]*\Z")
_BREAK = re.compile(r"\n")
_PIPE = re.compile(r"(?<!\\)\|")
_BREAKS_TARGET = re.compile(r"[\s()<>\x00-\x1f\x7f]")


def scan_links(text: str) -> tuple[Link, ...]:
    """Return the links of `text` in order; what is in code, in HTML or in a comment is none."""
    if not _MAY_LINK.search(text):
        return ()
    lines = text.split("\n")
    bare = [lines[0].removeprefix("\ufeff"), *lines[1:]]
    found = scan(bare, frontmatter_end(bare))
    links: list[Link] = []
    for block in found.blocks:
        if block.shape is Shape.DEFINITION:
            links.extend(_definitions(lines, block))
        elif block.shape in _RUNS:
            for run in _RUNS[block.shape](lines, block, found.verbatim):
                links.extend(_placed(run, find_links(run.text)))
    return tuple(links)


def names_linked_to(text: str) -> frozenset[str]:
    """Return the loose names of what `text` may link to, and some too many, without reading it as Markdown."""
    targets = _TARGETS.findall(text) if _MAY_LINK.search(text) else ()
    return frozenset(loose_name(part) for target in targets for part in (target, *target.split()[:1]))


def _whole(lines: Sequence[str], block: Block, _: Collection[int]) -> Iterator[_Run]:
    yield _Run(block.start, 0, "\n".join(lines[block.start : block.end]))


def _rows(lines: Sequence[str], block: Block, _: Collection[int]) -> Iterator[_Run]:
    """Yield the cells of a table: nothing inline goes from one to the next."""
    for number in range(block.start, block.end):
        column = 0
        for cell in _PIPE.split(lines[number]):
            yield _Run(number, column, cell)
            column += len(cell) + 1


def _nested(lines: Sequence[str], block: Block, verbatim: Collection[int]) -> Iterator[_Run]:
    """Yield what is inline in an item or a quotation; a run ends at blanks, at code, where something nested begins."""
    first = block.start
    for number in range(block.start, block.end):
        ends = number in verbatim or _SAYS_NOTHING.match(lines[number]) is not None
        if number > first and (ends or _BEGINS_RUN.match(lines[number])):
            yield _Run(first, 0, "\n".join(lines[first:number]))
            first = number
        if ends:
            first = number + 1
    if first < block.end:
        yield _Run(first, 0, "\n".join(lines[first : block.end]))


_RUNS: Mapping[Shape, Callable[[Sequence[str], Block, Collection[int]], Iterator[_Run]]] = {
    Shape.PARAGRAPH: _whole,
    Shape.HEADING: _whole,
    Shape.TABLE: _rows,
    Shape.ITEM: _nested,
    Shape.QUOTE: _nested,
}


def _definitions(lines: Sequence[str], block: Block) -> Iterator[Link]:
    for number in range(block.start, block.end):
        match = DEFINITION.match(lines[number].rstrip(" \r"))
        if match is None:
            continue
        start, end = match.span("target")
        if match["target"].startswith("<"):
            start, end = start + 1, end - 1
        label = match.start("label") - 1
        target = Found(label, match.end(), start, end, match["label"], is_wiki=False, is_image=False)
        yield from _placed(_Run(number, 0, lines[number]), [target])


def _placed(run: _Run, found: Sequence[Found]) -> Iterator[Link]:
    breaks = [match.start() for match in _BREAK.finditer(run.text)] if found else []
    return (_link(run, one, breaks) for one in found)


def _link(run: _Run, found: Found, breaks: Sequence[int]) -> Link:
    """Return a link where it stands in the note; `breaks` are where the lines of `run` end."""
    before = bisect_left(breaks, found.target_start)
    line_start = breaks[before - 1] + 1 if before else 0
    shift = run.column - line_start if not before else -line_start
    end = min(found.end, breaks[before]) if before < len(breaks) else found.end
    written = run.text[found.target_start : found.target_end]
    target, _, anchor = written.partition("#")
    return Link(
        line=run.line + before,
        start=max(found.start, line_start) + shift,
        end=end + shift,
        target=target,
        anchor=anchor,
        kind="wiki" if found.is_wiki else "markdown",
        text=found.text,
        target_start=found.target_start + shift,
        target_end=found.target_start + len(target) + shift,
        image=found.is_image,
    )


def retarget(line: str, link: Link, target: str, *, anchor: str | None = None) -> str:
    """Return `line`, the one that `link` stands on, with `link` pointing at `target`; `anchor` None keeps the anchor.

    Only those characters change. `target` is as it is to be written (`target_to` gives that); characters that would
    end it early are percent-encoded. `anchor` is a slug, or the text of a heading in a `[[link]]`.
    """
    end = link.target_end
    if anchor is not None:
        end += len(link.anchor) + line.startswith("#", end)
        anchor = f"#{anchor}" if anchor else ""
    if link.kind == "markdown" and target != link.target:
        target = _BREAKS_TARGET.sub(lambda match: quote(match[0]), target)
    return line[: link.target_start] + target + (anchor or "") + line[end:]
