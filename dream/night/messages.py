"""Commit messages, built from what was really applied and the evidence that was recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from textwrap import wrap

from dream.memory.outcomes import Changed
from dream.memory.records import Effect
from dream.night.steps import PlannedTask
from dream.repository.draft import describe

MAX_LINES = 60
MAX_OPERATION_LINES = 600
"""Lines of a task's operations and their evidence, which stands whole nowhere but in its commit."""

WIDTH = 200
_LABEL_WIDTH = len("  evidence: ")


def task_subject(name: str, *, night: date, summary: str) -> str:
    """Return the subject of a task's commit, such as `tidy: 2 of 3 inputs, 2 edits (night 2026-10-22)`."""
    return f"{name.replace('_', ' ')}: {summary} (night {night.isoformat()})"


def files_summary(count: int) -> str:
    """Return the summary of a commit of so many files."""
    return "1 file" if count == 1 else f"{count} files"


def task_body(planned: PlannedTask, effects: Sequence[Effect]) -> str:
    """Return the body: every applied operation with its reason and evidence, then what was removed."""
    lines: list[str] = []
    for operation in planned.operations:
        basis = operation.basis
        lines.append(f"- {describe(operation)}" + (f": {basis.why}" if basis.why else ""))
        lines.extend(f"  evidence: {part}" for evidence in basis.evidence for part in _parts(evidence))
        if basis.sources:
            lines.append(f"  sources: {', '.join(basis.sources)}")
    gone = sorted({path for effect in effects for path in effect.deleted})
    if gone:
        lines += ["", "Taken away, whole:", *(f"- {path}" for path in gone)]
    return bounded(lines, most=MAX_OPERATION_LINES)


def _parts(evidence: str) -> Sequence[str]:
    """Return a line of evidence as lines that are shown whole: what counts may stand at its end."""
    return wrap(evidence, WIDTH - _LABEL_WIDTH, break_long_words=False, break_on_hyphens=False)


def files_body(files: Mapping[str, bytes | None], findings: Sequence[str]) -> str:
    """Return the body of a commit of files made afresh."""
    written = [f"- {'write' if data is not None else 'take away'} {path}" for path, data in sorted(files.items())]
    return bounded([*written, *(["", *findings] if findings else [])])


def bounded(lines: Sequence[str], *, most: int = MAX_LINES) -> str:
    """Return `lines` as one text of at most `most` lines of WIDTH characters, saying what it left out."""
    kept = [line if len(line) <= WIDTH else line[: WIDTH - 1] + "…" for line in lines[:most]]
    if len(lines) > most:
        kept.append(f"… and {len(lines) - most} more lines, all in the report")
    return "\n".join(kept)


def summary_of(planned: PlannedTask) -> str:
    """Return what a task's commit says of it."""
    return planned.outcome.summary if isinstance(planned.outcome, Changed) else "nothing"
