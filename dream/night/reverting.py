"""Taking back what a night did, operation by operation, on whatever head the branch now has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from dream.memory.inverting import invert_effect, is_gone
from dream.memory.operations import Refusal
from dream.memory.records import Effect, NightRecord
from dream.memory.tree import OverlayTree, Tree
from dream.memory.undone import effect_paths, open_effects
from dream.night.branch import Branch, Signing
from dream.night.steps import Rewritten
from dream.night.survey import Survey
from dream.repository.blobs import read_blob
from dream.repository.mirror import Mirror


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
    """What taking back needs: who commits, whose effects, and how index and state are made afresh."""

    signing: Signing
    night: date
    tasks: Sequence[str]
    index: Callable[[Survey, Tree], Rewritten]
    state: Callable[[Survey, Tree, NightRecord, str, Sequence[Effect]], Rewritten]


def revert_effects(mirror: Mirror, survey: Survey, record: NightRecord, undoing: Undoing) -> Reverted:
    """Build the commits that take back what the tasks of `record` did; nothing is pushed.

    What the flow itself changed later, or somebody has undone already, is left as it is.
    """
    branch = Branch(mirror, survey.tree, survey.head, undoing.signing)
    still_open = {effect.id for effect in open_effects(survey.records)}
    undone = {stone.effect for stone in survey.tombstones}
    taken_back: list[Effect] = []
    conflicts: list[Conflict] = []
    for task in reversed(undoing.tasks):
        effects = [one for one in record.effects if one.task == task and one.id in still_open and not one.reverted]
        tree, files = branch.tree, dict[str, bytes | None]()
        done: list[Effect] = []
        for effect in reversed(effects):
            now = OverlayTree(tree, files)
            if effect.id in undone and is_gone(effect, now):
                continue
            inverse = invert_effect(now, effect, restore=partial(read_blob, mirror.repository))
            if isinstance(inverse, Refusal):
                conflicts.append(Conflict(effect=effect, reason=inverse.reason, path=inverse.detail))
                continue
            files.update(inverse)
            done.append(effect)
        branch.commit(
            task,
            files,
            subject=f"revert {task.replace('_', ' ')} of the night {undoing.night.isoformat()}: {len(done)} edits",
            body="\n".join(f"- {one.kind} in {', '.join(sorted(effect_paths(one)))}" for one in done),
        )
        taken_back += done
    if taken_back:
        _settle(branch, survey, record, undoing, taken_back)
    return Reverted(
        tip=branch.tip,
        commits=tuple(branch.commits),
        effects=tuple(taken_back),
        conflicts=tuple(conflicts),
    )


def _settle(
    branch: Branch, survey: Survey, record: NightRecord, undoing: Undoing, taken_back: Sequence[Effect]
) -> None:
    gone = {effect.id for effect in taken_back}
    marked = record.model_copy(
        update={
            "effects": tuple(
                one.model_copy(update={"reverted": True}) if one.id in gone else one for one in record.effects
            )
        }
    )
    index = undoing.index(survey, branch.tree)
    branch.commit("index_rewrite", index.files, subject="index: made afresh after a revert", body="")
    state = undoing.state(survey, branch.tree, marked, branch.tip, taken_back)
    branch.commit("state_update", state.files, subject="state: recorded what was taken back", body="")
