"""Tidying for a consolidation by hand: by code, or with the models of an organisation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from config.limits import Limits
from dream.memory.neighbours.alike import Neighbours
from dream.memory.notes import NoteCache
from dream.memory.outcomes import Plan
from dream.memory.paths import is_topic
from dream.memory.tree import Tree
from dream.models.port import Role
from flows.clock import Clock
from flows.dreaming import ModelMaker, build_models
from flows.rulings import Known, rule_on
from flows.workplace import Workplace
from tasks import tidy
from tasks.duplicates import name_of
from tasks.tidying.nominating.incidents import forgotten_incidents, is_incident
from tasks.tidying.nominations import Nomination

BY_HAND = "by-hand"
"""The folder in the installation's home where what consolidations by hand spend is kept, by organisation."""

Tidying = Callable[[Tree, NoteCache], tuple[Plan, Sequence[Nomination]]]
"""What a night's tidying makes of a tree, and what was found of it that may be wrong."""


def tidy_by_code(tree: Tree, notes: NoteCache, *, today: date, limits: Limits) -> tuple[Plan, Sequence[Nomination]]:
    """Return what tidying does without a model, and the incidents from which nothing was learned."""
    incidents = list(filter(is_incident, tree.paths()))
    found: tuple[Nomination, ...] = ()
    if incidents:
        names = frozenset(filter(None, map(name_of, filter(is_topic, tree.paths()))))
        neighbours = _neighbours(tree, notes)
        found = tuple(
            forgotten_incidents(
                tree, notes, neighbours, among=incidents, names=names, night=today, most=limits.tidy.incidents
            )
        )
    return tidy.propose(tree=tree, notes=notes, renames={}), found


def _neighbours(tree: Tree, notes: NoteCache) -> Neighbours:
    neighbours = Neighbours()
    neighbours.take(tree, notes, tree.paths())
    return neighbours


def tidy_by_rulings(workplace: Workplace, clock: Clock, today: date, *, models: ModelMaker = build_models) -> Tidying:
    """Return tidying with an organisation's models, within what a night of it may spend; its mirror is not touched.

    The same is asked about as in a night of the same memory, and the same follows of it; but for a folder nothing is
    fresh, declined or set aside. What is spent by hand is counted in a folder of its own, so that no night that runs
    meanwhile loses count.
    """
    settings = workplace.settings
    apart = replace(workplace, settings=settings.model_copy(update={"home": settings.home / BY_HAND}))

    def tidying(tree: Tree, notes: NoteCache) -> tuple[Plan, Sequence[Nomination]]:
        dreaming = models(apart, night=today, clock=clock)
        if not dreaming.has(Role.DREAMER):
            return tidy_by_code(tree, notes, today=today, limits=workplace.organisation.limits)
        try:
            plan, nominations = rule_on(
                tree,
                notes,
                _neighbours(tree, notes),
                lambda asked, judging: tidy.propose(
                    tree=tree, notes=notes, renames={}, nominations=asked, judging=judging
                ),
                models=dreaming,
                limits=workplace.organisation.limits,
                night=today,
                known=Known(),
            )
        finally:
            dreaming.end()
        return replace(plan, findings=(*plan.findings, *dreaming.findings())), nominations

    return tidying
