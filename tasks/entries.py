"""Entries as operations point at them and as the night writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from dream.memory.entries import TENTATIVE, collapse
from dream.memory.notes import Entry, EntryStyle, Note, entries_in, find_span, render_entry
from dream.memory.operations import Span
from dream.memory.pinned import check_lines
from dream.memory.sources import render_citation, split_citation

LONGEST_CITATION = 1_800
"""Characters of sources in one bracket: readers do not take a longer one for a bracket of sources."""


def span_of(path: str, note: Note, entry: Entry) -> Span:
    """Return the span of `entry`, told apart from the same lines elsewhere in its note."""
    occurrence = 0
    while True:
        span = Span(path=path, text=entry.raw, occurrence=occurrence)
        place = find_span(note.text, span)
        if place is None or place[0] >= entry.start:
            return span
        occurrence += 1


def dated_entry(
    note: Note | None, statement: str, *, dated: date, sources: tuple[str, ...], tentative: bool = False
) -> str:
    """Return `statement` as a dated bullet in the habit of `note`, or as a note made afresh has it."""
    ended = statement if statement.endswith((".", "!", "?", "…")) else f"{statement}."
    return render_entry(note or "\n", ended, dated=dated, sources=sources, tentative=tentative, style=EntryStyle.DATED)


def cited(entry: Entry, text: str, *, sources: tuple[str, ...], dated: date | None, is_tentative: bool = False) -> str:
    """Return `text`, which is `entry`'s lines or like them, so that it cites `sources` and `dated` at its end.

    That is the end of what it states: checks that people pinned to it stay below. Sources that lines above the last one
    cite stay there. A dated bullet begins with `dated`, too.
    """
    lines = text.split("\n")
    checks = check_lines(lines)
    place = max((number for number, line in enumerate(lines) if line.strip() and number not in checks), default=0)
    above, last, below = lines[:place], lines[place], lines[place + 1 :]
    ending = "\r" if last.endswith("\r") else ""
    words, citation = split_citation(last.rstrip())
    told = set(entry.sources) - set(citation.sources if citation else ())
    parts = [words]
    if is_tentative and not entry.tentative:
        parts.append(TENTATIVE)
    named = [source for source in dict.fromkeys(sources) if source not in told]
    if named:
        parts.append(render_citation(named, dated) if dated else f"[{', '.join(named)}]")
    result = "\n".join([*above, " ".join(parts) + ending, *below])
    if entry.style is EntryStyle.DATED and entry.date and dated:
        result = result.replace(entry.date.isoformat(), dated.isoformat(), 1)
    return result


def chunks_of(sources: Iterable[str], *, longest: int = LONGEST_CITATION) -> Iterator[tuple[str, ...]]:
    """Yield `sources` in order, in runs that fit into the bracket of one entry."""
    chunk: list[str] = []
    size = 0
    for source in sources:
        if chunk and size + len(source) > longest:
            yield tuple(chunk)
            chunk, size = [], 0
        chunk.append(source)
        size += len(source) + len(", ")
    if chunk:
        yield tuple(chunk)


def key_of(text: str) -> str:
    """Return the comparison key that the entry `text` has once it stands in a note."""
    entries = entries_in(text)
    return entries[0].key if entries else collapse(text)
