"""How the lines of `index.md` are worded: what a line looks like but for its words, and the same with others."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Self

from dream.memory.five_files.page import FiveLine, Form, Pointer
from dream.memory.listing.lines import escaped, link_to

_SEPARATES = re.compile(r"[ \t]*(?:[-=]+>|[-:\u2013\u2014\u2192])[ \t]*|[ \t]+(?=\()")
_SEPARATED = re.compile(r"(?<![ \t])[ \t]*+(?:(?<![-=])[-=]++>|[-:\u2013\u2014\u2192])[ \t]*+\Z")
_NUMBER = re.compile(r"(?<![ \t])([ \t]*+)([0-9]{1,9})([.)][ \t]+)")
_TICKED = re.compile(r"\[[xX]\]")
_BOLD = ("**", "__", "*", "_", "`")
_WRITTEN_PLAIN = re.compile(r"[\w./-]+\.md")


Parts = tuple[str | Form | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What a line points at: the note at `path`, or what `anchor` names in it."""

    path: str
    anchor: str = ""

    @property
    def key(self) -> str:
        """`facts.md#billing`, the name of the place."""
        return f"{self.path}#{self.anchor}" if self.anchor else self.path


def place_of(pointer: Pointer) -> Place:
    """Return what a pointer points at."""
    return Place(path=pointer.path, anchor=pointer.anchor)


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """A line without its words: `parts` in order, where None stands for the label and `Form` for the pointer.

    `shown` says what a link shows that does not show the label: the place, its path, its path without ending or its
    anchor.
    """

    parts: Parts
    shown: str = "label"
    has_dot: bool = False
    is_row: bool = False

    def text(self, place: Place, label: str) -> str:
        """Return the line about a place by its label."""
        return "".join(part if isinstance(part, str) else self._piece(part, place, label) for part in self.parts)

    def _piece(self, part: Form | None, place: Place, label: str) -> str:
        piece = _plain(label) if part is None else self._pointer(part, place, label)
        return piece.replace("|", "\\|") if self.is_row else piece

    def _pointer(self, part: Form, place: Place, label: str) -> str:
        dot = "./" * self.has_dot
        if part is Form.LINK or not _WRITTEN_PLAIN.fullmatch(place.path):
            shown = _shown(self.shown, place) or (place.key if None in self.parts else label)
            link = link_to(place.path, shown, anchor=place.anchor)
            return link.replace("](", f"]({dot}", 1) if dot else link
        written = f"{dot}{place.key}"
        return f"`{written}`" if part is Form.CODE else written

    def after(self) -> Self:
        """Return the style of the item that comes after one of this: a number further, its box not ticked."""
        lead = self.parts[0]
        if self.is_row or not isinstance(lead, str):
            return self
        lead = _NUMBER.sub(lambda match: f"{match[1]}{int(match[2]) + 1}{match[3]}", lead)
        return replace(self, parts=(_TICKED.sub("[ ]", lead), *self.parts[1:]))


DEFAULT = Style(parts=("- ", Form.LINK))
"""A list item that is a link."""


def _plain(label: str) -> str:
    """Return a label so that nothing in it is Markdown, and no name of a file in it is a pointer."""
    return escaped(label).replace(".md", "\\.md")


def _shown(shown: str, place: Place) -> str:
    match shown:
        case "place":
            return place.key
        case "path":
            return place.path
        case "stem":
            return place.path.removesuffix(".md")
        case "anchor":
            return place.anchor or place.path
        case _:
            return ""


def _how_shown(text: str, place: Place) -> str:
    bare = text.strip("`*_ ")
    ways = ("place", "path", "stem", "anchor")
    return next((way for way in ways if _shown(way, place) == bare and text == bare), "label")


def style_of(line: FiveLine) -> Style | None:
    """Return how a loose line is written, None where it says more than a label."""
    pointer = line.pointer
    if pointer.link is not None and pointer.link.kind == "wiki":
        return None
    place = place_of(pointer)
    shown = _how_shown(pointer.link.text, place) if pointer.link else "label"
    is_label = shown == "label" and pointer.form is Form.LINK
    parts = _row_parts(line, is_label=is_label) if line.cells else _item_parts(line, is_label=is_label)
    has_dot = line.text[pointer.start :].lstrip("`").startswith("./") or pointer.written.startswith("./")
    return Style(parts=parts, shown=shown, has_dot=has_dot, is_row=bool(line.cells)) if parts else None


def _item_parts(line: FiveLine, *, is_label: bool) -> Parts | None:
    pointer, text = line.pointer, line.text.removesuffix("\r")
    lead, before, after = line.marker, text[len(line.marker) : pointer.start], text[pointer.end :]
    if not (before + after).strip(" *_"):
        return (lead + before, pointer.form, after)
    if is_label or (before.strip() and after.strip()):
        return None
    if before.strip():
        found = _SEPARATED.search(before)
        separator = found[0] if found else ""
        opening, closing = _wrapping(before.removesuffix(separator))
        return (lead + opening, None, closing + separator, pointer.form, after)
    match = _SEPARATES.match(after)
    opening, closing = _wrapping(after[match.end() :]) if match else ("", "")
    return (lead, pointer.form, match[0] + opening, None, closing) if match else None


def _wrapping(label: str) -> tuple[str, str]:
    """Return the marks that stand around a label."""
    text = label.strip()
    for mark in _BOLD:
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            return label[: len(label) - len(label.lstrip())] + mark, mark + label[len(label.rstrip()) :]
    return "", label[len(label.rstrip()) :]


def _row_parts(line: FiveLine, *, is_label: bool) -> Parts | None:
    pointer = line.pointer
    at = next((n for n, (start, end) in enumerate(line.cells) if start <= pointer.start < end), None)
    if at is None:
        return None
    start, end = line.cells[at]
    before, after = line.text[start : pointer.start].strip(), line.text[pointer.end : end].strip()
    if (before + after).strip("*_"):
        return None
    labelled = None if is_label else next((number for number in range(len(line.cells)) if number != at), None)
    parts: list[str | Form | None] = [line.text[: line.cells[0][0]]]
    for number, (begin, stop) in enumerate(line.cells):
        parts += ["|"] * bool(number)
        if number == at:
            parts += [f" {before}", pointer.form, f"{after} "]
        elif number == labelled:
            opening, closing = _wrapping(line.text[begin:stop].strip())
            parts += [f" {opening}", None, f"{closing} "]
        else:
            parts.append(" ")
    parts.append(line.text[line.cells[-1][1] :].removesuffix("\r"))
    return tuple(parts)
