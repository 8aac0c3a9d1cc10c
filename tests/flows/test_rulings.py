"""What models are asked about a memory, and what follows from it, is the same in a night and by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from config.limits import Limits
from config.models import Model as Configured
from dream.checker.limits import CheckLimits
from dream.memory.notes import NoteCache
from dream.memory.operations import Merge, Operation
from dream.memory.outcomes import Plan
from dream.memory.tree import MappingTree, Tree
from dream.models.port import Model, Replied, Reply, Unanswered, Usage
from dream.models.prompt import Prompt
from dream.night.steps import Step
from flows.binding import ordered_steps
from flows.by_hand import tidy_by_rulings
from flows.commands.check_organisation import check_limits
from flows.dreaming import ModelMaker, build_models
from flows.rulings import tidy_limits
from flows.tonight import Tonight
from tasks.tidying.limits import TidyLimits
from tests.support.answering import MODELS
from tests.support.served import Served
from tests.support.stage import NIGHT, stage_of
from tests.tasks.tidying.judges import EquivalenceJudge
from tests.tasks.tidying.rulers import Ruler

JUDGED = {**MODELS, "judge": {**MODELS["dreamer"], "model": "other"}}
MEMORY = {
    "MEMORY.md": "# Memory\n",
    "services/orders-api.md": (
        "# orders-api\n\n"
        "- 2026-09-01: The timeout of orders-api is 30 s. [thread_a, 2026-09-01]\n"
        "- 2026-09-02: The timeout of the orders-api is 30 s. [thread_b, 2026-09-02]\n"
        "- 2026-09-03: orders-api cuts a stalled caller loose after 30 s. [thread_c, 2026-09-03]\n"
        "- 2026-09-04: orders-api listens on port 8443 of each of its hosts. [thread_d, 2026-09-04]\n"
        "- 2026-09-05: orders-api listens on port 9443 of each of its hosts. [thread_e, 2026-09-05]\n"
    ),
    "services/slow.md": (
        "# slow\n\n"
        "- 2026-10-01: The timeout of orders-api is set to 30 s. [thread_f, 2026-10-01]\n"
        "- 2026-10-01: What is slow is told of here, and of nothing else than that.\n"
    ),
}


@dataclass(kw_only=True)
class Vendor:
    """Rules `same` on every pair as the dreamer, and supports every pair as a judge that knows the packaged cases."""

    asked: list[Prompt] = field(default_factory=list)

    @property
    def models(self) -> ModelMaker:
        """Makes a night's models, with this vendor behind them."""
        return partial(build_models, adapter=self.adapter)

    def adapter(self, configured: Configured, **told: Any) -> Model:
        """Stand in for one configured model."""
        del told
        return _Voice(name=configured.name, asked=self.asked)


@dataclass(kw_only=True)
class _Voice:
    name: str
    asked: list[Prompt]

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        self.asked.append(prompt)
        says: Model = EquivalenceJudge() if prompt.name == "judge/equivalence" else Ruler(answers=lambda _: {})
        said = says.ask(prompt, reply)
        return replace(said, usage=Usage(calls=1)) if isinstance(said, Replied) else said

    def check(self) -> Unanswered | None:
        return None


@dataclass(kw_only=True)
class _Overheard:
    """The steps of a night, of whose tidying the tree that it was given and the plan that it made are kept."""

    trees: list[Tree] = field(default_factory=list)
    plans: list[Plan] = field(default_factory=list)

    def steps(self, tonight: Tonight, names: Sequence[str]) -> Sequence[Step]:
        """Return the steps."""
        return [replace(one, propose=partial(self._propose, one)) for one in ordered_steps(tonight, names)]

    def _propose(self, step: Step, tree: Tree) -> Plan:
        self.trees.append(MappingTree({path: tree.read(path) or b"" for path in tree.paths()}))
        self.plans.append(step.propose(tree))
        return self.plans[-1]


def operations(plan: Plan) -> list[Operation]:
    """All that a plan would do, in order."""
    return [operation for item in plan.items for operation in item.operations]


def test_what_is_configured_and_what_tidying_takes_unless_told_are_the_same() -> None:
    assert tidy_limits(Limits()) == TidyLimits()
    assert check_limits(Limits()) == CheckLimits()


@pytest.mark.parametrize("models", [MODELS, JUDGED], ids=["without-a-judge", "with-a-judge"])
def test_the_same_pairs_are_asked_about_and_the_same_operations_follow(
    served: Served, tmp_path: Path, models: dict[str, Any]
) -> None:
    stage = stage_of(served, tmp_path, MEMORY)
    stage.extra = {"models": models, "sessions": []}
    nightly, by_hand, heard = Vendor(), Vendor(), _Overheard()
    stage.dream(models=nightly.models, steps=heard.steps, only=["tidy"])
    tidying = tidy_by_rulings(stage.workplace("other-home"), stage.clock(), NIGHT, models=by_hand.models)
    plan, _ = tidying(heard.trees[0], NoteCache())
    assert by_hand.asked == nightly.asked
    assert operations(plan) == operations(heard.plans[0])
    assert [item.reason for item in plan.items] == [item.reason for item in heard.plans[0].items]
    in_other_words = [one for one in operations(plan) if isinstance(one, Merge) and "in other words" in one.basis.why]
    assert bool(in_other_words) is (models is JUDGED)
