"""Two notes on one topic come to one: what both say is merged, the rest moves, and the empty note goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dream.guards.sameness.covering import uncovered
from dream.guards.verdicts.environments import environments_in, regions_in
from dream.memory.notes import Entry, Note, NoteStyle
from dream.memory.operations import Basis, Merge, Move, Operation, Remove, Span
from dream.memory.outcomes import Item
from dream.memory.paths import is_topic
from tasks.duplicates import merged_entry
from tasks.entries import span_of
from tasks.link_repairs import Moves, repairs
from tasks.tidying.merging import WRITTEN_TODAY, Rules
from tasks.tidying.nominations import Nomination
from tasks.tidying.places import place_in
from tasks.tidying.staging import Stage

_WHOLE = frozenset({NoteStyle.DATED, NoteStyle.PLAIN})


def merge_notes(nomination: Nomination, rules: Rules) -> Item:
    """Return the item that two notes ruled to be about one thing come to; all of its operations are taken, or none."""
    item = Item(id=nomination.id, digest=nomination.digest, whole=True)
    stage = rules.stage
    paths = [place.path for place in nomination.places]
    if any(stage.place(place) is None for place in nomination.places):
        return replace(item, reason="changed-tonight", pending=True)
    kept, gone = sorted(paths, key=lambda path: (not stage.is_protected(path), -len(stage.linking(path)), path))
    into, note = stage.note(kept), stage.note(gone)
    if into is None or note is None or (reason := _obstacle(kept, into, gone, note, rules)):
        reason = "changed-tonight" if into is None or note is None else reason
        return replace(item, reason=reason, pending=reason == WRITTEN_TODAY)
    before = stage.mark()
    operations: list[Operation] = []
    for entry in note.entries:
        operation = _taken_over(kept, gone, entry, stage)
        if operation is None or not stage.take([operation]):
            stage.back_to(before)
            return replace(item, reason="not-to-be-moved")
        operations.append(operation)
    why = f"{kept} holds what it held"
    operations.append(Remove(span=Span(path=gone, text=None, blob=stage.blob(gone)), basis=Basis(why=why)))
    operations += _links(kept, gone, stage)
    stage.back_to(before)
    return replace(item, operations=tuple(operations))


def are_of_two_topics(nomination: Nomination) -> bool:
    """Whether two notes are about two things by their titles alone: code can say that, and asks nobody."""
    titles = [place.note.title for place in nomination.places]
    return len(titles) > 1 and bool(uncovered(titles[0], titles[1]) and uncovered(titles[1], titles[0]))


def _obstacle(kept: str, into: Note, gone: str, note: Note, rules: Rules) -> str:
    if into.style not in _WHOLE or note.style is not into.style or note.frontmatter or into.frontmatter:
        return "another-kind-of-note"
    if any(rules.fresh.is_fresh(gone, entry) for entry in note.entries):
        return WRITTEN_TODAY
    if len(note.entries) > rules.limits.joined_entries or any(not line.startswith("#") for line in note.other):
        return "holds-more-than-statements"
    above = [
        [path, one.title, *(line for line in one.other if line.startswith("#"))]
        for path, one in ((kept, into), (gone, note))
    ]
    if environments_in(above[0]) | regions_in(above[0]) != environments_in(above[1]) | regions_in(above[1]):
        return "another-environment"
    if uncovered(into.title, note.title):
        return "another-title"
    return "both-linked" if rules.stage.is_protected(gone) else ""


def _taken_over(kept: str, gone: str, entry: Entry, stage: Stage) -> Operation | None:
    into, note = stage.note(kept), stage.note(gone)
    here = next((one for one in note.entries if one.key == entry.key), None) if note else None
    if into is None or note is None or here is None:
        return None
    section = place_in(gone, note, here).section.rstrip()
    under = section if section.startswith("##") else None
    span = span_of(gone, note, here)
    for standing in into.entries:
        if place_in(kept, into, standing).section.rstrip() in {section, ""} and not uncovered(standing.key, here.key):
            return Merge(
                into=span_of(kept, into, standing),
                new=merged_entry(standing, [here]),
                absorbed=(span,),
                basis=Basis(
                    sources=tuple(dict.fromkeys((*standing.sources, *here.sources))),
                    dated=min((one.date for one in (standing, here) if one.date), default=None),
                    why=f"{kept}:{standing.start + 1} stays and says what {gone}:{here.start + 1} said",
                ),
            )
    return Move(span=span, to=kept, under=under, basis=Basis(sources=here.sources, why=f"{kept} is about the same"))


def _links(kept: str, gone: str, stage: Stage) -> Iterator[Operation]:
    moves = Moves([path for path in stage.tree.paths() if path != gone], {gone: kept}, moved=False)
    for path in sorted(stage.linking(gone)):
        note = stage.note(path)
        if note is not None and is_topic(path):
            yield from repairs(path, note, moves, why=f"{kept} holds what the note held that it led to")
