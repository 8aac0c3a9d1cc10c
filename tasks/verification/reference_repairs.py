"""Entries that name what has moved since, put right where they speak of the present.

Being careful leaves a finding, being careless rewrites history. An entry is put right only if it names the old path as
it is now: not in a note that keeps a record (a changelog, a decision, an incident, a date in its path), not in an entry
that is about change or about the past, not for a path with a line number, and not where the new path stands already.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import date
from functools import partial

from dream.memory.logbooks import is_logbook
from dream.memory.notes import Entry, Note
from dream.memory.operations import Basis, Revise, Span
from dream.memory.pinned import check_lines, without_checks
from dream.memory.references import Reference
from dream.memory.similarity import word_set
from tasks.entries import span_of
from tasks.verification.corrected_values import recited
from tasks.verification.past import speaks_of_the_past
from tasks.verification.reference_checks import SHOWN_COMMIT, Renamed, Verdict


def corrected_entries(
    path: str, note: Note, verdicts: Sequence[Verdict], *, today: date
) -> tuple[tuple[Revise, ...], frozenset[Renamed]]:
    """Return a revision for each entry of the note at `path` that can be put right, and the verdicts it settles.

    Where an entry names the new path as well, nothing is to be done.
    """
    revisions: list[Revise] = []
    settled: set[Renamed] = set()
    is_left = bool(note.broken) or is_logbook(path)
    for entry in note.entries:
        renamed = [
            verdict
            for verdict in verdicts
            if isinstance(verdict, Renamed) and entry.start <= verdict.reference.line < entry.end
        ]
        settled.update(verdict for verdict in renamed if verdict.rename.to in without_checks(entry.raw))
        waiting = [verdict for verdict in renamed if verdict not in settled]
        if is_left or not waiting or speaks_of_the_past(entry, [verdict.reference for verdict in verdicts]):
            continue
        text, done = _corrected(entry.raw, waiting)
        if not done:
            continue
        revisions.append(_revision(span_of(path, note, entry), entry, text, done, today=today))
        settled.update(done)
    return tuple(revisions), frozenset(settled)


def says_only(entry: Entry, references: Collection[Reference]) -> bool:
    """Whether an entry says nothing but the names of `references`."""
    names = word_set(" ".join(reference.text for reference in references))
    texts = word_set(" ".join(reference.link.text for reference in references if reference.link))
    return bool(references) and word_set(entry.key) <= names | texts


def _corrected(raw: str, renamed: Sequence[Renamed]) -> tuple[str, list[Renamed]]:
    """Return `raw` with what moved named as it is now, and the verdicts for which that could be done.

    Checks that people pinned to it stay as they are.
    """
    lines = raw.split("\n")
    checks = check_lines(lines)
    text, done = _renamed_in("\n".join(line for number, line in enumerate(lines) if number not in checks), renamed)
    stated = iter(text.split("\n"))
    return "\n".join(line if number in checks else next(stated) for number, line in enumerate(lines)), done


def _renamed_in(text: str, renamed: Sequence[Renamed]) -> tuple[str, list[Renamed]]:
    by_name: dict[str, list[Renamed]] = {}
    for verdict in renamed:
        by_name.setdefault(verdict.reference.text, []).append(verdict)
    done: list[Renamed] = []
    for old, verdicts in by_name.items():
        new = verdicts[0].rename.to
        whole = re.compile(rf"(?<![\w./@~-])(\./)?{re.escape(old)}(?![\w@-]|:[0-9:]|#|/[\w.]|\.\w)")
        found = len(whole.findall(text))
        if found and found == text.count(old) and new not in text:
            text = whole.sub(partial(_renamed, new), text)
            done += verdicts
    return text, done


def _renamed(new: str, match: re.Match[str]) -> str:
    return f"{match[1] or ''}{new}"


def _revision(span: Span, entry: Entry, text: str, done: Sequence[Renamed], *, today: date) -> Revise:
    evidence = tuple(
        dict.fromkeys(
            f"{verdict.tree.name} at {verdict.tree.commit[:SHOWN_COMMIT]}: {verdict.reference.text} became "
            f"{verdict.rename.to} in {verdict.rename.commit[:SHOWN_COMMIT]} on {verdict.rename.on.isoformat()}"
            for verdict in done
        )
    )
    probes = tuple(dict.fromkeys(f"probe:{verdict.tree.name}" for verdict in done))
    dated = min(today, max([verdict.rename.on for verdict in done] + ([entry.date] if entry.date else [])))
    new = recited(entry, text, sources=probes, dated=dated)
    moved = ", ".join(dict.fromkeys(verdict.reference.text for verdict in done))
    basis = Basis(sources=probes, dated=dated, evidence=evidence, why=f"{moved} moved")
    return Revise(span=span, new=new, basis=basis)
