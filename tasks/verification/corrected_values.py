"""An entry with something put right: the same words, the new value, and the probe among its sources."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import date

from dream.memory.entries import UPDATED, EntryStyle
from dream.memory.notes import Entry
from dream.memory.operations import Basis, Revise, Span
from dream.memory.pinned import check_lines
from dream.memory.sources import split_citation
from tasks.verification.citing import changed_lines, cited_in_place

_CITING = frozenset({EntryStyle.DATED, EntryStyle.ITEM, EntryStyle.PARAGRAPH})
_PLAIN = re.compile(r"[\w.,:;/@%$€£+() -]{1,80}")
_NUMERIC = re.compile(r"[-+]?[0-9][0-9.,_]*")


def whole_tokens(text: str, value: str) -> list[tuple[int, int]]:
    """Return where `value` stands in `text` as a whole word: no part of a longer name, number, date, time or path."""
    pattern = rf"(?<![\w/#@.$€£+-])(?<![0-9][,:]){re.escape(value)}(?![\w/@%]|[.,:-]\w)"
    return [match.span() for match in re.finditer(pattern, text)]


def may_stand_for(new: str, old: str) -> bool:
    """Whether `new` may be written where `old` stands: of the same kind, in no more words, and without markup."""
    is_plain = _PLAIN.fullmatch(new) is not None and new == new.strip()
    is_alike = bool(_NUMERIC.fullmatch(new)) == bool(_NUMERIC.fullmatch(old))
    return is_plain and is_alike and len(new.split()) <= max(len(old.split()), 1)


def is_persons(entry: Entry) -> bool:
    """Whether an entry cites a person."""
    return any(source.startswith("person:") for source in entry.sources)


def stated_places(entry: Entry, raw: str, value: str) -> list[tuple[int, int, int]]:
    """Return where lines like those of `entry` state `value`: the line, and from where to where in it.

    The date of a bullet, the sources at the end of a line and the checks that people pinned are none of its statement.
    """
    lines = raw.split("\n")
    pinned = check_lines(lines)
    found = []
    for number, line in enumerate(lines):
        if number in pinned:
            continue
        first = 0
        if number == 0 and entry.style is EntryStyle.DATED and entry.date:
            first = line.index(entry.date.isoformat()) + len(entry.date.isoformat())
        last = len(split_citation(line.rstrip())[0])
        found += [(number, start, end) for start, end in whole_tokens(line, value) if first <= start and end <= last]
    return found


def recited(
    entry: Entry,
    raw: str,
    *,
    sources: Collection[str],
    dated: date,
    places: Mapping[int, Collection[str]] | None = None,
) -> str:
    """Return `raw`, the lines of `entry` put right, citing `sources` too and `dated`, where entries like it cite.

    They are cited where a line differs, or where `places` says, which has the sources of each line.
    """
    if entry.style is not EntryStyle.DATED and not (entry.sources and entry.style in _CITING):
        return raw
    result = cited_in_place(raw, places or dict.fromkeys(changed_lines(entry.raw, raw), sources), dated=dated)
    if entry.style is EntryStyle.DATED and entry.date:
        result = result.replace(entry.date.isoformat(), dated.isoformat(), 1)
    return result


def revision(
    span: Span,
    entry: Entry,
    raw: str,
    *,
    probes: Collection[str],
    evidence: Collection[str],
    why: str,
    today: date,
    places: Mapping[int, Collection[str]] | None = None,
) -> Revise:
    """Return the revision of `entry` to `raw`, its lines with other values: cited anew where it cites, and dated.

    `places` are the probes that each line rests on, where that is known. `why` says so where the entry is a person's.
    """
    sources = sources_of(probes)
    by_line = {number: sources_of(names) for number, names in (places or {}).items()}
    new = recited(entry, raw, sources=sources, dated=today, places=by_line)
    if entry.style is EntryStyle.SECTION and entry.date:
        new = "\n".join(_updated(line, today) for line in raw.split("\n"))
    told = f"{why}; a person's entry, revised on production evidence" if is_persons(entry) else why
    basis = Basis(sources=sources, dated=today, evidence=tuple(dict.fromkeys(evidence)), why=told)
    return Revise(span=span, new=new, basis=basis)


def sources_of(probes: Collection[str]) -> tuple[str, ...]:
    """Return probes as an entry cites them, each once."""
    return tuple(f"probe:{name}" for name in dict.fromkeys(probes))


def _updated(line: str, today: date) -> str:
    """Return the line that dates a section with the day of its evidence, any other as it is."""
    match = UPDATED.match(line)
    return line.replace(match[1], today.isoformat(), 1) if match else line
