"""What is of the five-file layout alone: tasks that are done and still stand among those to do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dream.checker.finding import Finding, at_most, find
from dream.checker.subject import Subject
from dream.memory.layouts import FIVE_TASKS, Layout
from dream.memory.notes import Note
from dream.memory.scan import Shape, scan

_COMPLETED = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+\[[xX]\](?:[ \t]|\Z)")


def check_five_files(subject: Subject) -> Iterator[Finding]:
    """Yield what is wrong with the five files, nothing in a memory that is laid out otherwise."""
    note = subject.notes.get(FIVE_TASKS)
    if subject.layout is Layout.FIVE_FILES and isinstance(note, Note):
        yield from at_most(_completed(note), subject.limits.per_note)


def _completed(note: Note) -> Iterator[Finding]:
    found = scan(note.lines, note.frontmatter.end if note.frontmatter else 0)
    for block in found.blocks:
        for number in range(block.start, block.end) if block.shape is Shape.ITEM else ():
            if number not in found.verbatim and _COMPLETED.match(note.lines[number]):
                yield find("task-completed", FIVE_TASKS, "done", line=number + 1)
