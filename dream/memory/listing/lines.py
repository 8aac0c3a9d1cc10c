"""The line that lists a note: what it says about it, and a link that nothing in it can break."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import quote

from dream.memory.notes import NoteCache, Unreadable
from dream.memory.tree import Tree

STANDING = MappingProxyType(
    {"CATALOG.md": "Catalog: every note, one line each", "daily/": "Daily notes, one for each day"}
)
"""The pages that an index always links, and what it calls them."""

_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Not of those categories, and blank all the same: joiners, fillers, vowel signs, the empty Braille cell.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_BREAKS_TEXT = re.compile(r"[\\`<\[\]]|&(?=[#A-Za-z])|\A\^")
_UNQUOTED = str.maketrans({"“": "\N{LEFT SINGLE QUOTATION MARK}", "”": "\N{RIGHT SINGLE QUOTATION MARK}"})
_LEAST_REPORTED = 40
_SAFE_IN_TARGET = "/-._~!$*+,;=@'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Titles:
    """What the notes of one tree are called: the first line or the description, at most `longest` characters.

    A note in `withheld` is called by its path alone, so that what a screen caught is not shown again. One in `reported`
    tells its reader what to do; it is called by its path and its title in quotation marks, because agents load the
    index whole, and what a note says is not what the index says.
    """

    tree: Tree
    notes: NoteCache
    longest: int
    withheld: Collection[str] = field(default=frozenset())
    reported: Collection[str] = field(default=frozenset())

    def of(self, path: str) -> str:
        """Return what the note at `path` is called, on one line; its path where it says nothing that can be shown."""
        plain, reported, withheld = self.forms(path)
        if path in self.withheld:
            return withheld
        return reported if path in self.reported else plain

    def forms(self, path: str) -> tuple[str, str, str]:
        """Return what the note is called as it is, where it is reported, and where its title is withheld."""
        name = shown_path(path, longest=self.longest) or "note"
        withheld = shown_text(f"{name} (title withheld)", longest=self.longest)
        note = self.notes.note(self.tree, path)
        title = "" if isinstance(note, Unreadable) else shown_text(note.title, longest=self.longest)
        if not any(char.isalnum() or not char.isascii() for char in title):
            return name, name, withheld
        room = max(self.longest - len(name) - len(": “”"), _LEAST_REPORTED)
        return title, f"{name}: “{shown_text(title.translate(_UNQUOTED), longest=room)}”", withheld


def shown_path(path: str, *, longest: int) -> str:
    """Return a path as one word, blanks as in a link, so that no name is a sentence; what cannot be seen is gone."""
    return shown_text(shown_text(path, longest=longest).replace(" ", "%20"), longest=longest)


def shown_text(text: str, *, longest: int) -> str:
    """Return `text` on one line without what cannot be seen, cut at `longest` characters."""
    if not text.isascii() or not text.isprintable():
        visible = (" " if char.isspace() else char for char in text if char.isspace() or not _is_invisible(char))
        text = "".join(visible)
    text = " ".join(text[: longest * 8].split())
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def link_to(path: str, text: str, *, page: str = "", anchor: str = "") -> str:
    """Return a Markdown link with `text` to `path`, as it stands in the file `page` (default: one at the root)."""
    return f"[{escaped(text)}]({'../' * page.count('/')}{target_of(path)}{'#' * bool(anchor)}{anchor})"


def _is_invisible(char: str) -> bool:
    return unicodedata.category(char) in _INVISIBLE or _BLANK.match(char) is not None


def escaped(text: str) -> str:
    """Return `text` so that nothing in it is Markdown."""
    return _BREAKS_TEXT.sub(r"\\\g<0>", text)


def target_of(path: str) -> str:
    """Return `path` as the target of a link."""
    return quote(path, safe=_SAFE_IN_TARGET) if path.isascii() else "".join(map(_quoted, path))


def _quoted(char: str) -> str:
    is_shown = not char.isascii() and not char.isspace() and not _is_invisible(char)
    return char if is_shown else quote(char, safe=_SAFE_IN_TARGET)
