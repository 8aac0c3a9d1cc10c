"""An entry with another wording: its marker, date, sources, status and checks stay as they are."""

from __future__ import annotations

from dataclasses import replace

from dream.memory.notes import Entry, EntryStyle, Note, entries_in, render_entry
from dream.memory.pinned import carry_checks
from tasks.entries import cited

_STYLES = frozenset({EntryStyle.DATED, EntryStyle.ITEM, EntryStyle.PARAGRAPH})


def reworded(note: Note, entry: Entry, wording: str) -> str | None:
    """Return the lines of `entry` of `note` with `wording` as what it says; None where it cannot be written so."""
    if entry.style not in _STYLES or "\n" in wording or not wording:
        return None
    if entry.style is EntryStyle.DATED and entry.date is None:
        return None
    marker = entry.raw.lstrip("\ufeff \t")[:1]
    if entry.style is EntryStyle.PARAGRAPH:
        text = wording
    elif entry.date is not None and entry.style is EntryStyle.DATED:
        text = render_entry(note, wording, dated=entry.date, sources=(), style=entry.style)
        text = f"{marker}{text[1:]}"
    else:
        text = f"{marker} {wording}"
    bare = replace(entry, sources=(), tentative=False)
    text = cited(bare, text, sources=entry.sources, dated=entry.date, is_tentative=entry.tentative)
    if not entry.sources and entry.tentative and "(tentative)" not in text:
        text = f"{text} (tentative)"
    found = entries_in(carry_checks(text, entry.raw))
    if len(found) != 1 or (found[0].sources, found[0].date, found[0].tentative) != (
        entry.sources,
        entry.date,
        entry.tentative,
    ):
        return None
    return found[0].raw
