"""A model that says what a test wants, at its two doors: a draft under a night's real guards, and a whole night."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from dream.memory.allowance import LossLimits
from dream.memory.notes import NoteCache
from dream.memory.operations import Operation, Span
from dream.memory.outcomes import Item, Plan
from dream.memory.state import State, Tombstone
from dream.memory.tree import Tree, blob_id
from dream.night.steps import Step
from dream.night.survey import Survey
from dream.night.watch import NightWatch, WatchLimits
from dream.repository.draft import Draft
from dream.repository.mirror import Head, Mirror, open_mirror
from flows.binding import ordered_steps
from flows.course import StepMaker
from flows.tonight import Tonight
from tests.support.repositories import host
from tests.support.stage import NIGHT

T = TypeVar("T")

LIMITS = WatchLimits(loss=LossLimits(), note_bytes=256_000, same=0.85, alike=0.85)


def proposing(task: str, propose: Callable[[Tree], Sequence[Operation]]) -> StepMaker:
    """Return the night's steps, of which `task` proposes what `propose` says, an input for each operation."""

    def plan(tree: Tree) -> Plan:
        operations = propose(tree)
        return Plan(
            items=tuple(
                Item(id=f"candidate-{number:03}", digest=f"{number:03}", operations=(operation,))
                for number, operation in enumerate(operations, 1)
            )
        )

    def steps(tonight: Tonight, names: Sequence[str]) -> Sequence[Step]:
        return [replace(step, propose=plan) if step.name == task else step for step in ordered_steps(tonight, names)]

    return steps


def counting(task: str, counts: list[str]) -> StepMaker:
    """Return the night's steps, which note in `counts` every time that `task` is asked."""

    def steps(tonight: Tonight, names: Sequence[str]) -> Sequence[Step]:
        def counted(step: Step) -> Step:
            def propose(tree: Tree) -> Plan:
                counts.append(task)
                return step.propose(tree)

            return replace(step, propose=propose)

        return [counted(step) if step.name == task else step for step in ordered_steps(tonight, names)]

    return steps


def watched(
    folder: Path, files: Mapping[str, str | bytes], *, night: date = NIGHT, **told: Any
) -> tuple[Mirror, Survey, NightWatch]:
    """Return a mirror of `files`, what a night that has never landed sees there, and its guards."""
    hosted = host(folder, "watched", files)
    mirror = open_mirror(folder / "watched-home", hosted.url)
    head = mirror.fetch()
    assert isinstance(head, Head)
    survey = Survey(
        head=head.commit, tree=mirror.tree(head.commit), state=State(), tombstones=told.pop("tombstones", ())
    )
    return mirror, survey, watch_over(mirror, survey, night=night, **told)


def watch_over(
    mirror: Mirror, survey: Survey, *, night: date = NIGHT, sources: Collection[str] = ("thread_7c2e",)
) -> NightWatch:
    """Return the guards of a night over `survey`, in which `sources` were read."""
    return NightWatch(mirror, survey, night=night, notes=NoteCache(), sources=sources, limits=LIMITS)


def draft_over(
    folder: Path,
    files: Mapping[str, str | bytes],
    *,
    task: str = "distil",
    sources: Collection[str] = ("thread_7c2e",),
    tombstones: Sequence[Tombstone] = (),
) -> Draft:
    """Return a task's draft over `files`, under every guard of a night."""
    _, survey, watch = watched(folder, files, sources=sources, tombstones=tombstones)
    return Draft(survey.tree, task=task, guards=watch.guards(task))


def whole(tree: Tree | Mapping[str, bytes], path: str) -> Span:
    """Return the span of a whole file."""
    if isinstance(tree, Mapping):
        return Span(path=path, text=None, blob=blob_id(tree[path]))
    return Span(path=path, text=None, blob=tree.blob(path) or "")
