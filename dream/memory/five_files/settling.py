"""What becomes of each line of `index.md`: it stays, it follows its note, or it goes with it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from dream.memory.five_files.page import FiveAround, FiveLine, Pointer
from dream.memory.five_files.wording import Style, place_of, style_of
from dream.memory.links.slugs import heading_text, slug
from dream.memory.listing.lines import target_of

_REPEATED = re.compile(r"-[0-9]+\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """What decides about a line.

    `titles` name the notes, `earlier` are what they may have been called when it was written, and `known` the files
    that there were then.
    """

    around: FiveAround
    titles: Mapping[str, str]
    earlier: Mapping[str, Collection[str]]
    known: Collection[str]

    def settle(self, line: FiveLine) -> FiveLine | None:
        """Return a line as it stays, None if it goes: it leads to where its note is now, by what that is called now."""
        for pointer in reversed(line.pointers):
            line = _repointed(line, pointer, self.around.moved(pointer))
        if not line.is_loose:
            return line
        if self._is_dead(line.pointer) or self._names_nothing(line):
            return None
        title = self._called(line.pointer)
        style = style_of(line)
        if style and title and self._is_nights(line, style, but=title):
            return replace(line, text=style.text(place_of(line.pointer), title) + line.end)
        return line

    def _is_dead(self, pointer: Pointer) -> bool:
        """Whether a loose line points at a note that is not there any more, as far as that can be told.

        A name that stands there as plain text may be of a file elsewhere, unless a note was called so.
        """
        if pointer.path:
            return False
        if pointer.link is None:
            return pointer.written.removeprefix("./") in self.known
        return not pointer.written.startswith(("/", "..", "~")) and "\\" not in pointer.written

    def _names_nothing(self, line: FiveLine) -> bool:
        """Whether a line that the night wrote is of a section that is not there any more."""
        pointer, style = line.pointer, style_of(line)
        if style is None or self.around.line_of(pointer.path, pointer.anchor) is not None:
            return False
        names = {pointer.anchor, _REPEATED.sub("", pointer.anchor)}
        return any(slug(heading_text(label)) in names for label in _labels(line, style))

    def _is_nights(self, line: FiveLine, style: Style, *, but: str) -> bool:
        text, place = line.text.removesuffix("\r"), place_of(line.pointer)
        return style.text(place, but) != text and any(
            style.text(place, title) == text for title in self.earlier.get(place.key, ())
        )

    def _called(self, pointer: Pointer) -> str:
        return "" if pointer.anchor else self.titles.get(pointer.path, "")


def _repointed(line: FiveLine, pointer: Pointer, new: str) -> FiveLine:
    """Return a line whose pointer leads to where its note has moved; in a person's words but for that."""
    if not new:
        return line
    at = pointer.link.target_start if pointer.link else line.text.index(pointer.written, pointer.start, pointer.end)
    new_text = target_of(new) if pointer.link else new
    text = line.text[:at] + new_text + line.text[at + len(pointer.written) :]
    moved = replace(pointer, path=new, written=new_text, end=pointer.end + len(new_text) - len(pointer.written))
    return replace(line, text=text, pointers=tuple(moved if one is pointer else one for one in line.pointers))


def _labels(line: FiveLine, style: Style) -> Iterator[str]:
    """Return what the words of a line may be: what stands where its style has a label."""
    empty = style.text(place_of(line.pointer), "")
    text = line.text.removesuffix("\r")
    head = next((n for n, (one, other) in enumerate(zip(empty, text, strict=False)) if one != other), len(empty))
    tail = len(empty) - head
    label = text[head : len(text) - tail]
    yield from (label, label.replace("\\", "")) if label else ()
