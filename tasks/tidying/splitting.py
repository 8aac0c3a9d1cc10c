"""A note about several things: each section about another one gets a note of its own, with the words of its heading."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict

from dream.memory.links.anchors import Heading, find_anchors
from dream.memory.links.notation import PathLookup, resolve, retarget, scan_links, target_to
from dream.memory.notes import Note, NoteStyle
from dream.memory.operations import Basis, Move, Operation, Revise, Span
from dream.memory.outcomes import Item
from dream.memory.paths import HOLDING, is_creatable, is_topic, kind_of
from dream.memory.sources import Origin
from dream.models.port import Model, Replied
from prompts.loading import load_template
from tasks.tidying.asking import TOO_LONG, WITHHELD, Screen
from tasks.tidying.merging import WRITTEN_TODAY, Rules
from tasks.tidying.nominations import Nomination, Place
from tasks.tidying.staging import Stage
from tasks.unanswered import waits_for

_SECTION = 2
_FEWEST = 2


class Apart(BaseModel):
    """The sections of a note that are about something else."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    reasoning: str
    apart: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Section:
    heading: Heading
    path: str
    text: str


def split_note(nomination: Nomination, model: Model, rules: Rules, *, screen: Screen, salt: str) -> Item:
    """Return the item that a note nominated for several topics comes to; all of its moves are taken, or none."""
    item = Item(id=nomination.id, digest=nomination.digest, whole=True)
    place = rules.stage.place(nomination.places[0])
    if place is None:
        return replace(item, reason="changed-tonight", pending=True)
    sections = _sections(place.path, place.note, rules.stage)
    shown = "\n".join(f"{number}. {one.text.lstrip('# ')}" for number, one in enumerate(sections, 1))
    if reason := _not_asked(place, sections, shown, rules, screen):
        return replace(item, reason=reason, pending=reason == WRITTEN_TODAY)
    prompt = load_template("tidy/split").render(
        {"count": len(sections)}, {"title": f"{place.path}: {place.note.title}", "sections": shown}, salt=salt
    )
    answer = model.ask(prompt, Apart)
    if not isinstance(answer, Replied):
        return replace(item, reason=waits_for("model", answer.reason), pending=True)
    chosen = [sections[number - 1] for number in dict.fromkeys(answer.reply.apart) if 1 <= number <= len(sections)]
    operations = _split(place, sections, chosen, rules)
    return replace(item, reason=operations) if isinstance(operations, str) else replace(item, operations=operations)


def _not_asked(place: Place, sections: Sequence[_Section], shown: str, rules: Rules, screen: Screen) -> str:
    """Return why nobody is asked about a note, empty where somebody is."""
    if len(sections) < _FEWEST or place.note.style not in {NoteStyle.DATED, NoteStyle.PLAIN}:
        return "no-sections"
    if any(rules.fresh.is_fresh(place.path, entry) for entry in place.note.entries):
        return WRITTEN_TODAY
    if any(screen(line, Origin.AGENT) != line for line in shown.split("\n")):
        return WITHHELD
    return TOO_LONG if len(shown) > rules.limits.question_characters else ""


def _split(
    place: Place, sections: Sequence[_Section], apart: Sequence[_Section], rules: Rules
) -> tuple[Operation, ...] | str:
    """Return the operations that give sections of `apart` notes of their own, or why there are none."""
    chosen = [one for one in apart if one.path][: rules.limits.sections]
    if len(chosen) == len(sections) and not _stays_about_something(place.note, sections):
        chosen = chosen[1:]
    if not chosen:
        return "no-names" if apart else "one-topic"
    if len({one.path for one in chosen}) < len(chosen):
        return "no-names"
    operations = _moves(place.path, chosen, rules.stage)
    return "linked-note" if operations is None else operations


def _sections(path: str, note: Note, stage: Stage) -> list[_Section]:
    """Return the sections right under the title, each with where it would stand; none of a note with other titles."""
    headings = find_anchors(note.text).headings
    if sum(heading.level < _SECTION for heading in headings) > 1:
        return []
    folder = path.rpartition("/")[0]
    found = []
    for heading in headings:
        if heading.level != _SECTION or not note.lines[heading.line].startswith("## "):
            continue
        end = heading.end
        while end > heading.line + 1 and not note.lines[end - 1].strip():
            end -= 1
        new = "/".join(filter(None, [folder, f"{heading.slug.strip('-')}.md"]))
        is_free = is_creatable(new) and stage.tree.blob(new) is None and is_topic(new)
        has_text = any(entry.start > heading.line and entry.end <= end for entry in note.entries)
        text = "\n".join(note.lines[heading.line : end])
        if has_text:
            found.append(_Section(heading=heading, path=new if is_free else "", text=text))
    return found


def _stays_about_something(note: Note, sections: Collection[_Section]) -> bool:
    first = min(one.heading.line for one in sections)
    return any(entry.end <= first for entry in note.entries)


def _moves(path: str, chosen: Collection[_Section], stage: Stage) -> tuple[Operation, ...] | None:
    """Return the moves of sections out of the note at `path` and the repairs of links to them; None: one must stay."""
    operations: list[Operation] = [
        Move(
            span=Span(path=path, text=one.text),
            to=one.path,
            opening=f"# {one.heading.text}",
            basis=Basis(why=f"its section {one.heading.line + 1} is about something else"),
        )
        for one in chosen
    ]
    by_slug = {one.heading.slug: one for one in chosen}
    anchors = find_anchors(note.text) if (note := stage.note(path)) else None
    if anchors is None:
        return None
    for other in sorted({path, *stage.linking(path)}):
        lines = list(_repaired(other, path, by_slug, stage))
        if lines and kind_of(other) in HOLDING:
            return None
        operations += lines if is_topic(other) else []
    return tuple(operations)


def _repaired(other: str, path: str, by_slug: Mapping[str, _Section], stage: Stage) -> Iterator[Revise]:
    """Yield the lines of the note at `other` whose links lead into a section that goes, pointed at its new note."""
    note, split = stage.note(other), stage.note(path)
    if note is None or split is None:
        return
    anchors = find_anchors(split.text)
    lookup = PathLookup(frozenset(stage.tree.paths()))
    for link in reversed(scan_links(note.text)):
        leads_here = (resolve(other, link, lookup) == path) if link.target else other == path
        heading = anchors.heading(link.anchor, is_wiki=link.kind == "wiki") if link.anchor and leads_here else None
        section = next(
            (one for one in by_slug.values() if heading and one.heading.line <= heading.line < one.heading.end), None
        )
        if section is None or (other == path and section.heading.line <= link.line < section.heading.end):
            continue
        line = note.lines[link.line]
        new = retarget(line, link, target_to(other, link, section.path))
        span = Span(path=other, text=line, occurrence=note.lines[: link.line].count(line))
        yield Revise(span=span, new=new, basis=Basis(why=f"{section.path} holds it now", evidence=(section.path,)))
