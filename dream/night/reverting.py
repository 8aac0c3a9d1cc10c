"""Taking back what a night did, operation by operation, on whatever head the branch now has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from dream.memory.records import Effect, NightRecord
from dream.memory.tree import Tree
from dream.memory.undoing.inverting import stands
from dream.memory.undoing.rewinding import Conflict, Edit, Rewinding
from dream.memory.undoing.undone import effect_paths
from dream.night.branch import Branch, Signing
from dream.night.steps import Rewritten
from dream.night.survey import Survey
from dream.report.accounts import many, spoken
from dream.repository.blobs import read_blob
from dream.repository.history import has_commit, is_ancestor
from dream.repository.mirror import Mirror


@dataclass(frozen=True, slots=True, kw_only=True)
class Reverted:
    """Commits that take back a night's effects, what they do to the notes, and the effects that conflict.

    `lifted` are effects that stay as they are but may be done again.
    """

    tip: str
    commits: tuple[str, ...]
    edits: tuple[Edit, ...]
    conflicts: tuple[Conflict, ...]
    lifted: tuple[Effect, ...] = ()

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What is taken back."""
        return tuple(edit.effect for edit in self.edits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Undoing:
    """What taking back needs: who commits, whose effects, and how index and state are made afresh.

    `only` are the ids of the effects that it is about, None for all of the tasks. `retry` lifts what was found undone
    of them as well, so that they are done again.
    """

    signing: Signing
    night: date
    tasks: Sequence[str]
    only: Collection[str] | None = None
    retry: bool = False
    index: Callable[[Survey, Tree], Rewritten]
    state: Callable[[Survey, Tree, NightRecord, str, Sequence[Effect]], Rewritten]

    def concerns(self, effect: Effect) -> bool:
        """Whether `effect` is among what is to be taken back."""
        return effect.task in self.tasks and (self.only is None or effect.id in self.only)


def revert_effects(mirror: Mirror, survey: Survey, record: NightRecord, undoing: Undoing) -> Reverted:
    """Build the commits that take back what the tasks of `record` did; nothing is pushed.

    What the flow itself changed later, and that is not taken back with it, conflicts; what somebody has undone already
    is left as it is, and what was taken back and somebody has brought back is taken back again. Whatever is taken back
    with whatever else, and in however many steps, comes to the same notes.
    """
    branch = Branch(mirror, survey.tree, survey.head, undoing.signing)
    undone = {stone.effect for stone in survey.tombstones}
    record = _with_brought_back(record, undone, survey.tree)
    rewinding = Rewinding(
        record,
        [record if one.night == record.night else one for one in survey.records],
        tree=survey.tree,
        landed=mirror.tree(_landed(mirror, record) or None),
        undone=undone,
        restore=partial(read_blob, mirror.repository),
    )
    for task in reversed(undoing.tasks):
        effects = [one for one in record.effects if one.task == task and undoing.concerns(one) and not one.reverted]
        files, done = rewinding.take_back(branch.tree, effects)
        branch.commit(
            task,
            files,
            subject=f"revert {spoken(task)} of the night {undoing.night.isoformat()}: {many(len(done), 'edit')}",
            body="\n".join(f"- {one.effect.kind} in {', '.join(sorted(effect_paths(one.effect)))}" for one in done),
        )
    lifted = [one for one in record.effects if undoing.retry and undoing.concerns(one) and one.id in undone]
    taken_back = [edit.effect for edit in rewinding.edits]
    if taken_back or lifted:
        _settle(branch, survey, _marked(record, (*taken_back, *lifted)), undoing, taken_back)
    return Reverted(
        tip=branch.tip,
        commits=tuple(branch.commits),
        edits=tuple(rewinding.edits),
        conflicts=tuple(rewinding.conflicts),
        lifted=tuple(lifted),
    )


def _landed(mirror: Mirror, record: NightRecord) -> str:
    """Return the last commit that a task made that night, empty where the branch has none of them any more."""
    newest = ""
    for task in record.tasks.values():
        if has_commit(mirror.repository, task.commit) and (
            not newest or is_ancestor(mirror.repository, newest, task.commit)
        ):
            newest = task.commit
    return newest


def _with_brought_back(record: NightRecord, undone: Collection[str], tree: Tree) -> NightRecord:
    """Return `record` in which nothing counts as reverted that is `undone` and stands again nevertheless."""
    effects = (
        one.model_copy(update={"reverted": False}) if one.reverted and one.id in undone and stands(one, tree) else one
        for one in record.effects
    )
    return record.model_copy(update={"effects": tuple(effects)})


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
