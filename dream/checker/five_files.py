"""What is of the five-file layout alone: tasks that are done and still stand among those to do."""

from __future__ import annotations

from collections.abc import Iterator

from dream.checker.finding import Finding, at_most, find
from dream.checker.subject import Subject
from dream.memory.completed import completed_tasks
from dream.memory.layouts import FIVE_TASKS, Layout
from dream.memory.notes import Note


def check_five_files(subject: Subject) -> Iterator[Finding]:
    """Yield what is wrong with the five files, nothing in a memory that is laid out otherwise."""
    note = subject.notes.get(FIVE_TASKS)
    if subject.layout is Layout.FIVE_FILES and isinstance(note, Note):
        yield from at_most(_completed(note), subject.limits.per_note)


def _completed(note: Note) -> Iterator[Finding]:
    """Yield where each task begins that a night would take away."""
    for start, _ in completed_tasks(note.text):
        yield find("task-completed", FIVE_TASKS, "done", line=start + 1)
