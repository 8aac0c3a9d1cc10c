"""Whether agents load the whole index, and whether index and catalog say what is there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from dream.checker.finding import Finding, at_most, find, shown
from dream.checker.subject import Subject
from dream.memory.index.reach import check_index as findings_of_index
from dream.memory.layouts import Layout
from dream.memory.links.notation import scan_links
from dream.memory.notes import Note

_RULES = {"no-index": "index-missing", "index-over-limits": "index-over-limits", "dead-link": "dead-index-link"}


def check_index(subject: Subject) -> Iterator[Finding]:
    """Yield what is wrong with the index and the catalog of a memory."""
    if subject.layout is Layout.FIVE_FILES:
        yield from _size(subject)
    lines = cache(lambda path: _lines_of_targets(subject, path))
    for found in findings_of_index(subject.tree, limits=subject.index):
        rule = _RULES.get(found.reason)
        if rule == "dead-index-link":
            line = lines(found.path).get(found.detail, 0)
            yield find(rule, found.path, shown(found.detail), line=line)
        elif rule and subject.layout is Layout.INDEXED:
            yield find(rule, found.path, shown(found.detail) or "there is no index")
    yield from at_most(_long_lines(subject), subject.limits.per_note)


def _lines_of_targets(subject: Subject, path: str) -> Mapping[str, int]:
    """Return on which line (from 1) each target of a page stands first."""
    note = subject.notes.get(path)
    lines: dict[str, int] = {}
    for link in scan_links(note.text) if isinstance(note, Note) else ():
        lines.setdefault(link.target, link.line + 1)
    return lines


def _size(subject: Subject) -> Iterator[Finding]:
    data = subject.tree.read(subject.index_path) or b""
    lines = data.count(b"\n") + (not data.endswith(b"\n") and data != b"")
    if lines > subject.index.lines or len(data) > subject.index.bytes:
        yield find("index-over-limits", subject.index_path, f"{lines} lines, {len(data)} bytes")


def _long_lines(subject: Subject) -> Iterator[Finding]:
    note = subject.notes.get(subject.index_path)
    most = subject.limits.line_characters
    for number, line in enumerate(note.lines if isinstance(note, Note) else (), start=1):
        if len(line) > most:
            message = f"{len(line)} characters, of which agents see {most}"
            yield find("index-line-long", subject.index_path, message, line=number)
