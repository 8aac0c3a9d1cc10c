"""What is wrong with a memory as it stands, for people to mend: the checker behind `dream check`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from dream.checker.catalog import check_catalog
from dream.checker.entries import check_entries
from dream.checker.finding import Finding, at_most, find, shown
from dream.checker.five_files import check_five_files
from dream.checker.formatting import check_formatting
from dream.checker.frontmatter import check_frontmatter, keeps_frontmatter
from dream.checker.index import check_index
from dream.checker.learnings import check_learning
from dream.checker.limits import CheckLimits
from dream.checker.links import check_links
from dream.checker.names import check_names
from dream.checker.notes import check_form
from dream.checker.pins import Asking, check_pins
from dream.checker.safety import check_instructions, check_secrets, text_of
from dream.checker.subject import Subject, read_subject
from dream.checker.topics import check_topics
from dream.checker.waiver_file import MOST_BYTES, read_waivers
from dream.checker.waivers import FILE, BrokenWaivers, Waivers, judge
from dream.memory.layouts import Layout
from dream.memory.limits import IndexLimits
from dream.memory.notes import Note, NoteCache, NoteStyle
from dream.memory.paths import FLOW_FOLDER, Kind, kind_of
from dream.memory.tree import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """What is to be mended in a memory, how it is laid out, and how many findings of each rule it waives itself."""

    findings: tuple[Finding, ...]
    layout: Layout
    waived: Mapping[str, int]


def check(
    tree: Tree,
    notes: NoteCache,
    index: IndexLimits,
    *,
    limits: CheckLimits | None = None,
    today: date | None = None,
    asking: Asking | None = None,
) -> tuple[Finding, ...]:
    """Return everything to mend in `tree`, by path and line; the work grows with the memory and no faster.

    Where `asking` says what its organisation can ask of its systems, pinned checks that it cannot ask are found.
    Without `today` nothing is too old and nothing of a day to come.
    """
    return inspect(read_subject(tree, notes, index, limits=limits, today=today, asking=asking)).findings


def inspect(subject: Subject) -> Inspection:
    """Return what is to be mended in a memory that is read, by path and line, without what it waives."""
    judged = judge(find_all(subject), waivers_of(subject.tree), today=subject.today)
    return Inspection(findings=judged.findings, layout=subject.layout, waived=judged.waived)


def waivers_of(tree: Tree) -> Waivers | BrokenWaivers:
    """Return what a memory waives: nothing without a file, or with one that is no regular file."""
    if FILE in tree.oddities():
        return BrokenWaivers(line=0, reason=tree.oddities()[FILE])
    if tree.size(FILE) > MOST_BYTES:
        return BrokenWaivers(line=0, reason=f"over {MOST_BYTES // 1000} kB")
    data = tree.read(FILE)
    return Waivers() if data is None else read_waivers(data)


def find_all(subject: Subject) -> tuple[Finding, ...]:
    """Return everything to mend in a memory that is read, by path and line, whatever it waives."""
    found = [
        *check_names(subject),
        *check_index(subject),
        *check_links(subject),
        *check_catalog(subject),
        *check_five_files(subject),
        *_files(subject),
        *_notes(subject),
        *_topic_notes(subject),
    ]
    return tuple(sorted(found))


def _files(subject: Subject) -> Iterator[Finding]:
    for path in subject.tree.paths():
        if path.startswith(FLOW_FOLDER):
            # What reads these files takes as long to import as everything else, and a plain folder has none.
            from dream.checker.flow_files import check_flow_file  # noqa: PLC0415

            yield from check_flow_file(subject.tree, path, subject.foreign)
        elif kind_of(path) in {Kind.ASSET, Kind.DOT}:
            yield from check_secrets(path, text_of(subject, path))
        elif kind_of(path) is Kind.LEARNING:
            yield from check_learning(path, subject.tree.read(path) or b"")


def _notes(subject: Subject) -> Iterator[Finding]:
    for path, note in subject.notes.items():
        yield from check_form(path, note)
        if isinstance(note, Note):
            yield from check_secrets(path, note.text)
            yield from check_instructions(path, note)
            yield from _pins(path, note, subject.asking)


def _topic_notes(subject: Subject) -> Iterator[Finding]:
    topics = subject.topics
    kept = keeps_frontmatter(topics)
    cites = any(note.style is NoteStyle.DATED and any(e.sources for e in note.entries) for note in topics.values())
    for path, note in topics.items():
        yield from check_frontmatter(path, note, kept=kept)
        yield from check_entries(path, note, subject, cites=cites)
        yield from at_most(check_formatting(path, note), subject.limits.per_note)
    yield from check_topics(topics, subject.limits.topics)


def _pins(path: str, note: Note, asking: Asking | None) -> Iterator[Finding]:
    for trouble in check_pins(path, note, asking):
        finding = find(trouble.rule, path, shown(trouble.message), line=trouble.line + 1)
        yield replace(finding, way_out=trouble.way_out) if trouble.way_out else finding
