"""Notes: bytes read into entries, and edits that change nothing but the lines that they are about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import TYPE_CHECKING

from dream.memory.disputes import is_dispute
from dream.memory.entries import Entry, EntryStyle, leading_date, read_entry, write_entry
from dream.memory.frontmatter import Broken, Frontmatter, read_frontmatter
from dream.memory.lineedits import find_span, replace_lines
from dream.memory.scan import Block, Shape, scan
from dream.memory.sections import find_sections, updated_on
from dream.memory.titles import title_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from dream.memory.tree import Tree

__all__ = [
    "MAX_NOTE_BYTES",
    "Entry",
    "EntryStyle",
    "Note",
    "NoteCache",
    "NoteStyle",
    "Unreadable",
    "entries_in",
    "find_span",
    "parse_note",
    "render_entry",
    "replace_lines",
]

MAX_NOTE_BYTES = 256_000


class NoteStyle(StrEnum):
    """What the entries of a note are: dated bullets, its body, `**Updated:**` sections, or items and paragraphs."""

    DATED = auto()
    FRONTMATTER = auto()
    SECTIONS = auto()
    PLAIN = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What a note holds; `text` encoded is its bytes, and `lines` joined by line feeds are `text`.

    `other` are the lines outside entries that are not blank, stripped. `title` is empty only where the note is.
    `broken` says why the frontmatter cannot be read; such a note is read as text and never rewritten. `newline` is
    what most of its lines end in.
    """

    text: str
    lines: tuple[str, ...]
    style: NoteStyle
    entries: tuple[Entry, ...]
    other: tuple[str, ...]
    title: str
    frontmatter: Frontmatter | None
    broken: str
    newline: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that is left alone, and why: `not UTF-8`, `holds NUL bytes`, `over 256 kB`, `no such file`."""

    reason: str


_UNITS = {
    Shape.ITEM: EntryStyle.ITEM,
    Shape.PARAGRAPH: EntryStyle.PARAGRAPH,
    Shape.FENCE: EntryStyle.PARAGRAPH,
    Shape.CODE: EntryStyle.PARAGRAPH,
    Shape.TABLE: EntryStyle.PARAGRAPH,
    Shape.QUOTE: EntryStyle.PARAGRAPH,
    Shape.HTML: EntryStyle.PARAGRAPH,
}
_CODE = frozenset({Shape.FENCE, Shape.CODE})
_TAG = re.compile(r"<[^<>]*>")


def parse_note(data: bytes, *, max_bytes: int = MAX_NOTE_BYTES) -> Note | Unreadable:
    """Return what `data` holds, or why it is left alone; what it is called plays no part."""
    if len(data) > max_bytes:
        return _too_big(max_bytes)
    if b"\0" in data:
        return Unreadable("holds NUL bytes")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return Unreadable("not UTF-8")
    lines = tuple(text.split("\n"))
    read = (lines[0][1:], *lines[1:]) if text.startswith("\ufeff") else lines
    front = read_frontmatter(read)
    body = front.end if front else 0
    blocks = scan(read, body).blocks
    frontmatter = front if isinstance(front, Frontmatter) else None
    style, entries = _find_entries(lines, blocks, frontmatter, is_updated="**updated" in text.lower())
    return Note(
        text=text,
        lines=lines,
        style=style,
        entries=entries,
        other=tuple(_lines_outside(read, entries)),
        title=_title(read, blocks, frontmatter),
        frontmatter=frontmatter,
        broken=front.reason if isinstance(front, Broken) else "",
        newline="\r\n" if "\r\n" in text and 2 * text.count("\r\n") > text.count("\n") else "\n",
    )


def entries_in(text: str) -> tuple[Entry, ...]:
    """Return the entries that `text` would have as a note of its own; none where it could be none."""
    note = parse_note(text.encode(errors="replace"))
    return note.entries if isinstance(note, Note) else ()


def _too_big(max_bytes: int) -> Unreadable:
    return Unreadable(f"over {max_bytes / 1000:g} kB")


def _find_entries(
    lines: Sequence[str], blocks: Sequence[Block], frontmatter: Frontmatter | None, *, is_updated: bool
) -> tuple[NoteStyle, tuple[Entry, ...]]:
    dated = _read(lines, ((b.start, b.end) for b in blocks if _is_dated(lines, b)), EntryStyle.DATED)
    if dated:
        return NoteStyle.DATED, dated
    if frontmatter and frontmatter.name and (frontmatter.description or frontmatter.type):
        body = [(blocks[0].start, blocks[-1].end)] if blocks else []
        return NoteStyle.FRONTMATTER, _read(lines, body, EntryStyle.BODY)
    sections = _read(lines, find_sections(lines, blocks), EntryStyle.SECTION) if is_updated else ()
    if sections:
        return NoteStyle.SECTIONS, sections
    plain = (
        read_entry(lines, block.start, block.end, _UNITS[block.shape], cites=block.shape not in _CODE)
        for block in blocks
        if block.shape in _UNITS and not _says_nothing(lines, block, is_updated=is_updated)
    )
    return NoteStyle.PLAIN, tuple(entry for entry in plain if entry.key)


def _is_dated(lines: Sequence[str], block: Block) -> bool:
    return block.shape is Shape.ITEM and leading_date(lines[block.start]) is not None


def _read(lines: Sequence[str], spans: Iterable[tuple[int, int]], style: EntryStyle) -> tuple[Entry, ...]:
    entries = (read_entry(lines, start, end, style) for start, end in spans)
    return tuple(entry for entry in entries if entry.key)


def _says_nothing(lines: Sequence[str], block: Block, *, is_updated: bool) -> bool:
    """Whether a block is only HTML tags, only lines about disputes, or only the line that dates the whole note."""
    if block.shape is Shape.QUOTE:
        return all(map(is_dispute, lines[block.start : block.end]))
    if block.shape is Shape.HTML:
        return not _TAG.sub("", "\n".join(lines[block.start : block.end])).strip()
    return is_updated and block.end == block.start + 1 and updated_on(lines, block) is not None


def _lines_outside(lines: Sequence[str], entries: Sequence[Entry]) -> Iterator[str]:
    at = 0
    for start, end in [*((entry.start, entry.end) for entry in entries), (len(lines), len(lines))]:
        yield from (line.strip() for line in lines[at:start] if line.strip() and not is_dispute(line))
        at = end


def _title(lines: Sequence[str], blocks: Sequence[Block], frontmatter: Frontmatter | None) -> str:
    described = frontmatter.description if frontmatter else ""
    if described:
        return described
    title = title_of(lines, blocks)
    if not title and frontmatter:
        title = " ".join(frontmatter.values.get("title", "").split()) or frontmatter.name
    return title or next((line.strip() for line in lines if line.strip()), "")


def render_entry(
    note: Note | str,
    statement: str,
    *,
    dated: date,
    sources: Sequence[str],
    tentative: bool = False,
    style: EntryStyle,
) -> str:
    """Return the lines of a new entry in the habit of `note` (any text where there is none yet).

    Line feeds are between them and none is at the end; `replace_lines` makes them end as the note's lines do.
    """
    marker = "-"
    if isinstance(note, Note):
        bullets = [entry.raw.lstrip("\ufeff \t")[:1] for entry in note.entries]
        marker = next((bullet for bullet in reversed(bullets) if bullet in {"-", "*", "+"}), "-")
    return write_entry(statement, style=style, dated=dated, sources=sources, tentative=tentative, marker=marker)


class NoteCache:
    """Notes by blob id: what was read once this night is not read again, wherever it stands."""

    def __init__(self, *, max_bytes: int = MAX_NOTE_BYTES) -> None:
        """Read notes of up to `max_bytes`."""
        self._max_bytes = max_bytes
        self._notes: dict[str, Note | Unreadable] = {}

    def note(self, tree: Tree, path: str) -> Note | Unreadable:
        """Return the note at `path` of `tree`, or why it is left alone."""
        blob = tree.blob(path)
        if blob is None:
            return Unreadable("no such file")
        known = self._notes.get(blob)
        if known is None:
            known = self._notes[blob] = self._read(tree, path)
        return known

    def _read(self, tree: Tree, path: str) -> Note | Unreadable:
        if tree.size(path) > self._max_bytes:
            return _too_big(self._max_bytes)
        data = tree.read(path)
        return Unreadable("no such file") if data is None else parse_note(data, max_bytes=self._max_bytes)
