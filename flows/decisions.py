"""What people decide of learnings: a suggestion accepted, a learning taken away, each in a person's name."""

from __future__ import annotations

from collections.abc import Mapping

from dream.errors import DreamError, UsageError
from dream.guards.ownership import guard_ownership
from dream.guards.paths import PathGuard
from dream.guards.screen import guard_screen, screen_text
from dream.guards.secrets import guard_secrets
from dream.guards.sizes import SizeGuard
from dream.guards.triggers import TriggerLimits, check_trigger
from dream.memory.applying import Files
from dream.memory.notes import NoteCache
from dream.memory.operations import Add, Basis, Operation, Refusal, Remove, Revise, Span
from dream.memory.skills import Skill, check_skill, learning_name, learning_path, parse_skill, render_opening
from dream.memory.sources import Origin
from dream.memory.tree import Tree
from dream.memory.undoing.undone import effect_paths, open_effects
from dream.night.survey import Survey
from dream.repository.commits import Identity
from dream.repository.draft import Draft
from dream.repository.mirror import Mirror
from dream.repository.writers import writers
from flows.changing import Change, Decided, Settled, land_change
from flows.clock import Clock
from flows.lessons import writer_of
from flows.suggestions import Suggestion
from flows.taught import trigger_limits
from flows.workplace import Workplace

TASK = "learnings"


class RefusedError(DreamError):
    """A guard refuses what a person would land; nothing landed."""


def person_called(text: str, *, organisation: str) -> Identity:
    """Return who `NAME` or `NAME <MAIL>` is; without a mail address it is one that leads nowhere.

    Raises:
        UsageError: there is no name in it, or something that nobody can read.
    """
    name, opening, rest = text.partition("<")
    name = " ".join(name.split())
    mail = rest.removesuffix(">").strip() if opening else ""
    if not name or not text.isprintable() or len(mail.split()) > 1:
        message = "who decides? a commit is in somebody's name"
        raise UsageError(message, way_out='--by "Ana Lind" or --by "Ana Lind <ana@acme.example>"')
    plain = "-".join("".join(char if char.isascii() and char.isalnum() else " " for char in name.lower()).split())
    return Identity(name, mail or f"{plain or 'person'}@{organisation}.invalid")


def triggers_in(tree: Tree, *, but: str = "") -> Mapping[str, str]:
    """Return when each learning of `tree` is used, by name, `but` one of them."""
    found = {}
    for path in tree.paths():
        name = learning_name(path)
        if not name or name == but:
            continue
        skill = parse_skill(tree.read(path) or b"")
        if isinstance(skill, Skill):
            found[name] = skill.description
    return found


def examine(
    skill: Skill, *, base: str, tree: Tree, by: str, limits: TriggerLimits, most_bytes: int
) -> Files | tuple[Refusal, ...]:
    """Return the files that make `skill` a learning of `tree`, or everything that is held against it.

    `base` is the blob that it replaces, empty for a new one; `by` is the person who answers for it. Its text is
    screened as an agent's whoever that is, because an agent may have written it.
    """
    refusals = [Refusal("not-a-skill", finding) for finding in check_skill(skill, folder=skill.name)]
    if refusals:
        return tuple(refusals)
    trigger = check_trigger(
        skill.description, evidence=(skill.body,), others=triggers_in(tree, but=skill.name), limits=limits
    )
    withheld = screen_text(f"{skill.description}\n\n{skill.body}", origin=Origin.AGENT)
    draft = Draft(
        tree,
        task=TASK,
        guards=(
            guard_ownership,
            PathGuard(NoteCache(max_bytes=most_bytes)),
            SizeGuard(max_note_bytes=most_bytes),
            guard_secrets,
            guard_screen,
        ),
    )
    applied = draft.apply(_operation(skill, base=base, by=by))
    refusals = [
        *([] if trigger is None else [trigger]),
        *([] if withheld is None else [Refusal(withheld.reason, withheld.detail)]),
        *([applied] if isinstance(applied, Refusal) else []),
    ]
    return tuple(refusals) or draft.files


def accept_suggestion(workplace: Workplace, suggestion: Suggestion, *, person: Identity, clock: Clock) -> Decided:
    """Land `suggestion` as one commit of `person`, or say why nothing was to be done.

    Raises:
        RefusedError: a guard refuses it, or the learning changed since it was suggested.
        DreamError: nothing landed, and why.
    """
    path, data, limits = learning_path(suggestion.name), suggestion.data, workplace.organisation.limits

    def change(mirror: Mirror, survey: Survey) -> Change | Settled:
        standing = survey.tree.blob(path) or ""
        if standing and survey.tree.read(path) == data:
            return Settled(reason=f"{path} says this already, by {writer_of(mirror, path, survey.head)}")
        if standing != suggestion.base:
            what = "was changed" if standing and suggestion.base else "was made" if standing else "was taken away"
            by = f" by {writer_of(mirror, path, survey.head)}" if standing else ""
            message = f"{path} {what}{by} since this was suggested"
            raise RefusedError(message, way_out=f"see it, and suggest anew: dream learnings list {workplace.name}")
        files = examine(
            suggestion.skill,
            base=suggestion.base,
            tree=survey.tree,
            by=person.name,
            limits=trigger_limits(limits.triggers),
            most_bytes=limits.notes.most_bytes,
        )
        if isinstance(files, tuple):
            told = "; ".join(f"{one.reason}: {one.detail}" if one.detail else one.reason for one in files)
            message = f"{path} is refused: {told}"
            raise RefusedError(message, way_out=f"reject it: dream learnings reject {workplace.name} {suggestion.id}")
        verb = "change" if suggestion.base else "add"
        body = f"{suggestion.trigger}\n\nSuggested by {suggestion.suggested_by} ({suggestion.id})."
        return Change(files=files, subject=f"learnings: {verb} {suggestion.name}", body=body)

    return land_change(workplace, change, person=person, clock=clock)


def undo_learning(workplace: Workplace, name: str, *, person: Identity, why: str, clock: Clock) -> Decided:
    """Take the learning called `name` away as one commit of `person`; no night makes it again.

    Raises:
        UsageError: there is no such learning, and the branch has never had one.
        DreamError: nothing landed, and why.
    """
    path = learning_path(name)

    def change(mirror: Mirror, survey: Survey) -> Change | Settled:
        blob = survey.tree.blob(path)
        if blob is None:
            if not survey.head or next(writers(mirror.repository, path, survey.head, mirror.prefix), None) is None:
                known = ", ".join(sorted(triggers_in(survey.tree))) or "none"
                message = f"{workplace.name} has no learning {name!r}"
                raise UsageError(message, way_out=f"its learnings: {known}")
            return Settled(reason=f"{path} is gone already")
        draft = Draft(survey.tree, task=TASK, guards=(guard_ownership,))
        refusal = draft.apply(Remove(span=Span(path=path, text=None, blob=blob)))
        if isinstance(refusal, Refusal):
            message = f"{path} is left alone: {refusal.reason} {refusal.detail}"
            raise RefusedError(
                message, way_out="take it away in the memory by hand: nights undo no change of a person's"
            )
        gone = {stone.effect for stone in survey.tombstones}
        ended = tuple(one for one in open_effects(survey.records, without=gone) if path in effect_paths(one))
        return Change(files=draft.files, subject=f"learnings: take {name} away", body=why, ended=ended)

    return land_change(workplace, change, person=person, clock=clock)


def _operation(skill: Skill, *, base: str, by: str) -> Operation:
    """Return the edit that makes `skill` stand; who accepts it answers for its links as well."""
    path, opening = learning_path(skill.name), render_opening(skill)
    basis = Basis(sources=(f"person:{by}",), evidence=(skill.body,))
    if base:
        span = Span(path=path, text=None, blob=base)
        return Revise(span=span, new=f"{opening}\n\n{skill.body}\n", basis=basis)
    return Add(path=path, text=skill.body, opening=opening, basis=basis)
