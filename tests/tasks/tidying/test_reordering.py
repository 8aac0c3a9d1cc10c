"""Notes that are put together, split and shortened."""

from __future__ import annotations

from typing import Any

import pytest

from dream.guards.specifics import guard_specifics
from dream.memory.loss import absorbed_by, measure_loss
from dream.memory.notes import Note, NoteCache
from dream.memory.operations import Merge, Move, Shorten
from dream.memory.outcomes import Plan
from dream.memory.tree import Tree
from dream.memory.units import BaseUnits
from dream.models.prompt import Prompt
from tasks.tidying.freshness import Freshness
from tasks.tidying.nominations import Matter, Nomination, Place
from tests.guards.proposals import propose
from tests.tasks.stories import memory, planted, reasons, text_of
from tests.tasks.tidying.rulers import Ruler, pair, tidied

BILLING = """# billing-api

- 2026-10-01: billing-api runs on port 8080.

## Holidays

- 2026-10-02: The office is closed on 24 December. [person:ana@thread_1, 2026-10-02]
- 2026-10-03: See [the pool](#pool).

## Pool

- 2026-10-04: billing-api keeps 20 connections.
"""


def note_of(tree: Tree, path: str) -> Place:
    note = NoteCache().note(tree, path)
    assert isinstance(note, Note)
    return Place(path=path, note=note)


def about(tree: Tree, matter: Matter, *paths: str) -> Nomination:
    return Nomination(matter=matter, places=tuple(note_of(tree, path) for path in paths), score=1.0)


def apart(*numbers: int) -> Ruler:
    return Ruler(answers=lambda _: {"reasoning": "", "apart": list(numbers)})


def split(tree: Tree, *numbers: int, fresh: Freshness | None = None) -> Plan:
    return tidied(
        tree, about(tree, Matter.SEVERAL_TOPICS, "services/billing-api.md"), ruler=apart(*numbers), fresh=fresh
    )


def test_a_section_about_something_else_gets_a_note_with_the_words_of_its_heading() -> None:
    tree = memory(
        **{
            "services__billing-api": BILLING,
            "services__web": "# web\n\n- See [days off](billing-api.md#holidays) and [pool](billing-api.md#pool).\n",
        }
    )
    plan = split(tree, 1)
    after = planted(tree, plan)
    moved = BILLING[BILLING.index("## Holidays") : BILLING.index("\n\n## Pool")]
    assert plan.items[0].whole
    assert text_of(after, "services/holidays.md") == f"# Holidays\n\n{moved}\n"
    assert text_of(after, "services/billing-api.md") == BILLING.replace(f"{moved}\n\n", "")
    assert "[days off](holidays.md#holidays) and [pool](billing-api.md#pool)" in text_of(after, "services/web.md")
    loss = measure_loss(BaseUnits(tree, NoteCache()), after)
    assert (loss.notes, loss.statements) == ((), ())
    assert all(guard_specifics(propose(one, tree)) is None for one in plan.items[0].operations if isinstance(one, Move))


def test_a_split_waits_for_what_is_fresh_and_leaves_what_a_day_links_to() -> None:
    tree = memory(**{"services__billing-api": BILLING})
    assert [item.reason for item in split(tree, 1, fresh=Freshness(["services/billing-api.md"])).items] == [
        "written-today"
    ]
    linked = memory(
        **{"services__billing-api": BILLING, "daily__2026-10-02": "- [x](../services/billing-api.md#holidays)\n"}
    )
    assert list(reasons(split(linked, 1)).values()) == ["linked-note"]
    assert split(linked, 2).items[0].operations


@pytest.mark.parametrize(("numbers", "reason"), [((), "one-topic"), ((7, 0), "one-topic")])
def test_numbers_of_no_section_split_nothing(numbers: tuple[int, ...], reason: str) -> None:
    tree = memory(**{"services__billing-api": BILLING})
    assert list(reasons(split(tree, *numbers)).values()) == [reason]


def test_a_name_that_is_taken_is_not_written_over() -> None:
    tree = memory(**{"services__billing-api": BILLING, "services__holidays": "# Holidays\n\n- Mine.\n"})
    assert list(reasons(split(tree, 1)).values()) == ["no-names"]


def test_two_notes_on_one_topic_come_to_one_and_nothing_is_lost() -> None:
    tree = memory(
        **{
            "services__search-api": "# search-api\n\n- 2026-10-01: search-api keeps 3 shards.\n",
            "services__search": (
                "# search-api\n\n- 2026-09-01: search-api holds 3 shards. [thread_a, 2026-09-01]\n\n"
                "## Alerts\n\n- 2026-09-02: search-api pages Ana Lind.\n"
            ),
            "services__web": "# web\n\n- See [search](search.md).\n",
        }
    )
    plan = tidied(tree, about(tree, Matter.SAME_TOPIC, "services/search-api.md", "services/search.md"), ruler=Ruler())
    after = planted(tree, plan)
    kept = "services/search.md"
    assert plan.items[0].whole
    assert after.paths() == [kept, "services/web.md"]
    assert text_of(after, kept).startswith(
        "# search-api\n\n- 2026-09-01: search-api holds 3 shards. [thread_a, 2026-09-01]"
    )
    merges = [one for one in plan.items[0].operations if isinstance(one, Merge)]
    absorbed = frozenset().union(*(absorbed_by(one, tree, NoteCache()) for one in merges))
    loss = measure_loss(BaseUnits(tree, NoteCache()), after, absorbed=absorbed)
    assert (loss.notes, loss.statements) == (("services/search-api.md",), ())


@pytest.mark.parametrize(
    ("title", "body", "reason"),
    [
        ("search-api in staging", "- 2026-10-01: Slow.", "another-environment"),
        ("billing-api", "- 2026-10-01: Slow.", "another-title"),
        ("search-api", "Words of people.\n\n- 2026-10-01: Slow.", "holds-more-than-statements"),
    ],
)
def test_notes_that_may_be_about_two_things_stay_two(title: str, body: str, reason: str) -> None:
    tree = memory(a__one="# search-api\n\n- 2026-10-01: Fast.\n", b__two=f"# {title}\n\n{body}\n")
    plan = tidied(tree, about(tree, Matter.SAME_TOPIC, "a/one.md", "b/two.md"), ruler=Ruler())
    assert list(reasons(plan).values()) == [reason]


WORDY = (
    "- 2026-10-01: As has been said many times before, orders-api always keeps 20 connections in its pool, as was said "
    "before, and nobody may change it. [thread_a, 2026-10-01]\n  check: prom value `pool` is `20`"
)


def shortened(wording: str, *, number: int = 1) -> Plan:
    def answer(_: Prompt) -> dict[str, Any]:
        return {"reasoning": "", "shorter": [{"number": number, "wording": wording}]}

    tree = memory(services__orders=f"# orders\n\n{WORDY}\n")
    one = pair(tree, "services/orders.md")
    wordy = Nomination(matter=Matter.WORDY, places=one.places, score=1.0)
    plan = tidied(tree, wordy, ruler=Ruler(answers=answer))
    for item in plan.items:
        for operation in item.operations:
            assert isinstance(operation, Shorten)
            assert guard_specifics(propose(operation, tree)) is None
    return plan


def test_a_statement_is_shortened_by_taking_words_away() -> None:
    plan = shortened(
        "Said many times before, orders-api always keeps 20 connections in its pool, was before, nobody may change it."
    )
    assert list(reasons(plan).values()) == []


@pytest.mark.parametrize(
    "wording",
    [
        "",
        "orders-api keeps 20 connections in its pool.",
        "As has been said before, orders-api always keeps 30 connections in its pool, and nobody may change that.",
        "Its pool always keeps 20 connections of orders-api, as was said before, and nobody may change that.",
    ],
)
def test_what_turns_limits_or_moves_a_word_is_no_shortening(wording: str) -> None:
    assert list(reasons(shortened(wording)).values()) in (["not-shorter"], ["differing-word"])


def test_an_answer_to_another_number_is_none() -> None:
    assert list(reasons(shortened("x", number=2)).values()) == ["not-shorter"]
