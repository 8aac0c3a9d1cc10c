from __future__ import annotations

import pytest

from dream.guards.specifics import guard_specifics
from dream.memory.operations import Merge
from dream.memory.outcomes import Plan
from dream.memory.tree import MappingTree, Tree
from tasks.tidying.freshness import Freshness
from tests.guards.proposals import propose
from tests.tasks.stories import memory, planted, reasons, text_of
from tests.tasks.tidying.rulers import Ruler, pair, tidied

OLD = "- 2026-09-01: The pool of orders-api holds 20 connections. [thread_a, 2026-09-01]"
AGAIN = "- 2026-10-01: orders-api keeps 20 connections in its pool. [thread_b, 2026-10-01]"
ALIKE = "- 2026-10-01: The pool of orders-api keeps 20 connections. [person:ana@thread_b, 2026-10-01]"


def two(one: str, other: str) -> MappingTree:
    return memory(
        **{
            "services__orders-api": f"# orders-api\n\n{one}\n- 2026-08-01: It is old. [thread_z, 2026-08-01]\n",
            "services__pools": f"# Pools\n\n{other}\n- 2026-08-01: They are slow. [thread_y, 2026-08-01]\n",
        }
    )


def merged(tree: Tree, *, ruler: Ruler | None = None, fresh: Freshness | None = None, chain: int = 3) -> Plan:
    one = pair(tree, "services/orders-api.md", "services/pools.md")
    return tidied(tree, one, ruler=ruler or Ruler(), fresh=fresh, chain=chain)


def test_a_restatement_is_absorbed_with_its_sources_and_the_better_founded_wording_stays() -> None:
    tree = two(OLD, ALIKE)
    plan = merged(tree)
    after = planted(tree, plan)
    assert text_of(after, "services/pools.md").splitlines()[2] == (
        "- 2026-09-01: The pool of orders-api keeps 20 connections. [person:ana@thread_b, thread_a, 2026-09-01]"
    )
    assert "pool" not in text_of(after, "services/orders-api.md")
    (operation,) = plan.items[0].operations
    assert isinstance(operation, Merge)
    assert operation.basis.why == "services/pools.md:3 stays and says what services/orders-api.md:3 said"
    assert guard_specifics(propose(operation, tree)) is None


@pytest.mark.parametrize(
    "other",
    [
        "- 2026-10-01: The pool of orders-api holds 30 connections.",
        "- 2026-10-01: The pool of orders-api holds 20 threads.",
        "- 2026-10-01: The pool of orders-api never holds 20 connections.",
        "- 2026-10-01: The pool of orders-api holds 20 connections in staging.",
        "- 2026-10-01: The cache of orders-api holds 20 connections.",
        AGAIN.replace("keeps", "opens"),
    ],
)
def test_whoever_rules_that_two_statements_are_one_a_word_that_only_one_has_keeps_both(other: str) -> None:
    assert list(reasons(merged(two(OLD, other))).values()) == ["differing-word"]


def test_a_new_wording_holds_all_of_both_and_nothing_else() -> None:
    more = "- 2026-10-01: orders-api has a pool that holds 20 connections, see db.yml. [thread_b, 2026-10-01]"
    less = "- 2026-09-01: The pool of orders-api holds 20 connections because the database is small."
    both = "The pool of orders-api holds 20 connections because the database is small, see db.yml"
    tree = two(less, more)

    def wording(text: str) -> list[str]:
        plan = merged(tree, ruler=Ruler(wording=lambda _one, _other: text))
        return text_of(planted(tree, plan), "services/pools.md").splitlines()[2:3]

    assert wording(f"{both} and fast") == [more]
    assert wording("The pool of orders-api holds 20 connections.") == [more]


def test_a_chain_of_new_wordings_ends_and_absorbing_goes_on() -> None:
    one = "- 2026-10-01: The pool of orders-api holds 20 connections; see db.yml."
    other = "- 2026-10-02: The pool of orders-api holds 20 connections; Ana Lind knows more."
    both = "The pool of orders-api holds 20 connections; see db.yml; Ana Lind knows more."
    tree = two(one, other)
    ruler = Ruler(wording=lambda _one, _other: both)
    plan = merged(tree, ruler=ruler)
    (operation,) = plan.items[0].operations
    assert "first rewording of this entry" in operation.basis.why
    assert guard_specifics(propose(operation, tree)) is None
    assert list(reasons(merged(tree, ruler=ruler, chain=0)).values()) == ["reworded-often-enough"]
    assert merged(two(one, one.replace("holds", "keeps")), chain=0).items[0].operations


def test_what_was_written_today_is_not_merged_away_and_waits() -> None:
    tree = two(OLD, ALIKE)
    landed = memory(**{"services__orders-api": text_of(tree, "services/orders-api.md")})
    fresh = Freshness(["services/pools.md"], landed=landed)
    (item,) = merged(tree, fresh=fresh).items
    assert (item.reason, item.pending, item.operations) == ("written-today", True, ())
    plan = merged(tree, fresh=Freshness(["services/pools.md"], landed=tree))
    assert plan.items[0].operations


def test_both_sides_of_today_are_not_asked_about() -> None:
    tree, ruler = two(OLD, ALIKE), Ruler()
    fresh = Freshness(["services/pools.md", "services/orders-api.md"])
    assert [item.pending for item in merged(tree, ruler=ruler, fresh=fresh).items] == [True]
    assert ruler.asked == []


def test_statements_that_name_nothing_are_one_only_where_they_stand_together() -> None:
    line, again = "- The queue holds 5 workers at night.", "- At night, the queue keeps 5 workers."
    apart = memory(**{"services__orders-api": f"# orders-api\n\n{line}\n", "services__pools": f"# Pools\n\n{again}\n"})
    assert list(reasons(merged(apart)).values()) == ["may-be-two-things"]
    tree = memory(services__queue=f"# The queue\n\n{line}\n{again}\n")
    plan = tidied(tree, pair(tree, *["services/queue.md"] * 2, entries=(0, 1)), ruler=Ruler())
    assert text_of(planted(tree, plan), "services/queue.md") == f"# The queue\n\n{line}\n"


@pytest.mark.parametrize("heading", ["# Staging", "# eu-west-1"])
def test_statements_under_two_environments_are_two_facts(heading: str) -> None:
    tree = two(OLD, ALIKE)
    text = text_of(tree, "services/pools.md").replace("# Pools", heading)
    tree = MappingTree(
        {"services/orders-api.md": tree.read("services/orders-api.md") or b"", "services/pools.md": text.encode()}
    )
    assert list(reasons(merged(tree)).values()) == ["may-be-two-things"]


def test_a_note_with_nothing_else_goes_whole_and_links_to_it_lead_to_the_one_that_stays() -> None:
    tree = memory(
        **{
            "services__orders-api": f"# orders-api\n\n{OLD}\n",
            "new__orders-api-pool": f"# Pool of orders-api\n\n{ALIKE.replace('person:ana@', '')}\n",
            "services__web": "# web\n\n- See [the pool](../new/orders-api-pool.md).\n",
        }
    )
    plan = tidied(tree, pair(tree, "new/orders-api-pool.md", "services/orders-api.md"), ruler=Ruler())
    after = planted(tree, plan)
    assert after.paths() == ["services/orders-api.md", "services/web.md"]
    assert "(orders-api.md)" in text_of(after, "services/web.md")


@pytest.mark.parametrize(
    ("extra", "path"),
    [("Ana Lind is asked first.\n", "x.md"), ("", "daily/2026-10-01.md"), ("## Holidays\n", "x.md")],
)
def test_a_note_that_holds_more_or_that_a_day_leads_to_stays(extra: str, path: str) -> None:
    tree = MappingTree(
        {
            "services/orders-api.md": f"# orders-api\n\n{OLD}\n".encode(),
            "new/orders-api-pool.md": f"# Pool of orders-api\n\n{extra}\n{ALIKE.replace('person:ana@', '')}\n".encode(),
            path: b"- See [the pool](../new/orders-api-pool.md).\n",
        }
    )
    plan = tidied(tree, pair(tree, "new/orders-api-pool.md", "services/orders-api.md"), ruler=Ruler())
    assert "new/orders-api-pool.md" in planted(tree, plan).paths()


def test_what_a_merge_of_tonight_changed_is_decided_on_as_it_stands_by_then() -> None:
    third = "- 2026-10-03: The pool of orders-api retains 20 connections. [thread_c, 2026-10-03]"
    tree = memory(**{"services__orders-api": f"# orders-api\n\n{OLD}\n{ALIKE}\n{third}\n"})
    path = "services/orders-api.md"
    pairs = [pair(tree, path, path, entries=entries) for entries in ((0, 1), (1, 2), (0, 2))]
    plan = tidied(tree, *pairs, ruler=Ruler())
    assert text_of(planted(tree, plan), path) == (
        "# orders-api\n\n- 2026-09-01: The pool of orders-api keeps 20 connections. "
        "[person:ana@thread_b, thread_a, thread_c, 2026-09-01]\n"
    )
    assert [item.pending for item in plan.items] == [False, False, True]
