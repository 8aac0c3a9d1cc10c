from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.loss import measure_loss
from dream.memory.notes import NoteCache
from dream.memory.operations import Merge
from dream.memory.outcomes import Plan
from dream.memory.tree import MappingTree, Tree
from dream.memory.units import BaseUnits
from tasks import tidy
from tests.tasks.stories import memory, planted, reasons, text_of


def propose(
    tree: Tree,
    *,
    renames: Mapping[str, str] | None = None,
    written_today: Collection[str] = (),
    declined: Mapping[str, str] | None = None,
) -> Plan:
    return tidy.propose(
        tree=tree, notes=NoteCache(), renames=renames or {}, written_today=written_today, declined=declined
    )


FINAL = "checkout-api never retries a 402 of the payment provider."


def test_the_same_statement_in_two_notes_comes_to_one_with_the_sources_of_both_and_the_older_date() -> None:
    tree = memory(
        services__checkout_api="# x\n\n- 2026-01-01: Other things. [thread_0, 2026-01-01]\n",
        **{
            "services__checkout-api": f"# checkout-api\n\n- 2026-10-06: {FINAL} [thread_77, 2026-10-06]\n",
            "alerts__slow": f"# slow\n\n- 2026-09-01: One.\n- 2026-10-01: {FINAL} (tentative) [person:ana@thread_5, 2026-10-01]\n",  # noqa: E501
        },
    )
    plan = propose(tree)
    (item,) = plan.items
    (merge,) = item.operations
    assert isinstance(merge, Merge)
    assert merge.basis.why == (
        "the same statement stands twice; kept at services/checkout-api.md:3, taken from alerts/slow.md:4"
    )
    after = planted(tree, plan)
    assert text_of(after, "services/checkout-api.md") == (
        f"# checkout-api\n\n- 2026-10-01: {FINAL} (tentative) [thread_77, person:ana@thread_5, 2026-10-01]\n"
    )
    assert text_of(after, "alerts/slow.md") == "# slow\n\n- 2026-09-01: One.\n"
    assert propose(after) == Plan()


def test_the_same_statement_twice_in_one_note_comes_to_its_older_self() -> None:
    line = "Messages are kept for seven days."
    tree = memory(
        queues__invoices="# q\n\n"
        f"- 2026-10-16: {line} [thread_b, 2026-10-16]\n- 2026-09-05: {line} [thread_a, 2026-09-05]\n"
    )
    after = planted(tree, propose(tree))
    assert text_of(after, "queues/invoices.md") == (f"# q\n\n- 2026-09-05: {line} [thread_a, thread_b, 2026-09-05]\n")


def test_undated_duplicates_without_sources_leave_the_first_as_it_is() -> None:
    kept = "# A\r\n\r\n- Deploys take four minutes.  \r\n- Other words entirely here.\r\n"
    tree = memory(a=f"{kept}- Deploys take   four minutes.\r\n")
    after = planted(tree, propose(tree))
    assert text_of(after, "a.md") == kept


@pytest.mark.parametrize(
    "line",
    [
        "- None currently.",
        "- See [the checkout api](../x/checkout-api.md)",
        "1. Look at checkout-api and then restart it.",
        "- [ ] Look at checkout-api and then restart it.",
        "Things to know about checkout-api are these:",
        "**What made checkout-api fast again:**",
        "*Last updated: 2026-02-06 (checkout-api is green)*",
        "> checkout-api never retries a 402.",
        "| checkout-api | never retries | a 402 |\n|---|---|---|\n| a | b | c |",
        "```\ncheckout-api never retries a 402\n```",
        "    checkout-api never retries a 402",
        "- See https://checkout-api.example/a https://checkout-api.example/b and more",
    ],
)
def test_what_means_something_where_it_stands_is_left_alone(line: str) -> None:
    tree = memory(**{"services__checkout-api": f"# S\n\n{line}\n", "alerts__slow": f"# A\n\n{line}\n"})
    assert propose(tree) == Plan()


def test_the_same_words_about_different_things_are_two_facts() -> None:
    line = "- 2026-09-05: Messages are kept for seven days. [thread_a, 2026-09-05]"
    tree = memory(queues__orders=f"# orders\n\n{line}\n", queues__invoices=f"# invoices\n\n{line}\n")
    assert propose(tree) == Plan()
    sections = memory(queues__all=f"# all\n\n## orders\n\n{line}\n\n## invoices\n\n{line}\n")
    assert propose(sections) == Plan()


def test_a_line_of_a_template_is_left_alone() -> None:
    line = "- checkout-api is owned by the payments team."
    tree = memory(**{f"services__{name}": f"# {name}\n\n{line}\n" for name in ("a", "b", "c", "d", "checkout-api")})
    assert propose(tree) == Plan()


def test_what_a_person_wrote_today_is_never_merged_away() -> None:
    entry = f"- 2026-10-06: {FINAL} [thread_77, 2026-10-06]\n"
    tree = memory(
        **{
            "services__checkout-api": f"# S\n\n{entry}- 2026-10-08: Else.\n",
            "alerts__slow": f"# A\n\n{entry}- 2026-10-07: More.\n",
        }
    )
    both = propose(tree, written_today=["services/checkout-api.md", "alerts/slow.md"])
    assert list(reasons(both).values()) == ["written-today"]
    after = planted(tree, propose(tree, written_today=["alerts/slow.md"]))
    assert text_of(after, "alerts/slow.md") == text_of(tree, "alerts/slow.md")
    assert text_of(after, "services/checkout-api.md") == "# S\n\n- 2026-10-08: Else.\n"


def test_a_declined_item_comes_back_when_a_side_changed() -> None:
    entry = f"- 2026-10-06: {FINAL} [thread_77, 2026-10-06]\n- 2026-10-08: Else.\n"
    tree = memory(**{"services__checkout-api": f"# S\n\n{entry}", "alerts__slow": f"# A\n\n{entry}"})
    (item,) = propose(tree).items
    assert list(reasons(propose(tree, declined={item.id: item.digest})).values()) == ["declined"]
    assert propose(tree, declined={item.id: "as it was"}).items == (item,)


def test_no_note_is_emptied() -> None:
    entry = f"- 2026-10-06: {FINAL} [thread_77, 2026-10-06]\n"
    tree = memory(**{"services__checkout-api": f"# S\n\n{entry}", "alerts__slow": f"# A\n\n{entry}"})
    assert list(reasons(propose(tree)).values()) == ["last-statement"]


TWICE = "# Backups\n\nThe backups of orders-db are taken at two in the night.\n"


def test_identical_notes_come_to_the_one_most_linked_to_and_links_follow() -> None:
    tree = memory(
        MEMORY="# Index\n\n- [a](a/backup.md)\n",
        a__backup=TWICE,
        b__backups=TWICE,
        runbooks__one="See [backups](../b/backups.md#when) and [[backup]].\n",
        runbooks__two="See [backups](../b/backups.md) twice: [b](/b/backups.md).\n",
        runbooks__three="Before: [old](../a/backup.md#when).\n",
        runbooks__four="[[backups]]\n",
    )
    plan = propose(tree)
    after = planted(tree, plan)
    assert [item.id for item in plan.items] == ["b/backups.md + a/backup.md"]
    assert after.paths() == [
        "MEMORY.md",
        "b/backups.md",
        "runbooks/four.md",
        "runbooks/one.md",
        "runbooks/three.md",
        "runbooks/two.md",
    ]
    assert text_of(after, "runbooks/one.md") == "See [backups](../b/backups.md#when) and [[backups]].\n"
    assert text_of(after, "runbooks/three.md") == "Before: [old](../b/backups.md#when).\n"
    assert text_of(after, "runbooks/two.md") == text_of(tree, "runbooks/two.md")


def test_of_identical_notes_the_one_with_the_plainer_name_stays() -> None:
    (item,) = propose(memory(a__backup_plan=TWICE, **{"a__backup": TWICE, "a__backup-copy": TWICE})).items
    assert item.id == "a/backup.md + a/backup-copy.md + a/backup_plan.md"


def test_a_note_that_people_are_led_to_survives_and_two_of_them_are_left() -> None:
    notes = {
        "a__backup": TWICE,
        "b__backups": TWICE,
        "c__one": "[b](../b/backups.md)\n",
        "c__two": "[b](../b/backups.md)\n",
        "preferences__slack__ops": "Link [backups](../../a/backup.md) when asked.\n",
    }
    plan = propose(memory(**notes))
    assert [item.id for item in plan.items] == ["a/backup.md + b/backups.md"]
    both = memory(**notes, daily__2026="[b](../b/backups.md)\n")
    assert reasons(propose(both)) == {"b/backups.md + a/backup.md": "both-linked"}


def test_identical_notes_of_names_that_say_nothing_are_left_alone() -> None:
    assert propose(memory(a__README=TWICE, b__README=TWICE)) == Plan()
    assert propose(memory(a__one="# A\n", b__two="# A\n")) == Plan()


def test_links_are_repaired_through_renames_in_topic_notes_only() -> None:
    text = (
        "From [the cart](cart.md#lines), [[cart]], `cart.md`, [that](./cart.md) and [out](https://x.invalid/cart.md).\n"
    )
    tree = memory(services__basket="# basket\n", services__api=text, daily__2026="[cart](../services/cart.md)\n")
    plan = propose(tree, renames={"services/old-cart.md": "services/cart.md", "services/cart.md": "services/basket.md"})
    assert [item.id for item in plan.items] == ["services/api.md: links"]
    assert text_of(planted(tree, plan), "services/api.md") == (
        "From [the cart](basket.md#lines), [[basket]], `cart.md`, [that](./basket.md) and [out](https://x.invalid/cart.md).\n"
    )


def test_links_of_a_note_that_moved_are_read_from_where_it_stood() -> None:
    text = "See [orders](orders.md) and [the alert](slow.md).\n"
    tree = memory(services__basket=text, alerts__orders="# o\n", alerts__slow="# s\n")
    plan = propose(tree, renames={"alerts/cart.md": "services/basket.md"})
    assert text_of(planted(tree, plan), "services/basket.md") == (
        "See [orders](../alerts/orders.md) and [the alert](../alerts/slow.md).\n"
    )


def test_a_name_that_several_renamed_notes_had_is_left_alone_and_found() -> None:
    tree = memory(a__x="# x\n", b__y="# y\n", c="See [[cart]].\n")
    plan = propose(tree, renames={"a/cart.md": "a/x.md", "b/cart.md": "b/y.md"})
    assert plan == Plan(findings=("c.md:1 links to what several notes may mean: a/x.md, b/y.md",))


def test_a_link_that_leads_somewhere_is_left_alone() -> None:
    tree = memory(a__cart="# new cart\n", a__basket="# basket\n", b="[[cart]] and [c](a/cart.md)\n")
    assert propose(tree, renames={"a/cart.md": "a/basket.md"}) == Plan()


def test_merging_a_statement_and_repairing_a_link_in_it_take_two_nights() -> None:
    line = "checkout-api takes baskets from [the cart](../services/cart.md) only."
    tree = memory(
        **{
            "services__checkout-api": f"# S\n\n- 2026-10-06: {line} [thread_1, 2026-10-06]\n",
            "services__slow": f"# A\n\n- 2026-10-07: {line} [thread_2, 2026-10-07]\n- 2026-10-08: Else.\n",
            "services__basket": "# basket\n",
        }
    )
    renames = {"services/cart.md": "services/basket.md"}
    once = planted(tree, propose(tree, renames=renames))
    twice = planted(once, propose(once, renames=renames))
    assert text_of(twice, "services/checkout-api.md").endswith(
        "takes baskets from [the cart](basket.md) only. [thread_1, thread_2, 2026-10-06]\n"
    )
    assert propose(twice, renames=renames) == Plan()


STATEMENTS = [
    "checkout-api never retries a 402.",
    "orders-db is backed up at two at night.",
    "A line that names nothing.",
]
LINES = st.builds(
    lambda text, day, source: f"- 2026-10-{day:02}: {text} [thread_{source}, 2026-10-{day:02}]",
    st.sampled_from(STATEMENTS),
    st.integers(1, 28),
    st.sampled_from("abc"),
)
MEMORIES = st.dictionaries(
    st.sampled_from(["services/checkout-api.md", "services/orders-db.md", "alerts/a.md", "alerts/b.md"]),
    st.lists(LINES, min_size=1, max_size=5).map(lambda lines: ("# Note\n\n" + "\n".join(lines) + "\n").encode()),
)


def _sources(text: str, statement: str) -> set[str]:
    lines = (line for line in text.split("\n") if statement in line)
    return {word.strip("[],") for line in lines for word in line.split() if "thread_" in word}


@given(MEMORIES)
def test_no_statement_and_no_source_is_lost_and_it_comes_to_rest(notes: dict[str, bytes]) -> None:
    tree = MappingTree(notes)
    cache = NoteCache()
    after: Tree = tree
    for _ in range(1 + len(notes)):
        plan = tidy.propose(tree=after, notes=cache, renames={})
        after = planted(after, plan)
    assert not any(item.operations for item in plan.items)
    assert measure_loss(BaseUnits(tree, cache), after).statements == ()
    before_text = b"".join(notes.values()).decode()
    after_text = "".join(text_of(after, path) for path in after.paths())
    for statement in STATEMENTS:
        assert _sources(before_text, statement) == _sources(after_text, statement)


def test_a_statement_that_differs_in_its_formatting_alone_is_the_same_statement() -> None:
    tree = memory(
        services__checkout="# checkout\n\n- checkout never retries a 402 of the payment provider.\n- Other.\n",
        alerts__slow="# slow\n\n- One more.\n- **Checkout** never retries a _402_ of the payment provider\n",
    )
    after = planted(tree, propose(tree))
    assert text_of(after, "alerts/slow.md") == "# slow\n\n- One more.\n"
    assert propose(after) == Plan()


@pytest.mark.parametrize(("one", "other"), [("Staging", "Production"), ("eu-west-1", "us-east-1")])
def test_the_same_words_under_two_environments_are_two_facts(one: str, other: str) -> None:
    line = "- search-api runs with 5 replicas each."
    tree = memory(services__search=f"# search-api\n\n## {one}\n\n{line}\n\n## {other}\n\n{line}\n")
    assert propose(tree).items == ()
