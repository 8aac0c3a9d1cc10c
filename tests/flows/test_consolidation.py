"""What a consolidation by hand proposes where an organisation's models rule, and what it leaves alone."""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any

from config.limits import Limits
from config.models import Model as Configured
from config.order import Tidy
from config.organisation import Organisation
from config.settings import Settings
from dream.memory.tree import MappingTree
from dream.models.port import Model, Replied, Reply, Unanswered, Usage
from dream.models.prompt import Prompt
from flows.by_hand import BY_HAND, tidy_by_rulings
from flows.clock import Clock
from flows.consolidation import Proposed, consolidate
from flows.dreaming import build_models
from flows.workplace import Workplace
from tests.support.answering import MODELS
from tests.tasks.tidying.rulers import Ruler

TODAY = date(2026, 11, 30)
SAID = "The pool of checkout-api holds 20 connections."
TOLD = "The pool of checkout-api keeps 20 connections."
OTHER = "search-api keeps its traces for 30 days in the bucket that all of the teams share."
AGAINST = "search-api keeps its traces for 90 days in the bucket that all of the teams share."
MEMORY = {
    "services/checkout-api.md": f"# checkout-api\n\n- 2026-10-06: {SAID} [thread_77, 2026-10-06]\n",
    "services/slow.md": f"# slow\n\n- 2026-10-01: {TOLD} [thread_78, 2026-10-01]\n- 2026-10-01: What is slow is told"
    " of here, and of nothing else than that.\n",
    "services/search-api.md": f"# search-api\n\n- 2026-10-06: {OTHER} [thread_1, 2026-10-06]\n",
    "services/traces.md": f"# traces\n\n- 2026-10-08: {AGAINST} [thread_2, 2026-10-08]\n- 2026-10-01: Traces are told"
    " of here, and nothing else than those.\n",
}


class Vendor:
    """Rules `same` on every pair, and takes as much as a small answer does."""

    name = "scripted/same"

    def __init__(self) -> None:
        self.ruler = Ruler()

    def adapter(self, configured: Configured, **told: Any) -> Model:
        """Stand in for one configured model."""
        del configured, told
        return self

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        said = self.ruler.ask(prompt, reply)
        return (
            Replied(reply=said.reply, usage=Usage(input=100, output=10, calls=1)) if isinstance(said, Replied) else said
        )

    def check(self) -> Unanswered | None:
        return None


def workplace(root: Path, models: dict[str, Any]) -> Workplace:
    document = {"organisation": "acme", "memory": {"url": "http://127.0.0.1:9/m.git"}, "models": models}
    return Workplace(organisation=Organisation.model_validate(document), settings=Settings(home=root / "home"))


def clock() -> Clock:
    return Clock(
        now=lambda: datetime(2026, 11, 30, tzinfo=UTC), monotonic=lambda: 0.0, sleep=lambda _: None, jitter=float
    )


def proposed(root: Path, vendor: Vendor, models: dict[str, Any]) -> Proposed:
    maker = partial(build_models, adapter=vendor.adapter)
    tidying = tidy_by_rulings(workplace(root, models), clock(), TODAY, models=maker)
    tree = MappingTree({path: text.encode() for path, text in MEMORY.items()})
    return consolidate(tree, memory=root / "memory", organisation="acme", today=TODAY, limits=Limits(), tidying=tidying)


def test_models_rule_within_the_organisations_budget_and_neither_lock_nor_mirror_is_touched(tmp_path: Path) -> None:
    vendor = Vendor()
    made = proposed(tmp_path, vendor, MODELS)
    assert vendor.ruler.asked
    assert any("services/slow.md" in item.title for item in made.consolidation.items), made.text
    assert "Ruled on by the models of acme" in made.text
    assert sorted(path.name for path in (tmp_path / "home").iterdir()) == [BY_HAND]
    kept = {path.name for path in (tmp_path / "home" / BY_HAND / "acme").iterdir()}
    assert {"spend"} <= kept <= {"spend", "store", "fence.key"}


def test_a_model_that_says_same_to_everything_has_no_contradiction_merged(tmp_path: Path) -> None:
    made = proposed(tmp_path, Vendor(), MODELS)
    assert not [item for item in made.consolidation.items if "search-api" in item.title and "Keep" in item.title]


def test_an_organisation_without_a_model_is_tidied_by_code(tmp_path: Path) -> None:
    vendor = Vendor()
    made = proposed(tmp_path, vendor, {})
    assert vendor.ruler.asked == []
    assert not (tmp_path / "home").exists()
    assert made.consolidation.items == ()


def test_a_proposal_holds_so_many_items_and_counts_no_more_than_those() -> None:
    linked = {f"tiny/{name}.md": f"# {name}\n\nSoon.\n" for name in "abcdef"}
    day = "# 2026-11-29\n\n- See [a](../tiny/a.md), [b](../tiny/b.md) and [c](../tiny/c.md).\n"
    tree = MappingTree({path: text.encode() for path, text in {**linked, "daily/2026-11-29.md": day}.items()})
    proposed = consolidate(tree, memory=Path("/m"), organisation="", today=TODAY, limits=Limits(tidy=Tidy(proposed=2)))
    assert [max(item.files) for item in proposed.consolidation.items] == ["tiny/d.md", "tiny/e.md"]
    assert proposed.settled.loss.notes == ("tiny/d.md", "tiny/e.md")
    assert proposed.left[-1] == "and 1 more, which one proposal does not hold: consolidate again"


def test_a_statement_that_stands_twice_in_one_note_is_told_of_once() -> None:
    text = (
        f"# checkout-api\n\n- 2026-10-06: {SAID} [thread_77, 2026-10-06]\n- 2026-10-07: {SAID} [thread_9, 2026-10-07]\n"
    )
    tree = MappingTree({"services/checkout-api.md": text.encode()})
    made = consolidate(tree, memory=Path("/m"), organisation="", today=TODAY, limits=Limits())
    assert [item.title for item in made.consolidation.items] == ["Keep a statement of `services/checkout-api.md` once"]
