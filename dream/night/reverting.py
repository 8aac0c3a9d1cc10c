"""Taking back what a night did, operation by operation, on whatever head the branch now has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from dream.memory.inverting import invert_effect, is_gone, stands
from dream.memory.operations import Refusal
from dream.memory.records import Effect, NightRecord
from dream.memory.tree import OverlayTree, Tree
from dream.memory.undone import effect_paths, open_effects
from dream.night.branch import Branch, Signing
from dream.night.steps import Rewritten
from dream.night.survey import Survey
from dream.repository.blobs import read_blob
from dream.repository.mirror import Mirror

CHANGED_LATER = "changed-by-a-later-edit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """An effect that could not be taken back, and why."""

    effect: Effect
    reason: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reverted:
    """Commits that take back a night's effects, the effects themselves, and those that conflict."""

    tip: str
    commits: tuple[str, ...]
    effects: tuple[Effect, ...]
    conflicts: tuple[Conflict, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Undoing:
    """What taking back needs: who commits, whose effects, and how index and state are made afresh.

    `retry` lifts what was found undone of them as well, so that they are done again.
    """

    signing: Signing
    night: date
    tasks: Sequence[str]
    retry: bool = False
    index: Callable[[Survey, Tree], Rewritten]
    state: Callable[[Survey, Tree, NightRecord, str, Sequence[Effect]], Rewritten]


def revert_effects(mirror: Mirror, survey: Survey, record: NightRecord, undoing: Undoing) -> Reverted:
    """Build the commits that take back what the tasks of `record` did; nothing is pushed.

    What the flow itself changed later, and that is not taken back with it, conflicts; what somebody has undone already
    is left as it is, and what was taken back and somebody has brought back is taken back again.
    """
    branch = Branch(mirror, survey.tree, survey.head, undoing.signing)
    undone = {stone.effect for stone in survey.tombstones}
    record = _with_brought_back(record, undone, survey.tree)
    records = [record if one.night == record.night else one for one in survey.records]
    taken_back: list[Effect] = []
    conflicts: list[Conflict] = []
    for task in reversed(undoing.tasks):
        effects = [one for one in record.effects if one.task == task and not one.reverted]
        tree, files = branch.tree, dict[str, bytes | None]()
        done: list[Effect] = []
        for effect in reversed(effects):
            now = OverlayTree(tree, files)
            if effect.id in undone and is_gone(effect, now):
                continue
            if not _is_open(effect, records, taken_back=(*taken_back, *done)):
                conflicts.append(Conflict(effect=effect, reason=CHANGED_LATER, path=min(effect_paths(effect))))
                continue
            inverse = invert_effect(now, effect, restore=partial(read_blob, mirror.repository))
            if isinstance(inverse, Refusal):
                conflicts.append(Conflict(effect=effect, reason=inverse.reason, path=inverse.detail))
                continue
            files.update(inverse)
            done.append(effect)
        counted_edits = "1 edit" if len(done) == 1 else f"{len(done)} edits"
        branch.commit(
            task,
            files,
            subject=f"revert {task.replace('_', ' ')} of the night {undoing.night.isoformat()}: {counted_edits}",
            body="\n".join(f"- {one.kind} in {', '.join(sorted(effect_paths(one)))}" for one in done),
        )
        taken_back += done
    lifted = [one for one in record.effects if undoing.retry and one.task in undoing.tasks and one.id in undone]
    if taken_back or lifted:
        _settle(branch, survey, _marked(record, (*taken_back, *lifted)), undoing, taken_back)
    return Reverted(
        tip=branch.tip,
        commits=tuple(branch.commits),
        effects=tuple(taken_back),
        conflicts=tuple(conflicts),
    )


def _with_brought_back(record: NightRecord, undone: Collection[str], tree: Tree) -> NightRecord:
    """Return `record` in which nothing counts as reverted that is `undone` and stands again nevertheless."""
    effects = (
        one.model_copy(update={"reverted": False}) if one.reverted and one.id in undone and stands(one, tree) else one
        for one in record.effects
    )
    return record.model_copy(update={"effects": tuple(effects)})


def _is_open(effect: Effect, records: Sequence[NightRecord], *, taken_back: Sequence[Effect]) -> bool:
    """Whether nothing that the flow did later, `taken_back` apart, stands on `effect`."""
    return any(one is effect for one in open_effects(records, without={one.id for one in taken_back}))


def _marked(record: NightRecord, gone: Sequence[Effect]) -> NightRecord:
    """Return `record` with the effects that are `gone` marked as reverted."""
    ids = {effect.id for effect in gone}
    effects = (one.model_copy(update={"reverted": True}) if one.id in ids else one for one in record.effects)
    return record.model_copy(update={"effects": tuple(effects)})


def _settle(
    branch: Branch, survey: Survey, record: NightRecord, undoing: Undoing, taken_back: Sequence[Effect]
) -> None:
    index = undoing.index(survey, branch.tree)
    branch.commit("index_rewrite", index.files, subject="index: made afresh after a revert", body="")
    state = undoing.state(survey, branch.tree, record, branch.tip, taken_back)
    branch.commit("state_update", state.files, subject="state: recorded what was taken back", body="")
