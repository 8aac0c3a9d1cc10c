"""What counts as lost, on cases worked out by hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from dream.memory.loss import Loss, LostStatement, absorbed_by, measure_loss
from dream.memory.notes import NoteCache
from dream.memory.operations import Merge, Span
from dream.memory.tree import MappingTree
from dream.memory.units import BaseUnits

DATED = "- 2026-10-{day:02}: {text}. [thread_7c2e, 2026-10-{day:02}]\n"


def note(title: str, *statements: str) -> str:
    return f"# {title}\n\n" + "".join(DATED.format(day=n + 1, text=text) for n, text in enumerate(statements))


def tree(files: Mapping[str, str]) -> MappingTree:
    return MappingTree({path: text.encode() for path, text in files.items()})


def lost(
    before: Mapping[str, str],
    after: Mapping[str, str],
    *,
    last_landed: Mapping[str, str] | None = None,
    absorbed: Collection[tuple[str, str]] = (),
) -> tuple[list[str], list[str]]:
    """Return the notes lost and the statements lost, as path and key."""
    loss = measure_loss(
        BaseUnits(tree(before), NoteCache()),
        tree(after),
        last_landed=None if last_landed is None else tree(last_landed),
        absorbed=absorbed,
    )
    return list(loss.notes), [f"{statement.path}: {statement.key}" for statement in loss.statements]


CHECKOUT = note(
    "Checkout",
    "checkout-api listens on port 8080",
    "checkout-api retries payments three times",
    "checkout-api is owned by the payments team",
    "checkout-api keeps carts in Redis for two hours",
)
ORDERS = note(
    "Orders",
    "orders-db runs PostgreSQL 15",
    "orders-db is backed up at 02:00 UTC",
    "orders-db has one read replica in Dublin",
    "orders-db refuses connections beyond 200",
)
BOTH = {"services/checkout.md": CHECKOUT, "services/orders.md": ORDERS}


def only(text: str, *, entries: Collection[int]) -> str:
    """Return the title of a note with some of its entries."""
    lines = text.split("\n")
    return "\n".join([*lines[:2], *(lines[2 + n] for n in sorted(entries)), ""])


def merged(into: str, taken: str, entries: Collection[int] = range(4)) -> str:
    return into + only(taken, entries=entries).split("\n", 2)[2]


def test_a_memory_that_stays_loses_nothing() -> None:
    assert lost(BOTH, BOTH) == ([], [])


def test_an_empty_memory_has_nothing_to_lose() -> None:
    loss = measure_loss(BaseUnits(tree({}), NoteCache()), tree(BOTH))
    assert loss == Loss(topic_notes=0, statement_count=0)


def test_the_base_is_counted_in_topic_notes_and_their_entries() -> None:
    before = {**BOTH, "MEMORY.md": "- one\n- two\n", "daily/2026-10-01.md": CHECKOUT, "assets/a.txt": "x\n"}
    assert measure_loss(BaseUnits(tree(before), NoteCache()), tree(before)) == Loss(topic_notes=2, statement_count=8)


def test_a_deleted_note_costs_itself_and_its_statements() -> None:
    notes, statements = lost(BOTH, {"services/orders.md": ORDERS})
    assert notes == ["services/checkout.md"]
    assert len(statements) == 4


def test_a_rename_costs_nothing() -> None:
    assert lost(BOTH, {"checkout.md": CHECKOUT, "services/orders.md": ORDERS}) == ([], [])


def test_a_rename_that_loses_less_than_half_costs_the_statement() -> None:
    after = {"checkout.md": only(CHECKOUT, entries=[0, 1, 2]), "services/orders.md": ORDERS}
    assert lost(BOTH, after) == ([], ["services/checkout.md: checkout-api keeps carts in Redis for two hours."])


def test_a_swap_costs_nothing() -> None:
    assert lost(BOTH, {"services/checkout.md": ORDERS, "services/orders.md": CHECKOUT}) == ([], [])


def test_a_swap_with_a_note_that_is_part_of_the_other_costs_nothing() -> None:
    part = "- 2026-10-01: orders-db runs PostgreSQL 15. [thread_7c2e, 2026-10-01]\n"
    before = {"a.md": part, "b.md": ORDERS}
    assert lost(before, {"a.md": ORDERS, "b.md": part}) == ([], [])


def test_the_rename_of_one_of_two_equal_notes_costs_nothing() -> None:
    assert lost({"a.md": CHECKOUT, "z.md": CHECKOUT}, {"a.md": CHECKOUT, "y.md": CHECKOUT}) == ([], [])
    assert lost({"a.md": CHECKOUT, "z.md": CHECKOUT}, {"b.md": CHECKOUT, "y.md": CHECKOUT}) == ([], [])


def test_one_of_two_equal_notes_that_goes_costs_a_note_and_no_statement() -> None:
    assert lost({"a.md": CHECKOUT, "z.md": CHECKOUT}, {"a.md": CHECKOUT}) == (["z.md"], [])


def test_merging_one_note_into_another_costs_the_one() -> None:
    assert lost(BOTH, {"services/orders.md": merged(ORDERS, CHECKOUT)}) == (["services/checkout.md"], [])


def test_merging_two_notes_into_a_third_costs_both_but_the_larger_share() -> None:
    both = merged(CHECKOUT, ORDERS)
    assert lost(BOTH, {"services/all.md": both}) == (["services/orders.md"], [])


def test_merging_everything_into_one_note_costs_all_others() -> None:
    before = {f"notes/{n}.md": note(f"Note {n}", f"fact one of {n}", f"fact two of {n}") for n in range(6)}
    everything = "".join(before.values())
    notes, statements = lost(before, {"notes/0.md": everything})
    assert notes == [f"notes/{n}.md" for n in range(1, 6)]
    assert statements == []


def test_a_split_costs_nothing() -> None:
    after = {
        "services/checkout.md": only(CHECKOUT, entries=[0, 1]),
        "services/carts.md": only(CHECKOUT, entries=[2, 3]),
        "services/orders.md": ORDERS,
    }
    assert lost(BOTH, after) == ([], [])


def test_a_split_that_leaves_no_note_at_the_old_path_costs_nothing() -> None:
    after = {
        "services/network.md": only(CHECKOUT, entries=[0]),
        "services/carts.md": only(CHECKOUT, entries=[1, 2, 3]),
        "services/orders.md": ORDERS,
    }
    assert lost(BOTH, after) == ([], [])


def test_hollowing_a_note_costs_the_note() -> None:
    notes, statements = lost(BOTH, {**BOTH, "services/checkout.md": only(CHECKOUT, entries=[0])})
    assert notes == ["services/checkout.md"]
    assert len(statements) == 3


def test_a_note_that_keeps_half_of_its_entries_is_kept() -> None:
    notes, statements = lost(BOTH, {**BOTH, "services/checkout.md": only(CHECKOUT, entries=[0, 2])})
    assert notes == []
    assert len(statements) == 2


def test_moving_most_entries_of_a_note_into_another_costs_the_note_and_no_statement() -> None:
    after = {
        "services/checkout.md": only(CHECKOUT, entries=[0]),
        "services/orders.md": merged(ORDERS, CHECKOUT, [1, 2, 3]),
    }
    assert lost(BOTH, after) == (["services/checkout.md"], [])


def test_emptying_a_note_or_putting_a_word_in_its_place_costs_the_note() -> None:
    for text in ("", "gone\n", "# Checkout\n"):
        notes, statements = lost(BOTH, {**BOTH, "services/checkout.md": text})
        assert notes == ["services/checkout.md"]
        assert len(statements) == 4


def test_losing_the_text_around_the_entries_costs_the_note() -> None:
    text = "# Checkout\n\nHow carts are paid for.\nRead this before a deploy.\n\n" + CHECKOUT.split("\n", 2)[2]
    after = {**BOTH, "services/checkout.md": CHECKOUT.split("\n", 2)[2]}
    assert lost({**BOTH, "services/checkout.md": text}, after) == (["services/checkout.md"], [])


def test_archiving_costs_the_note_and_its_statements() -> None:
    notes, statements = lost(BOTH, {"archive/checkout.md": CHECKOUT, "services/orders.md": ORDERS})
    assert notes == ["services/checkout.md"]
    assert len(statements) == 4


def test_moving_a_note_to_where_it_is_no_topic_note_costs_the_note() -> None:
    for path in ("daily/checkout.md", ".old/checkout.md", "preferences/checkout.md", "services/checkout.txt"):
        assert lost(BOTH, {path: CHECKOUT, "services/orders.md": ORDERS})[0] == ["services/checkout.md"]


def test_a_new_note_costs_nothing_and_owns_nothing() -> None:
    assert lost(BOTH, {**BOTH, "services/new.md": note("New", "something else entirely")}) == ([], [])


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_tiny_memory_that_is_cleared_loses_every_note(count: int) -> None:
    before = {f"{n}.md": note(f"Note {n}", f"fact of {n}") for n in range(count)}
    assert lost(before, {})[0] == sorted(before)


def test_a_note_without_a_unit_is_nothing_to_lose() -> None:
    assert lost({"empty.md": "", "rule.md": "---\n\n***\n", **BOTH}, BOTH) == ([], [])


def test_two_identical_entries_that_become_one_are_no_loss() -> None:
    twice = note("Checkout", "the port is 8080", "the port is 8080", "the port is 8080", "the team is payments")
    assert lost({"a.md": twice}, {"a.md": note("Checkout", "the port is 8080", "the team is payments")}) == ([], [])


def test_an_entry_that_another_note_repeats_is_no_loss() -> None:
    before = {"a.md": note("A", "the port is 8080", "the team is payments"), "b.md": note("B", "the port is 8080")}
    after = {**before, "a.md": note("A", "the team is payments")}
    assert lost(before, after) == ([], [])
    assert lost(before, {**before, "b.md": note("B")})[1] == []


def test_a_date_and_sources_that_change_are_no_loss() -> None:
    after = {**BOTH, "services/checkout.md": CHECKOUT.replace("thread_7c2e", "acme/web#41").replace("-10-", "-11-")}
    assert lost(BOTH, after) == ([], [])


def test_a_small_revision_is_no_loss() -> None:
    assert lost(BOTH, {**BOTH, "services/checkout.md": CHECKOUT.replace("port 8080", "port 9090")}) == ([], [])


def test_a_small_revision_of_the_only_entry_is_no_loss() -> None:
    before = {"a.md": "The checkout service listens on port 8080 in every region.\n"}
    assert lost(before, {"a.md": "The checkout service listens on port 9090 in every region.\n"}) == ([], [])


def test_a_revision_that_leaves_less_than_half_of_the_text_is_a_loss() -> None:
    after = CHECKOUT.replace("checkout-api is owned by the payments team", "checkout-api")
    assert lost(BOTH, {**BOTH, "services/checkout.md": after}) == (
        [],
        ["services/checkout.md: checkout-api is owned by the payments team."],
    )


def test_a_revision_to_something_else_is_a_loss() -> None:
    after = CHECKOUT.replace(
        "checkout-api is owned by the payments team", "the office in Lyon closes on Fridays at noon"
    )
    assert lost(BOTH, {**BOTH, "services/checkout.md": after})[1] == [
        "services/checkout.md: checkout-api is owned by the payments team."
    ]


def test_an_entry_that_is_revised_in_a_note_it_does_not_own_is_lost() -> None:
    after = {
        "services/checkout.md": only(CHECKOUT, entries=[1, 2, 3]),
        "services/orders.md": merged(ORDERS, CHECKOUT.replace("port 8080", "port 9090"), [0]),
    }
    assert lost(BOTH, after)[1] == ["services/checkout.md: checkout-api listens on port 8080."]


def test_one_revised_entry_stands_for_only_one_of_two_alike() -> None:
    before = note("Racks", "host web-01 stands in rack 4", "host web-02 stands in rack 4", "host db-01 is in Lyon")
    after = note("Racks", "host web-03 stands in rack 4", "host db-01 is in Lyon")
    assert lost({"racks.md": before}, {"racks.md": after})[1] == ["racks.md: host web-02 stands in rack 4."]


def test_an_entry_that_was_there_before_stands_for_no_other() -> None:
    before = note("Racks", "host web-01 stands in rack 4", "host web-02 stands in rack 4")
    assert lost({"racks.md": before}, {"racks.md": note("Racks", "host web-02 stands in rack 4")})[1] == [
        "racks.md: host web-01 stands in rack 4."
    ]


def test_an_entry_stands_in_a_note_whose_style_has_changed_around_it() -> None:
    plain = "# Carts\n\nCarts live in Redis.\n\nThey expire after two hours.\n\n- Nobody backs them up\n  on purpose.\n"
    dated = plain + DATED.format(day=1, text="the Redis of the carts is version 7")
    assert lost({"carts.md": plain}, {"carts.md": dated}) == ([], [])
    assert lost({"carts.md": dated}, {"carts.md": plain})[1] == ["carts.md: the Redis of the carts is version 7."]


def test_the_body_of_a_frontmatter_note_may_grow() -> None:
    before = "---\nname: tests\ndescription: How tests are run\ntype: feedback\n---\n\nRun them with make test.\n"
    assert lost({"tests.md": before}, {"tests.md": before + "\nNever on Fridays.\n"}) == ([], [])


def test_two_frontmatter_notes_that_swap_places_cost_nothing() -> None:
    one, two = (
        f"---\nname: {name}\ndescription: How {name} is done\ntype: feedback\n---\n\n{body}\n"
        for name, body in (("tests", "Run them with make test."), ("deploys", "Ask on-call before noon."))
    )
    assert lost({"a.md": one, "b.md": two}, {"a.md": two, "b.md": one}) == ([], [])


def test_an_absorbed_statement_is_no_loss_and_its_note_is() -> None:
    taken = {
        ("services/checkout.md", f"{text}.")
        for text in (
            "checkout-api listens on port 8080",
            "checkout-api retries payments three times",
            "checkout-api is owned by the payments team",
            "checkout-api keeps carts in Redis for two hours",
        )
    }
    assert lost(BOTH, {"services/orders.md": ORDERS}, absorbed=taken) == (["services/checkout.md"], [])


def test_a_note_that_the_last_landed_tip_did_not_have_costs_nothing_once_absorbed() -> None:
    after = {"services/orders.md": merged(ORDERS, CHECKOUT)}
    assert lost(BOTH, after, last_landed={"services/orders.md": ORDERS}) == ([], [])
    assert lost(BOTH, after, last_landed=BOTH) == (["services/checkout.md"], [])
    assert lost(BOTH, after, last_landed=None) == (["services/checkout.md"], [])


def test_a_note_that_the_last_landed_tip_did_not_have_costs_itself_if_a_statement_is_lost() -> None:
    after = {"services/orders.md": merged(ORDERS, CHECKOUT, [0, 1, 2])}
    assert lost(BOTH, after, last_landed={"services/orders.md": ORDERS}) == (
        ["services/checkout.md"],
        ["services/checkout.md: checkout-api keeps carts in Redis for two hours."],
    )


def test_clearing_completed_tasks_costs_nothing() -> None:
    done = "- [x] Rotate the key of the queue\n- [X] Move the cron to UTC\n- [x] Drop table carts_old\n"
    before = f"# Tasks\n\n{done}- [ ] Ask Lyon\n"
    assert lost({"tasks.md": before}, {"tasks.md": "# Tasks\n\n- [ ] Ask Lyon\n"}) == ([], [])
    assert lost({"team/tasks.md": before}, {"team/tasks.md": "# Tasks\n\n- [ ] Ask Lyon\n"}) == ([], [])
    assert lost({"tasks.md": before}, {"tasks.md": before.replace("- [ ] Ask Lyon\n", "")})[1] == [
        "tasks.md: [ ] Ask Lyon"
    ]
    assert lost({"facts.md": before}, {"facts.md": "# Tasks\n\n- [ ] Ask Lyon\n"})[0] == ["facts.md"]


def test_ticking_a_task_off_costs_nothing() -> None:
    before = "# Tasks\n\n- [ ] Rotate the key of the queue\n- [ ] Ask Lyon\n"
    assert lost({"tasks.md": before}, {"tasks.md": before.replace("[ ] Rotate", "[x] Rotate")}) == ([], [])


def test_a_file_that_cannot_be_read_is_one_unit() -> None:
    files = {"a.md": b"\xff\xfe\x00a", "b.md": CHECKOUT.encode()}
    base = BaseUnits(MappingTree(files), NoteCache())
    assert measure_loss(base, MappingTree({"b.md": files["b.md"]})).notes == ("a.md",)
    assert measure_loss(base, MappingTree({"moved.md": files["a.md"], "b.md": files["b.md"]})).notes == ()
    assert base.statement_count == 4


def test_byte_order_marks_and_line_ends_are_no_units() -> None:
    after = {**BOTH, "services/checkout.md": "\ufeff" + CHECKOUT.replace("\n", "\r\n")}
    assert lost(BOTH, after) == ([], [])
    assert lost(after, BOTH) == ([], [])


def test_only_paths_that_are_said_to_be_touched_are_looked_at() -> None:
    base = BaseUnits(tree(BOTH), NoteCache())
    after = tree({"services/orders.md": only(ORDERS, entries=[0, 1, 2])})
    assert measure_loss(base, after, touched=["services/orders.md"]) == Loss(
        statements=(LostStatement("services/orders.md", "orders-db refuses connections beyond 200."),),
        topic_notes=2,
        statement_count=8,
    )


def test_a_merge_takes_in_the_entries_of_its_spans_and_of_whole_notes() -> None:
    before = tree(BOTH)
    operation = Merge(
        into=Span(path="services/orders.md", text=ORDERS.split("\n")[2]),
        new=None,
        absorbed=(
            Span(path="services/orders.md", text="\n".join(ORDERS.split("\n")[3:5])),
            Span(path="services/checkout.md", text=None, blob=before.blob("services/checkout.md") or ""),
            Span(path="services/gone.md", text="- not there"),
        ),
    )
    assert sorted(absorbed_by(operation, before, NoteCache())) == [
        ("services/checkout.md", "checkout-api is owned by the payments team."),
        ("services/checkout.md", "checkout-api keeps carts in Redis for two hours."),
        ("services/checkout.md", "checkout-api listens on port 8080."),
        ("services/checkout.md", "checkout-api retries payments three times."),
        ("services/orders.md", "orders-db has one read replica in Dublin."),
        ("services/orders.md", "orders-db is backed up at 02:00 UTC."),
    ]
