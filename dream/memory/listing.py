"""The line that lists a note: what it says about it, and a link that nothing in it can break."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, field
from urllib.parse import quote

from dream.memory.notes import NoteCache, Unreadable
from dream.memory.tree import Tree

_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Not of those categories, and blank all the same: joiners, fillers, vowel signs, the empty Braille cell.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_BREAKS_TEXT = re.compile(r"[\\`<\[\]]|&(?=[#A-Za-z])|\A\^")
_SAFE_IN_TARGET = "/-._~!$*+,;=@'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Titles:
    """What the notes of one tree are called: the first line or the description, at most `longest` characters.

    A note in `withheld` is called by its path alone, so that what a screen caught is not shown again.
    """

    tree: Tree
    notes: NoteCache
    longest: int
    withheld: Collection[str] = field(default=frozenset())

    def of(self, path: str) -> str:
        """Return what the note at `path` is called, on one line; its path where it says nothing that can be shown."""
        if path in self.withheld:
            return shown_text(f"{path} (title withheld)", longest=self.longest)
        note = self.notes.note(self.tree, path)
        title = "" if isinstance(note, Unreadable) else shown_text(note.title, longest=self.longest)
        tells = any(char.isalnum() or not char.isascii() for char in title)
        return title if tells else shown_text(path, longest=self.longest) or "note"


def shown_text(text: str, *, longest: int) -> str:
    """Return `text` on one line without what cannot be seen, cut at `longest` characters."""
    if not text.isascii() or not text.isprintable():
        visible = (" " if char.isspace() else char for char in text if char.isspace() or not _is_invisible(char))
        text = "".join(visible)
    text = " ".join(text[: longest * 8].split())
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def link_to(path: str, text: str, *, page: str = "") -> str:
    """Return a Markdown link with `text` to `path`, as it stands in the file `page` (default: one at the root)."""
    return f"[{_escaped(text)}]({'../' * page.count('/')}{_target(path)})"


def _is_invisible(char: str) -> bool:
    return unicodedata.category(char) in _INVISIBLE or _BLANK.match(char) is not None


def _escaped(text: str) -> str:
    return _BREAKS_TEXT.sub(r"\\\g<0>", text)


def _target(path: str) -> str:
    return quote(path, safe=_SAFE_IN_TARGET) if path.isascii() else "".join(map(_quoted, path))


def _quoted(char: str) -> str:
    is_shown = not char.isascii() and not char.isspace() and not _is_invisible(char)
    return char if is_shown else quote(char, safe=_SAFE_IN_TARGET)
