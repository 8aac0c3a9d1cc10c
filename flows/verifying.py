"""Production verification, bound to one night: which notes it looks at, and what it checks them with."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial

from dream.guards.undone import UndoneGuard
from dream.memory.allowance import VERIFICATION
from dream.memory.operations import Operation, Proposal, touched_by
from dream.memory.outcomes import Plan
from dream.memory.paths import is_topic
from dream.memory.systems import is_down, refusal_of
from dream.memory.tree import Tree
from dream.models.port import Role
from dream.night.isolating import propose_isolated
from flows.tonight import Tonight, court_of
from tasks import production_verification
from tasks.state_update import overdue
from tasks.verification.choice import choose
from tasks.verification.limits import VerificationLimits
from tasks.verification.note_checks import Probing
from tasks.verification.recorded_outputs import shown


def verify(tonight: Tonight, tree: Tree) -> Plan:
    """Return what checking the chosen notes of `tree` comes to.

    A second landing of a night looks at few notes again. What the first one found of the others, and which systems were
    down, is told again, as a task's record is what it found last.
    """
    limits, state = tonight.limits.verification, tonight.survey.state
    aside = tonight.aside(VERIFICATION)
    chosen = choose(
        topic_notes=[path for path in tree.paths() if is_topic(path) and path not in aside],
        changed=tonight.survey.changed,
        checked={path: day for path, day in state.checked.items() if path not in tonight.survey.forgotten},
        waiting={path: one.night for path, one in state.waiting.items()},
        today=tonight.night,
        limit=limits.notes,
        reserved=limits.reserved,
    )
    propose = partial(
        production_verification.propose,
        tree=tree,
        notes=tonight.notes,
        code=tonight.day.code,
        today=tonight.night,
        renames=tonight.survey.renames,
        probing=_probing(tonight, tree),
        overdue=overdue(state, night=tonight.night, down_nights=limits.down_nights),
    )
    plan = propose_isolated(chosen, lambda paths: propose(chosen=paths), name=str)
    found = [*plan.findings, *_refusals(tonight), *_found_before(tonight, set(tree.paths()) - set(chosen))]
    return replace(plan, findings=tuple(dict.fromkeys(found)))


def _refusals(tonight: Tonight) -> Iterator[str]:
    """Yield the systems that were asked and refused whatever they were asked."""
    refusing = tonight.recorder.refusing if tonight.recorder is not None else {}
    yield from (refusal_of(name, shown(why)) for name, why in sorted(refusing.items()))


def _found_before(tonight: Tonight, others: Collection[str]) -> Iterator[str]:
    """Yield what an earlier landing of the night found of `others`, and the systems that it found down."""
    record = tonight.survey.record(tonight.night)
    if record is None or not record.landed(VERIFICATION):
        return
    begins = tuple(f"{path}{mark}" for path in others for mark in ": ")
    yield from (one for one in record.tasks[VERIFICATION].findings if is_down(one) or one.startswith(begins))


def _probing(tonight: Tonight, tree: Tree) -> Probing | None:
    """What entries are checked with: the probes and, where a model is configured, who plans, says and judges."""
    if tonight.recorder is None:
        return None
    limits = tonight.limits.verification
    tells_undone = UndoneGuard(tonight.survey.tombstones, alike=tonight.limits.undone.alike)

    def is_undone(operation: Operation) -> bool:
        proposal = Proposal(
            task=VERIFICATION, operation=operation, before=tree, after=tree, touched=touched_by(operation)
        )
        return tells_undone(proposal) is not None

    probing = Probing(
        recorder=tonight.recorder,
        probes=tonight.probes,
        limits=VerificationLimits(
            calls_per_note=limits.calls_per_note,
            calls_per_entry=limits.calls_per_entry,
            entries=limits.entries,
            lines=limits.lines,
        ),
        undone=is_undone,
    )
    if not tonight.models.has(Role.DREAMER):
        return probing
    court = court_of(tonight, VERIFICATION)
    return replace(
        probing, dreamer=tonight.models.dreamer(VERIFICATION), rules_on=court.judge.rules_on, unfit=lambda: court.unfit
    )
