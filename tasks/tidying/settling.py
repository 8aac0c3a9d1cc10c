"""Two statements at odds: the one that is shown to be out of date goes; else both stay, and their notes say so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dream.guards.supersessions import superseding
from dream.memory.disputes import Dispute, dispute, in_short, is_dispute, read_dispute
from dream.memory.notes import Note, NoteStyle
from dream.memory.operations import Basis, Remove, Revise, Span
from dream.memory.outcomes import Item
from dream.memory.paths import is_topic
from tasks.entries import span_of
from tasks.tidying.merging import WRITTEN_TODAY, Rules, environments_of
from tasks.tidying.nominations import Nomination, Place
from tasks.tidying.staging import Stage, digest_of


def settle_contradiction(nomination: Nomination, rules: Rules) -> tuple[Item, str]:
    """Return the item that two statements ruled to be at odds come to, and a line for the report if both stay."""
    item = Item(id=nomination.id, digest=nomination.digest)
    found = [rules.stage.place(place) for place in nomination.places]
    places = [place for place in found if place is not None and place.entry is not None]
    if len(places) != len(nomination.places):
        return replace(item, reason="changed-tonight", pending=True), ""
    one, other = places
    for winner, loser in ((one, other), (other, one)):
        removal = _removal(winner, loser)
        if removal is None:
            continue
        if loser.entry is not None and rules.fresh.is_fresh(loser.path, loser.entry):
            return replace(item, reason=WRITTEN_TODAY, pending=True), ""
        if len(loser.note.entries) == 1:
            break
        return replace(item, operations=(removal,)), ""
    told = f"{one.shown} and {other.shown} are at odds; nothing shows which of them holds"
    sides = ((one, other), (other, one)) if one.path != other.path else ((one, other),)
    lines = [line for here, there in sides for line in _told_in(here, there, rules.stage, most=rules.limits.disputes)]
    return replace(item, operations=tuple(lines), reason="" if lines else "at-odds"), told


def lines_to_take_away(stage: Stage) -> Iterator[Item]:
    """Yield an item for each note with a line about a dispute of which a side no longer stands where it says."""
    for path in stage.tree.paths():
        if not is_topic(path):
            continue
        note = stage.note(path)
        if note is None or "\n> Disputed: " not in note.text:
            continue
        told = [(number, read_dispute(line)) for number, line in enumerate(note.lines) if is_dispute(line)]
        over = {number for number, one in told if one is not None and not _stands(path, one, stage)}
        if not over:
            continue
        first = _title_line(note)
        if first is None or not _is_head(note, first, {number for number, _ in told}):
            continue
        last = max(number for number, _ in told)
        kept = [note.lines[n].rstrip("\r") for n in range(first, last + 1) if n not in over]
        while len(kept) > 1 and not kept[-1]:
            kept.pop()
        revision = Revise(
            span=_lines(path, note, first, last + 1),
            new="\n".join(kept),
            basis=Basis(why="what was disputed is settled"),
        )
        yield Item(id=f"{path}: disputes", digest=digest_of(note.text), operations=(revision,))


def _removal(winner: Place, loser: Place) -> Remove | None:
    if winner.entry is None or loser.entry is None or environments_of(winner) != environments_of(loser):
        return None
    evidence = superseding(winner.entry, loser.entry)
    if not evidence:
        return None
    return Remove(
        span=span_of(loser.path, loser.note, loser.entry),
        basis=Basis(
            dated=winner.entry.date,
            evidence=(evidence,),
            why=f"{winner.shown} is later and better founded",
            reads=(span_of(winner.path, winner.note, winner.entry),),
        ),
    )


def _told_in(here: Place, there: Place, stage: Stage, *, most: int) -> Sequence[Revise]:
    """Return the edit that tells the dispute under the title of a note; none where it is told, or `most` others are.

    More say no more than that the note is not to be relied on.
    """
    note = stage.note(here.path)
    first = _title_line(note) if note else None
    if note is None or first is None or here.entry is None or there.entry is None:
        return ()
    standing = [number for number, line in enumerate(note.lines) if is_dispute(line)]
    line = dispute(here.entry.key, there.path, there.entry.key).line
    if len(standing) >= most or read_dispute(line) is None or line in [note.lines[n].rstrip("\r") for n in standing]:
        return ()
    if not _is_head(note, first, set(standing)):
        return ()
    last = max(standing, default=first)
    above = [text.rstrip("\r") for text in note.lines[first : last + 1]]
    return (
        Revise(
            span=_lines(here.path, note, first, last + 1),
            new="\n".join([*above, *([] if standing else [""]), line]),
            basis=Basis(why=f"{here.shown} and {there.shown} are at odds", evidence=(line,)),
        ),
    )


def _title_line(note: Note) -> int | None:
    """Return the line of the title, where a note has one before everything else and is no single statement."""
    if note.style in {NoteStyle.FRONTMATTER, NoteStyle.SECTIONS}:
        return None
    start = note.frontmatter.end if note.frontmatter else 0
    first = next((n for n in range(start, len(note.lines)) if note.lines[n].strip()), None)
    return first if first is not None and note.lines[first].removeprefix("\ufeff").startswith("# ") else None


def _is_head(note: Note, first: int, told: set[int]) -> bool:
    """Whether lines about disputes stand under the title and nothing else does between."""
    last = max(told, default=first)
    return all(n in told or not note.lines[n].strip() for n in range(first + 1, last + 1))


def _lines(path: str, note: Note, start: int, end: int) -> Span:
    return Span(path=path, text="\n".join(note.lines[start:end]))


def _stands(path: str, told: Dispute, stage: Stage) -> bool:
    return all(
        (note := stage.note(where)) is not None and any(in_short(entry.key) == said for entry in note.entries)
        for where, said in ((path, told.here), (told.path, told.there))
    )
