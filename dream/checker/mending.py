"""What `dream check --fix` writes: what can be mended without anybody's judgement, and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from dream.checker.answers import answered_text
from dream.checker.catalog import fresh_catalog
from dream.checker.finding import Finding
from dream.checker.formatting import format_entries
from dream.checker.subject import Subject, read_subject
from dream.memory.notes import Note, parse_note
from dream.memory.tree import OverlayTree

_IN_NOTES = ("dangling-link", "entry-format")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """The files that change, None for one that goes, and the rules that each was mended by."""

    files: Mapping[str, bytes | None]
    rules: Mapping[str, tuple[str, ...]]


def mend(subject: Subject, findings: Collection[Finding]) -> Mended:
    """Return what mends those of `findings` that have one answer; whatever a finding is not about keeps its bytes.

    Notes that cannot be read as they are meant are left alone. The catalog is made afresh last, of what is then there.
    """
    files: dict[str, bytes | None] = {}
    rules: dict[str, tuple[str, ...]] = {}
    for path in sorted({finding.path for finding in findings if finding.rule in _IN_NOTES}):
        asked = [rule for rule in _IN_NOTES if any(one.path == path and one.rule == rule for one in findings)]
        mended, by = _mended(subject, path, asked)
        if by:
            files[path], rules[path] = mended.encode(), by
    if any(finding.rule == "catalog-stale" for finding in findings):
        after = read_subject(OverlayTree(subject.tree, files), subject.cache, subject.index, limits=subject.limits)
        fresh = fresh_catalog(after)
        files |= fresh
        rules |= dict.fromkeys(fresh, ("catalog-stale",))
    return Mended(files=files, rules=rules)


def _mended(subject: Subject, path: str, asked: Collection[str]) -> tuple[str, tuple[str, ...]]:
    note = subject.notes.get(path)
    if not isinstance(note, Note) or note.broken:
        return "", ()
    text, by = note.text, []
    if "dangling-link" in asked:
        text = answered_text(subject, path)
        by += ["dangling-link"] if text != note.text else []
    read = parse_note(text.encode(), max_bytes=subject.index.file_bytes)
    if "entry-format" in asked and isinstance(read, Note):
        formatted = format_entries(read)
        by += ["entry-format"] if formatted != text else []
        text = formatted
    return text, tuple(by)
