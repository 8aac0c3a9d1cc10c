"""What a night makes of restatements that share no word with what stands, with judges of every sort."""

from __future__ import annotations

from dream.guards.specifics import guard_specifics
from dream.memory.notes import NoteCache
from dream.memory.operations import Merge
from dream.memory.outcomes import Plan
from dream.memory.tree import Tree
from tasks import tidy
from tasks.tidying.deciding import Judging
from tasks.tidying.freshness import Freshness
from tests.guards.proposals import propose
from tests.tasks.stories import memory, planted, reasons, text_of
from tests.tasks.tidying.judges import EquivalenceJudge, attester
from tests.tasks.tidying.rulers import Ruler, pair

PATH = "services/orders-api.md"
KEPT = "- 2026-09-01: The timeout of orders-api is 30 s. [thread_a, 2026-09-01]"
AGAIN = "- 2026-10-01: orders-api cuts a stalled caller loose after 30 s. [thread_b, 2026-10-01]"
FOURTH = "- 2026-10-02: Silence towards orders-api is tolerated for 30 s. [thread_d, 2026-10-02]"


def standing(*lines: str) -> Tree:
    return memory(**{"services__orders-api": "# orders-api\n\n" + "".join(f"{line}\n" for line in lines)})


def tidied(tree: Tree, judge: EquivalenceJudge | None, *pairs: tuple[int, int], fresh: Freshness | None = None) -> Plan:
    nominations = [pair(tree, PATH, PATH, entries=entries) for entries in pairs or ((0, 1),)]
    judging = Judging(model=Ruler(), screen=lambda line, _: line, attester=attester(judge) if judge else None)
    return tidy.propose(tree=tree, notes=NoteCache(), renames={}, nominations=nominations, judging=judging, fresh=fresh)


def test_a_restatement_that_a_fit_judge_attests_goes_into_the_wording_that_stands() -> None:
    tree = standing(KEPT, AGAIN)
    plan = tidied(tree, EquivalenceJudge())
    assert text_of(planted(tree, plan), PATH) == (
        "# orders-api\n\n- 2026-09-01: The timeout of orders-api is 30 s. [thread_a, thread_b, 2026-09-01]\n"
    )
    (operation,) = plan.items[0].operations
    assert isinstance(operation, Merge)
    assert guard_specifics(propose(operation, tree)) is None
    assert operation.basis.why.endswith("in other words")


def test_several_restatements_go_into_one_wording_in_one_night() -> None:
    tree = standing(KEPT, AGAIN, FOURTH)
    plan = tidied(tree, EquivalenceJudge(), (0, 1), (0, 2))
    assert text_of(planted(tree, plan), PATH) == (
        "# orders-api\n\n- 2026-09-01: The timeout of orders-api is 30 s. [thread_a, thread_b, thread_d, 2026-09-01]\n"
    )


def test_what_takes_a_note_is_decided_last_and_the_newest_note_first_so_that_a_budget_holds_up_nothing_else() -> None:
    late = AGAIN.replace("2026-10-01", "2026-10-09").replace("cuts", "shakes")
    tree = memory(
        services__orders_api=f"# orders-api\n\n{KEPT}\n{FOURTH}\n",
        inbox__old=f"# orders-api\n\n{AGAIN}\n",
        inbox__new=f"# orders-api\n\n{late}\n",
    )
    kept = "services/orders_api.md"
    old, new, entry = (
        pair(tree, "inbox/old.md", kept),
        pair(tree, "inbox/new.md", kept),
        pair(tree, kept, kept, entries=(0, 1)),
    )
    judging = Judging(model=Ruler(), screen=lambda line, _: line, attester=attester(EquivalenceJudge()))
    plan = tidy.propose(tree=tree, notes=NoteCache(), renames={}, nominations=[old, new, entry], judging=judging)
    assert [item.id for item in plan.items] == [entry.id, new.id, old.id]
    assert all(item.operations for item in plan.items)


def test_without_a_judge_words_keep_two_statements_apart() -> None:
    assert list(reasons(tidied(standing(KEPT, AGAIN), None)).values()) == ["differing-word"]


def test_a_ruler_and_a_judge_that_say_yes_to_everything_merge_nothing_and_the_report_says_why() -> None:
    plan = tidied(standing(KEPT, AGAIN), EquivalenceJudge(is_honest=False))
    (item,) = plan.items
    assert (item.reason, item.pending, item.operations) == ("judge-silent", True, ())
    assert any("1 pairs in other words stay apart" in finding for finding in plan.findings)


def test_what_a_judge_does_not_attest_cools_down() -> None:
    plan = tidied(standing(KEPT, AGAIN), EquivalenceJudge(says=lambda _one, _other: "unsure"))
    (item,) = plan.items
    assert (item.reason, item.pending) == ("not-attested", False)


def test_what_is_closed_is_not_even_asked_about() -> None:
    judge = EquivalenceJudge()
    plan = tidied(standing(KEPT, AGAIN.replace("30 s", "40 s")), judge)
    assert list(reasons(plan).values()) == ["differing-word"]
    assert judge.asked == []


def test_no_source_passes_to_words_that_it_did_not_say() -> None:
    tree = standing("- 2026-09-01: The timeout of orders-api is 30 s.", AGAIN)
    plan = tidied(tree, EquivalenceJudge())
    assert text_of(planted(tree, plan), PATH).splitlines()[2] == AGAIN.replace("2026-10-01:", "2026-09-01:").replace(
        "2026-10-01]", "2026-09-01]"
    )


def test_what_was_written_today_stays_today() -> None:
    tree = standing(KEPT, AGAIN)
    fresh = Freshness([PATH], landed=standing(KEPT))
    judge = EquivalenceJudge()
    (item,) = tidied(tree, judge, fresh=fresh).items
    assert (item.operations, item.pending) == ((), True)
