"""Where an entry that was put right cites what shows it: in the bracket of the statement that changed."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date

from dream.memory.entries import TENTATIVE
from dream.memory.pinned import check_lines, text_lines
from dream.memory.sources import render_citation, split_citation

_BEGINS = re.compile(r"[ \t]*(?:[-+*][ \t]|[0-9]{1,9}[.)][ \t]|#{1,6}[ \t]|\||>|<!--|\Z)")
_ROW = re.compile(r"[ \t]*\|")
_SENTENCE_ENDS = re.compile(r"[.!?\u2026][\"'`*_)\]]*\Z")
_MARKED = re.compile(rf"[ \t]*{re.escape(TENTATIVE)}\Z")


def cited_in_place(raw: str, places: Mapping[int, Collection[str]], *, dated: date) -> str:
    """Return `raw`, lines of an entry, citing for each line of `places` its sources, and `dated`.

    They go into the bracket that ends the line, or its paragraph; where there is none, behind the sentence that the
    line is part of. Code, tables and checks cite nothing, so that what stands in them is cited above. Every other byte
    stays as it was.
    """
    lines = raw.split("\n")
    able = _able(lines)
    cited: dict[int, dict[str, None]] = {}
    for place, sources in places.items():
        start = max((number for number in able if number <= place and lines[number].strip()), default=0)
        cited.setdefault(_citing_line(lines, start), {}).update(dict.fromkeys(sources))
    for number, added in cited.items():
        lines[number] = _with_sources(lines[number], tuple(added), dated)
    return "\n".join(lines)


def changed_lines(old: str, new: str) -> tuple[int, ...]:
    """Return the lines of the statement that differ between two forms of an entry, the first where none does."""
    lines = new.split("\n")
    checks = check_lines(lines)
    pairs = enumerate(zip(old.split("\n"), lines, strict=True))
    return tuple(number for number, (one, other) in pairs if one != other and number not in checks) or (0,)


def paragraph_from(lines: Sequence[str], start: int) -> range:
    """Return the lines from `start` to the end of its paragraph, in an entry's `lines`; code and checks end one."""
    able = _able(lines)
    end = start + 1
    while end in able and not _BEGINS.match(lines[end].rstrip("\r")):
        end += 1
    return range(start, end)


def _able(lines: Sequence[str]) -> set[int]:
    """Return the lines that may cite."""
    return {number for number, line in text_lines(lines) if not _ROW.match(line)} - check_lines(lines)


def _citing_line(lines: Sequence[str], start: int) -> int:
    """Return the line, from `start` to the end of its paragraph, that cites or is to."""
    paragraph = paragraph_from(lines, start)
    bracketed = (number for number in paragraph if split_citation(_parts(lines[number])[0])[1])
    ending = (number for number in paragraph if _SENTENCE_ENDS.search(_parts(lines[number])[0]))
    return next(bracketed, next(ending, paragraph[-1]))


def _with_sources(line: str, sources: Sequence[str], dated: date) -> str:
    text, tail = _parts(line)
    words, citation = split_citation(text)
    own = citation.sources if citation else ()
    return f"{words} {render_citation((*own, *sources), dated)}{tail}"


def _parts(line: str) -> tuple[str, str]:
    """Return a line up to its sources, and the mark and blanks that follow them."""
    text = line.rstrip()
    if split_citation(text)[1] is None:
        text = _MARKED.sub("", text)
    return text, line[len(text) :]
