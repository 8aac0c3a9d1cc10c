"""Tidying with an organisation's models, the same in a night and by hand: what is asked about, and who rules on it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date

from config.limits import Limits
from dream.guards.screen import shown_or_withheld
from dream.memory.neighbours.alike import Neighbours
from dream.memory.neighbours.words import MOST_WORDS
from dream.memory.notes import NoteCache
from dream.memory.outcomes import Plan
from dream.memory.sources import Origin
from dream.memory.tree import Tree
from dream.sources.production.code.tree import CodeTree
from flows.attesting import attester_of
from flows.dreaming import NightModels
from flows.topics import topic_limits
from tasks.tidy import TASK
from tasks.tidying.choosing import choose
from tasks.tidying.deciding import Judging
from tasks.tidying.freshness import Freshness
from tasks.tidying.limits import TidyLimits
from tasks.tidying.nominating.in_code import ReadFile
from tasks.tidying.nominating.tonight import nominate
from tasks.tidying.nominations import Nomination

_MORE = 10
"""How many times as many pairs are nominated as are asked about: code tells most of them apart."""

Propose = Callable[[Sequence[Nomination], Judging], Plan]
"""What tidying comes to where these nominations are ruled on by these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What a night knows beside the memory: what `changed` (None: all of it), its code, and what earlier nights left.

    By hand nothing of it is known.
    """

    changed: Collection[str] | None = None
    code: Sequence[CodeTree] = ()
    read: ReadFile | None = None
    declined: Mapping[str, str] = field(default_factory=dict)
    aside: Collection[str] = ()
    fresh: Freshness = field(default_factory=lambda: Freshness(()))


def rule_on(
    tree: Tree,
    notes: NoteCache,
    neighbours: Neighbours,
    propose: Propose,
    *,
    models: NightModels,
    limits: Limits,
    night: date,
    known: Known,
) -> tuple[Plan, Sequence[Nomination]]:
    """Return what tidying `tree` with `models` comes to, and all that may be wrong with it, asked about or not."""
    attester = attester_of(models, TASK, limits=limits, night=night)
    measures = tidy_limits(limits)
    nominations = nominate(
        tree,
        notes,
        neighbours,
        changed=known.changed,
        code=known.code,
        read=known.read,
        night=night,
        limits=measures,
        most=_MORE * measures.nominations,
        in_other_words=attester is not None,
    )
    chosen = choose(
        nominations,
        declined=known.declined,
        aside=known.aside,
        fresh=known.fresh,
        limits=measures,
        attests=attester is not None,
    )
    judging = Judging(
        model=models.dreamer(TASK),
        attester=attester,
        screen=_shown,
        salt=str(night.toordinal() // max(limits.duplicates.declined_nights, 1)),
        limits=measures,
    )
    plan = propose(chosen.asked, judging)
    findings = (*plan.findings, *_not_compared(neighbours))
    return replace(plan, items=(*plan.items, *chosen.items), findings=findings), nominations


def tidy_limits(limits: Limits) -> TidyLimits:
    """Return how alike what tidy looks at must be, and how much of it is ruled on, as configured."""
    own = {one.name: getattr(limits.tidy, one.name) for one in fields(TidyLimits) if one.name != "topics"}
    return TidyLimits(**own, topics=topic_limits(limits))


def _not_compared(neighbours: Neighbours) -> Iterator[str]:
    """Tell of what was not compared with everything: what is alike there may have been missed."""
    if neighbours.cut:
        yield f"{TASK}: {neighbours.cut} times so many statements shared their words that not each was compared"
    if neighbours.left_out:
        told = "1 new entry is" if neighbours.left_out == 1 else f"{neighbours.left_out} new entries are"
        yield f"{TASK}: {told} longer than {MOST_WORDS} distinct words and compared with none"


def _shown(line: str, origin: Origin) -> str:
    return shown_or_withheld(line, origin=origin)
