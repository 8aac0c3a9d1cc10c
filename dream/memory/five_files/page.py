"""`index.md` of a memory of five files as it stands: which of its lines point at what, and in which section."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from itertools import pairwise
from urllib.parse import unquote

from dream.memory.frontmatter import frontmatter_end
from dream.memory.lines import flat
from dream.memory.links.anchors import Anchors
from dream.memory.links.notation import Link, PathLookup, is_external, resolve, scan_links
from dream.memory.listing.page import LABEL_ENDS, goes_on, page_bytes
from dream.memory.paths import CATALOG, FIVE_INDEX
from dream.memory.scan import Block, Shape, scan

_MARKER = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_PLAIN = re.compile(r"(?<![\w./#%-])(?:\./)?((?:[\w.-]++/)*[\w.-]+\.md)(#[\w-]+)?(?![\w/#]|\.\w)")
_READ = frozenset({Shape.ITEM, Shape.TABLE, Shape.PARAGRAPH, Shape.QUOTE})


class Form(Enum):
    """How a line writes where it points: as a link, in a code span, or as it is."""

    LINK = auto()
    CODE = auto()
    PLAIN = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """What columns `start` to `end` of a line point at: the note or folder at `path`, empty where there is none.

    `written` is the target as it stands, without its anchor; `link` is there where it is a link.
    """

    path: str
    anchor: str
    start: int
    end: int
    form: Form
    written: str
    link: Link | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FiveLine:
    """One line as it stands, without its line feed.

    An item of a list or a row of a table that points at one place, a label before and words after, with nothing
    under it, is `loose`: the night's to drop. `heading` is the text of the heading that the line is, `cells` are the
    columns where the cells of a row begin and end.
    """

    text: str
    pointers: tuple[Pointer, ...] = ()
    marker: str = ""
    cells: tuple[tuple[int, int], ...] = ()
    heading: str = ""
    is_loose: bool = False

    @property
    def pointer(self) -> Pointer:
        """What a loose line points at."""
        return self.pointers[0]

    @property
    def end(self) -> str:
        """What stands before its line feed that is no part of it."""
        return "\r" * self.text.endswith("\r")


@dataclass(frozen=True, slots=True, kw_only=True)
class FivePage:
    """The lines of the page, and the blocks that they form; `data` of what was read is what was read."""

    lines: tuple[FiveLine, ...] = ()
    blocks: tuple[Block, ...] = ()
    mark: str = ""
    newline: str = "\n"
    is_ended: bool = True

    @property
    def data(self) -> bytes:
        """The bytes of the page."""
        return page_bytes([line.text for line in self.lines], mark=self.mark, is_ended=self.is_ended)

    @property
    def end(self) -> str:
        """What stands before the line feed that ends a line, in the page's habit."""
        return self.newline[:-1]

    def with_lines(self, lines: Sequence[FiveLine]) -> FivePage:
        """Return the page with other lines, as it is before it is read anew; it ends in a line feed."""
        return replace(self, lines=tuple(lines), is_ended=self.is_ended or lines[-1:] != self.lines[-1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class FiveAround:
    """What the page's pointers are resolved in: `paths` and `folders` that there are, and where notes have moved to.

    `anchors` are those of the notes that have any.
    """

    paths: PathLookup
    folders: Mapping[str, bool] = field(default_factory=dict)
    renames: Mapping[str, str] = field(default_factory=dict)
    anchors: Mapping[str, Anchors] = field(default_factory=dict)

    def moved(self, pointer: Pointer) -> str:
        """Return where the note that a pointer names has moved to, or nothing."""
        if pointer.path:
            return ""
        old = _normal(pointer.written)
        new = self.renames.get(old, "")
        return new if new in self.paths else ""

    def line_of(self, path: str, anchor: str) -> int | None:
        """Return the line of the note at `path` that `anchor` leads to; None where it leads nowhere."""
        known = self.anchors.get(path)
        return 0 if known is None or not anchor else known.find(anchor)


def read_five(data: bytes, around: FiveAround) -> FivePage:
    """Return the page in `data`, which is UTF-8."""
    text = data.decode()
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body = text[len(mark) :]
    raw = body.removesuffix("\n").split("\n") if body else []
    blocks = scan(raw, frontmatter_end(raw))
    links: dict[int, list[Link]] = {}
    for link in scan_links(body):
        links.setdefault(link.line, []).append(link)
    shapes = {number: block for block in blocks.blocks for number in range(block.start, block.end)}
    plain = flat(raw)
    lines = []
    for number, line in enumerate(raw):
        block = shapes.get(number)
        if block is None or number in blocks.verbatim or block.shape not in {*_READ, Shape.HEADING}:
            lines.append(FiveLine(text=line))
        elif block.shape is Shape.HEADING:
            lines.append(FiveLine(text=line, heading=line.strip(" #\t\r") if number == block.start else ""))
        else:
            pointers = tuple(_pointers(line, links.get(number, ()), around))
            lines.append(_line(line, pointers, block, number, is_continued=bool(pointers) and goes_on(plain, number)))
    newline = "\r\n" if 2 * body.count("\r\n") > body.count("\n") else "\n"
    return FivePage(
        lines=tuple(lines), blocks=blocks.blocks, mark=mark, newline=newline, is_ended=not body or body.endswith("\n")
    )


def _line(line: str, pointers: tuple[Pointer, ...], block: Block, number: int, *, is_continued: bool) -> FiveLine:
    marker = _MARKER.match(line) if block.shape is Shape.ITEM else None
    is_row = block.shape is Shape.TABLE and number > block.start + 1
    is_alone = len(pointers) == 1 and pointers[0].path not in {FIVE_INDEX, CATALOG} and pointers[0].path[-1:] != "/"
    if is_row:
        return FiveLine(text=line, pointers=pointers, cells=_cells(line), is_loose=is_alone)
    leads = marker is not None and is_alone and _leads(line[marker.end() : pointers[0].start], pointers[0])
    return FiveLine(
        text=line, pointers=pointers, marker=marker[0] if marker else "", is_loose=leads and not is_continued
    )


def _leads(before: str, pointer: Pointer) -> bool:
    """Whether what stands before a pointer is its label, at whatever length."""
    if pointer.form is Form.CODE:
        before = before.rstrip("`")
    return not any(map(str.isalnum, before)) or before.rstrip(" \t*_[(`").endswith(tuple(LABEL_ENDS))


def _cells(line: str) -> tuple[tuple[int, int], ...]:
    bars = [match.start() for match in re.finditer(r"(?<!\\)\|", line)]
    if not line.lstrip().startswith("|"):
        bars.insert(0, -1)
    if not line.rstrip().endswith("|"):
        bars.append(len(line.rstrip("\r")))
    return tuple((start + 1, end) for start, end in pairwise(bars))


def _pointers(line: str, links: Sequence[Link], around: FiveAround) -> Iterator[Pointer]:
    """Yield what a line points at inside the memory, in order."""
    found = []
    for link in links:
        if is_external(link) or link.image or not link.target:
            continue
        name = _normal(link.target)
        path = (f"{name}/" if around.folders.get(name) else "") or resolve(FIVE_INDEX, link, around.paths) or ""
        if path[-3:].lower() == ".md" or path.endswith("/") or (not path and _names_a_note(link, name, around)):
            found.append(
                Pointer(
                    path=path,
                    anchor=link.anchor,
                    start=link.start,
                    end=link.end,
                    form=Form.LINK,
                    written=link.target,
                    link=link,
                )
            )
    taken = [(link.start, link.end) for link in links]
    found += [
        one
        for one in _written_out(line, around)
        if not any(one.start < end and start < one.end for start, end in taken)
    ]
    return iter(sorted(found, key=lambda one: one.start))


def _names_a_note(link: Link, name: str, around: FiveAround) -> bool:
    return link.kind == "wiki" or name[-3:].lower() == ".md" or name in around.folders


def _written_out(line: str, around: FiveAround) -> Iterator[Pointer]:
    for match in _PLAIN.finditer(line):
        start, end = match.span()
        is_code = line[start - 1 : start] == "`" and line[end : end + 1] == "`"
        path = posixpath.normpath(match[1])
        yield Pointer(
            path=path if path in around.paths else "",
            anchor=(match[2] or "")[1:],
            start=start - is_code,
            end=end + is_code,
            form=Form.CODE if is_code else Form.PLAIN,
            written=match[1],
        )


def _normal(target: str) -> str:
    return posixpath.normpath(unquote(target).lstrip("/")) if target.strip("/") else ""
