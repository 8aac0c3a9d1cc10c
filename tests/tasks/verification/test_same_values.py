"""What else of a memory states a value that a check put right: corrected, reported, or rightly left alone."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest

from dream.memory.notes import NoteCache
from dream.memory.outcomes import Plan
from dream.memory.tree import MappingTree
from dream.sources.production.recording import Recorder
from tasks.production_verification import propose
from tasks.verification.limits import VerificationLimits
from tasks.verification.note_checks import Probing
from tests.support.probes import TableProbe, found

BILLING = "services/billing.md"
PINNED = "- `billing` runs 5 replicas.\n  check: status get `billing` is `5`\n"


def look(*, pinned: str = PINNED, path: str = BILLING, chosen: Sequence[str] = (), **notes: str) -> Plan:
    title = path.rpartition("/")[2].removesuffix(".md")
    files = {path: f"# {title}\n\n{pinned}"} | {f"{one.replace('__', '/')}.md": text for one, text in notes.items()}
    probe = TableProbe(
        name="status", answers={("get", "billing"): found("billing", replicas="3", port="8080", namespace="shop")}
    )
    recorder = Recorder(
        [probe], now=lambda: datetime(2026, 10, 22, 4, tzinfo=UTC), monotonic=time.monotonic, sleep=time.sleep
    )
    probing = Probing(recorder=recorder, probes=[probe], limits=VerificationLimits(), undone=lambda _: False)
    return propose(
        tree=MappingTree({path: text.encode() for path, text in files.items()}),
        notes=NoteCache(),
        chosen=(path, *chosen),
        code=[],
        today=date(2026, 10, 22),
        probing=probing,
    )


def told(plan: Plan) -> list[str]:
    return [one for one in plan.findings if not one.startswith("production_verification")]


@pytest.mark.parametrize(
    "line",
    [
        "billing runs 5 replicas.",
        "The service billing runs 5 replicas.",
        "billing runs 5 replicas in the namespace shop.",
        "Billing has 5 instances, by the way.",
        "5 pods serve billing.",
    ],
)
@pytest.mark.parametrize("chosen", [(), ("teams/shop.md",)])
def test_each_entry_that_names_a_thing_called_by_a_plain_word_is_told(line: str, chosen: Sequence[str]) -> None:
    plan = look(path="services/more.md", chosen=chosen, teams__shop=f"# The shop team\n\n- {line}\n")
    assert told(plan) == [
        (
            "teams/shop.md:3 says 5 and may mean billing, of which status says 3; "
            "left, because code cannot tell that it does"
        )
    ]
    assert [item.id for item in plan.items if item.operations] == ["services/more.md"]


def test_one_that_is_safe_to_put_right_is_put_right_and_not_told() -> None:
    plan = look(chosen=("teams/shop.md",), teams__shop="# The shop team\n\n- `billing` runs 5 replicas.\n")
    assert told(plan) == []
    assert [item.id for item in plan.items if item.operations] == [BILLING, "teams/shop.md"]


def test_one_below_the_heading_of_the_thing_or_in_its_note_is_told() -> None:
    plan = look(
        pinned=f"{PINNED}- By and large it keeps 5 replicas at work.\n",
        teams__shop="# The shop team\n\n## Billing\n\n- By and large 5 replicas do.\n\n## Search\n\n- 5 replicas do.\n",
    )
    assert [one.partition(" says ")[0] for one in told(plan)] == [f"{BILLING}:5", "teams/shop.md:5"]


@pytest.mark.parametrize(
    "line",
    [
        "billing runs 3 replicas.",
        "billing keeps 5 logs.",
        "billing-api runs 5 replicas.",
        "search runs 5 replicas.",
        "In May billing ran 5 replicas.",
        "ana wants 5 replicas of billing.",
        "billing runs 15 replicas.",
        "It runs 5 replicas.",
    ],
)
@pytest.mark.parametrize("path", [BILLING, "services/more.md"])
def test_another_thing_another_value_a_wish_and_the_past_are_not(line: str, path: str) -> None:
    assert told(look(path=path, teams__shop=f"# The shop team\n\n- {line}\n")) == []


def test_nothing_is_told_where_nothing_was_put_right() -> None:
    pinned = PINNED.replace("5 rep", "3 rep").replace("`5`", "`3`")
    assert told(look(pinned=pinned, teams__shop="# The shop team\n\n- billing runs 5 replicas.\n")) == []
