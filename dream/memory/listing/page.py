"""A page of links that people and the night keep together, line by line."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from dream.memory.frontmatter import frontmatter_end
from dream.memory.lines import flat, indent_of, interrupts
from dream.memory.links.notation import (
    Link,
    PathLookup,
    candidates,
    is_external,
    resolve,
    retarget,
    scan_links,
    target_to,
)
from dream.memory.paths import FIVE_INDEX, Kind, kind_of
from dream.memory.scan import Shape, scan

_MARKER = re.compile(r"(?P<indent>[ \t]*)(?P<marker>[-*+]|[0-9]{1,9}[.)])[ \t]+")
_CHECKBOX = re.compile(r"\[[ xX]\][ \t]+")
LABEL_ENDS = ":-\u2013\u2014\u2192|>"
"""What a label before a link ends in."""
_LONGEST_LABEL = 4
_MOST_REPAIRS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLine:
    """One line as it stands, without its line feed.

    `links` are the notes it points at. A list item that links to a note is an *item*; one that is nothing but a link,
    a short label before and words after, with nothing under it, is `loose`: the night's to move and to drop. Links to
    `MEMORY.md`, a catalog or a folder are never loose. `content` is what follows the marker. `dead` are the targets of
    links to notes that did not exist when the line was read.
    """

    text: str
    links: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()
    is_item: bool = False
    is_loose: bool = False
    is_continued: bool = False
    prefix: str = ""
    content: str = ""

    @property
    def indent(self) -> int:
        """The column that the item's marker stands in."""
        return indent_of(self.prefix.expandtabs(4))

    @property
    def is_numbered(self) -> bool:
        """Whether the item counts."""
        return self.prefix.lstrip()[:1].isdecimal()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The lines of a page; `data` of what was read is what was read, byte for byte, unless lines were repaired."""

    path: str
    lines: tuple[PageLine, ...] = ()
    mark: str = ""
    newline: str = "\n"
    is_ended: bool = True

    @property
    def data(self) -> bytes:
        """The bytes of the page."""
        return page_bytes([line.text for line in self.lines], mark=self.mark, is_ended=self.is_ended)

    @property
    def run(self) -> tuple[int, int] | None:
        """Where the first run of items begins and ends, or None."""
        start = next((n for n, line in enumerate(self.lines) if line.is_item), None)
        if start is None:
            return None
        end = next((n for n in range(start, len(self.lines)) if not self.lines[n].is_item), len(self.lines))
        return start, end

    def with_lines(self, lines: Sequence[PageLine]) -> Page:
        """Return the page with other lines; only the line that ended it without a line feed still does."""
        is_ended = self.is_ended or not lines or not self.lines or lines[-1] is not self.lines[-1]
        return replace(self, lines=tuple(lines), is_ended=is_ended)

    def line(self, prefix: str, content: str) -> PageLine:
        """Return a line of the night's, in the page's habit."""
        return PageLine(text=f"{prefix}{content}{self.newline[:-1]}", is_item=True, prefix=prefix, content=content)

    def blank(self) -> PageLine:
        """Return a blank line, in the page's habit."""
        return PageLine(text=self.newline[:-1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the links of a page are resolved in.

    `folders` are those that a link may name instead of a note, and whether they have any; `renames` is where notes
    have moved to.
    """

    paths: PathLookup
    folders: Mapping[str, bool] = field(default_factory=dict)
    renames: Mapping[str, str] = field(default_factory=dict)


def read_page(path: str, text: str, around: Surroundings, *, repairs: bool = True) -> Page:
    """Return the page in `text`.

    In items that stay, links to notes that moved point at where they are, and links to notes that do not exist are
    only their text, unless `repairs` is off. Everything else is as it was.
    """
    page = _read_once(path, text, around, repairs=repairs)
    for _ in range(_MOST_REPAIRS):
        repaired = page.data.decode()
        if repaired == text:
            break
        page, text = _read_once(path, repaired, around, repairs=repairs), repaired
    return page


def _read_once(path: str, text: str, around: Surroundings, *, repairs: bool) -> Page:
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text[len(mark) :]
    raw = text.removesuffix("\n").split("\n") if text else []
    links: dict[int, list[Link]] = {}
    for link in scan_links(text):
        links.setdefault(link.line, []).append(link)
    plain = flat(raw)
    lines = (
        _Reader(path, around, line, links[number], repairs=repairs).read(is_continued=goes_on(plain, number))
        if number in links
        else PageLine(text=line)
        for number, line in enumerate(raw)
    )
    newline = "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n"
    return Page(path=path, lines=tuple(lines), mark=mark, newline=newline, is_ended=not text or text.endswith("\n"))


def places_for_a_list(page: Page) -> Iterator[int]:
    """Yield the lines before which a first list may stand: under the first heading, at the end, at the top."""
    raw = [line.text for line in page.lines]
    body = frontmatter_end(raw)
    heading = next((block for block in scan(raw, body).blocks if block.shape is Shape.HEADING), None)
    if heading is not None:
        after = heading.end
        yield after + 1 if after < len(raw) and not raw[after].strip() else after
    yield len(raw)
    yield body


class _Reader:
    """Reads one line that has links."""

    def __init__(self, path: str, around: Surroundings, line: str, links: Sequence[Link], *, repairs: bool) -> None:
        self.path = path
        self.around = around
        self.line = line
        self.repairs = repairs
        self.found = [(link, self._target(link)) for link in links]

    def read(self, *, is_continued: bool) -> PageLine:
        marker = _MARKER.match(self.line)
        notes = [(link, target) for link, target in self.found if target or self._is_dead(link)]
        alive = tuple(target for _, target in notes if target)
        dead = tuple(link.target for link, target in notes if not target)
        if marker is None or not notes:
            return PageLine(text=self.line, links=alive, dead=dead)
        leads = _is_label(self.line[marker.end() : notes[0][0].start])
        is_loose = leads and not is_continued and (not alive or (len(notes) == 1 and _is_note(alive[0])))
        text = self._repaired(notes, unlinks=not is_loose) if self.repairs else self.line
        return PageLine(
            text=text,
            links=alive,
            dead=dead,
            is_item=True,
            is_loose=is_loose,
            is_continued=is_continued,
            prefix=marker[0],
            content=text[marker.end() :].removesuffix("\r"),
        )

    def _target(self, link: Link) -> str:
        """Return the note or folder that a link points at, where it has moved to, or nothing."""
        if link.kind == "markdown" and self.around.folders.get(_normal(self.path, link.target)):
            return f"{_normal(self.path, link.target)}/"
        found = resolve(self.path, link, self.around.paths)
        if found is None:
            moved = self.around.renames.get(self._old_target(link))
            found = moved if moved in self.around.paths else None
        return found if found and found != self.path and found[-3:].lower() == ".md" else ""

    def _old_target(self, link: Link) -> str:
        if not self.around.renames:
            return ""
        return resolve(self.path, link, PathLookup(self.around.renames.keys())) or ""

    def _is_dead(self, link: Link) -> bool:
        """Whether a link names a note of this memory that does not exist."""
        if is_external(link) or link.image or not link.target or candidates(self.path, link, self.around.paths):
            return False
        if link.kind == "wiki":
            return True
        target = _normal(self.path, link.target)
        is_inside = not target.startswith(("..", "/", "~")) and "\\" not in target
        return is_inside and (target[-3:].lower() == ".md" or target in self.around.folders)

    def _repaired(self, notes: Sequence[tuple[Link, str]], *, unlinks: bool) -> str:
        pieces, at = [], 0
        for link, target in sorted(notes, key=lambda note: note[0].start):
            if link.start < at:
                continue
            if target and not target.endswith("/") and resolve(self.path, link, self.around.paths) is None:
                line = retarget(self.line, link, target_to(self.path, link, target))
                new = line[link.start : link.end + len(line) - len(self.line)]
            elif not target and unlinks and "\n" not in link.text:
                new = link.text
            else:
                continue
            pieces += [self.line[at : link.start], new]
            at = link.end
        return "".join([*pieces, self.line[at:]])


def _is_note(path: str) -> bool:
    return path == FIVE_INDEX or kind_of(path) not in {Kind.INDEX, Kind.CATALOG, Kind.ASSET}


def _normal(page: str, target: str) -> str:
    if target.startswith("/"):
        return target
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(target))) if target else ""


def _is_label(before: str) -> bool:
    """Whether what stands before the link of an item only labels it: marks, a check box, a few words and a colon."""
    box = _CHECKBOX.match(before)
    words = before[box.end() :].split() if box else before.split()
    telling = [word for word in words if any(map(str.isalnum, word))]
    if not telling:
        return True
    return len(telling) <= _LONGEST_LABEL and before.rstrip(" \t*_[(").endswith(tuple(LABEL_ENDS))


def page_bytes(lines: Sequence[str], *, mark: str, is_ended: bool) -> bytes:
    """Return the bytes of a page of `lines` behind `mark`; the last line has a line feed where the page `is_ended`."""
    return (mark + "\n".join(lines) + ("\n" if is_ended and lines else "")).encode()


def goes_on(plain: Sequence[str], number: int) -> bool:
    """Whether what follows an item belongs to it: lines indented under it, or text that goes on with its last line."""
    indent = indent_of(plain[number])
    following = next((n for n in range(number + 1, len(plain)) if plain[n]), None)
    if following is None:
        return False
    line = plain[following]
    if indent_of(line) > indent + (0 if following == number + 1 else 1):
        return True
    return following == number + 1 and not interrupts(line.lstrip(" "), any_item=True)
