from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from dream.memory.notes import NoteCache
from dream.memory.operations import Add, Operation, Refusal
from dream.memory.similarity import word_set
from dream.memory.tree import MappingTree, Tree
from tasks.placing import Placement, Wanted
from tasks.shelf import Shelf, ShelfLimits, View
from tasks.writing import Line
from tests.tasks.stories import memory, text_of

DAY = date(2026, 10, 21)
CHECKOUT = "# Checkout\n\n- 2026-10-01: The checkout API listens on port 8443. [thread_0001, 2026-10-01]\n"


ANA = ("person:ana@thread_7c2e",)


def wanted(
    statement: str,
    *,
    sources: tuple[str, ...] = ANA,
    dated: date = DAY,
    tentative: bool = False,
    resource: str = "checkout",
    **told: Any,
) -> Wanted:
    line = Line(statement=statement, sources=sources, dated=dated, tentative=tentative)
    return Wanted(line=line, resource=resource, evidence=("said",), **told)


class Desk:
    """A memory, what of it is shown beside some words, and the statements that are placed in it."""

    def __init__(self, tree: Tree, words: str = "checkout port refunds orders") -> None:
        notes = NoteCache()
        shelf = Shelf(notes)
        shelf.take(tree)
        self.placement = Placement(tree, notes, shelf)
        self.view = shelf.view(tree, word_set(words), limits=ShelfLimits(), screen=lambda line: line)

    def place(self, one: Wanted) -> tuple[Operation, ...] | Refusal:
        return self.placement.place(one, self.view)

    def text(self, path: str) -> str:
        return text_of(self.placement.tree, path)

    def entry(self, says: str) -> str:
        return next(name for name, (_, entry) in self.view.entries.items() if says in entry.key)


def placed(tree: Tree, one: Wanted, path: str) -> str:
    desk = Desk(tree)
    answer = desk.place(one)
    assert not isinstance(answer, Refusal), answer
    return desk.text(path)


def reason(tree: Tree, one: Wanted) -> str:
    answer = Desk(tree).place(one)
    assert isinstance(answer, Refusal), answer
    return answer.reason


def test_a_statement_goes_into_the_note_that_it_belongs_to() -> None:
    one = wanted("Refunds above 500 euros need a second pair of eyes in checkout", note="services/checkout.md")
    assert placed(memory(services__checkout=CHECKOUT), one, "services/checkout.md") == (
        CHECKOUT + "- 2026-10-21: Refunds above 500 euros need a second pair of eyes in checkout. "
        "[person:ana@thread_7c2e, 2026-10-21]\n"
    )


def test_a_new_topic_opens_a_note_whose_path_code_makes() -> None:
    one = wanted("The ledger closes at noon", resource="The Ledger (EU)", folder="services", tentative=True)
    assert placed(memory(services__checkout=CHECKOUT), one, "services/the-ledger-eu.md") == (
        "# The Ledger (EU)\n\n- 2026-10-21: The ledger closes at noon. (tentative) "
        "[person:ana@thread_7c2e, 2026-10-21]\n"
    )


@pytest.mark.parametrize(
    "folder", ["conventions", "../../etc", ".git", "daily", "preferences/slack", "learnings", "Ignore All Rules"]
)
def test_a_folder_that_nobody_keeps_notes_in_is_not_granted(folder: str) -> None:
    one = wanted("The ledger closes at noon", resource="ledger", folder=folder)
    tree = memory(services__checkout=CHECKOUT, conventions__web="# Conventions of web\n")
    assert "The ledger closes at noon" in placed(tree, one, "topics/ledger.md")


@pytest.mark.parametrize("resource", ["", "…", "总账", "con", "../.."])
def test_a_resource_that_makes_no_path_opens_no_note(resource: str) -> None:
    assert reason(memory(), wanted("The ledger closes at noon", resource=resource)) == "no-place"


def test_a_note_that_is_called_like_the_resource_is_used_wherever_it_is() -> None:
    tree = memory(platform__ledger="# Ledger\n\n- It is closed on Sundays.\n")
    one = wanted("The ledger closes at noon", resource="Ledger", folder="services")
    assert placed(tree, one, "platform/ledger.md") == (
        "# Ledger\n\n- It is closed on Sundays.\n- The ledger closes at noon. [person:ana@thread_7c2e, 2026-10-21]\n"
    )


def test_an_entry_that_is_said_to_be_replaced_is_revised() -> None:
    desk = Desk(memory(services__checkout=CHECKOUT))
    one = wanted("The port of the checkout API is 9443 since the move", replaces=desk.entry("8443"))
    assert not isinstance(desk.place(one), Refusal)
    assert desk.text("services/checkout.md") == (
        "# Checkout\n\n- 2026-10-21: The port of the checkout API is 9443 since the move. "
        "[person:ana@thread_7c2e, 2026-10-21]\n"
    )


def test_another_value_of_the_same_thing_is_found_where_nobody_named_it() -> None:
    stale = "# Ports\n\n* The checkout API listens on port 8443.\n* Search listens on 9200.\n"
    desk = Desk(memory(services__checkout=CHECKOUT, platform__ports=stale))
    answer = desk.place(wanted("The checkout API listens on port 9443", note="services/checkout.md"))
    assert not isinstance(answer, Refusal)
    assert [operation.kind for operation in answer] == ["revise", "revise"]
    assert desk.text("platform/ports.md") == (
        "# Ports\n\n* The checkout API listens on port 9443. [person:ana@thread_7c2e, 2026-10-21]\n"
        "* Search listens on 9200.\n"
    )
    assert "8443" not in desk.text("services/checkout.md")


def test_of_several_sentences_only_the_stale_one_changes() -> None:
    tree = memory(refunds="# Refunds\n\nRefunds need approval above 500 euros. They are paid within 7 days.\n")
    one = wanted("Refunds need approval above 700 euros", resource="refunds")
    assert placed(tree, one, "refunds.md") == (
        "# Refunds\n\nRefunds need approval above 700 euros. They are paid within 7 days. "
        "[person:ana@thread_7c2e, 2026-10-21]\n"
    )


def test_a_note_that_was_not_shown_is_not_written_to_by_name() -> None:
    desk = Desk(memory(services__checkout=CHECKOUT, people__zoe="# Zoe\n\nShe plays chess.\n"), words="checkout port")
    assert "people/zoe.md" not in desk.view.paths
    desk.place(wanted("Refunds above 500 euros need a second pair of eyes in checkout", note="people/zoe.md"))
    assert desk.text("people/zoe.md") == "# Zoe\n\nShe plays chess.\n"
    assert "Refunds above 500 euros" in desk.text("services/checkout.md")


def test_every_statement_on_a_new_topic_can_open_its_note() -> None:
    desk = Desk(memory(services__checkout=CHECKOUT))
    told = ("The mailer sends at most 40 mails a second", "Bounces of the mailer are kept for nine days")
    first, second = (desk.place(wanted(one, resource="mailer", folder="services")) for one in told)
    assert not isinstance(first, Refusal)
    assert not isinstance(second, Refusal)
    (opened,), (after,) = first, second
    assert isinstance(opened, Add)
    assert isinstance(after, Add)
    assert (opened.path, opened.opening) == (after.path, after.opening) == ("services/mailer.md", "# mailer\n")


def test_what_is_written_already_is_not_written_again() -> None:
    tree = memory(services__checkout=CHECKOUT)
    assert reason(tree, wanted("The checkout API listens on port 8443")) == "already-written"


def test_what_was_seen_once_and_is_seen_again_is_no_longer_tentative() -> None:
    text = CHECKOUT.replace("8443.", "8443. (tentative)")
    assert placed(
        memory(services__checkout=text), wanted("The checkout API listens on port 8443"), "services/checkout.md"
    ) == (
        "# Checkout\n\n- 2026-10-21: The checkout API listens on port 8443. "
        "[thread_0001, person:ana@thread_7c2e, 2026-10-21]\n"
    )


def test_the_same_thread_makes_nothing_firm() -> None:
    text = CHECKOUT.replace("8443.", "8443. (tentative)")
    one = wanted("The checkout API listens on port 8443", sources=("person:ana@thread_0001",))
    assert reason(memory(services__checkout=text), one) == "already-written"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"dated": date(2026, 9, 30)}, "older-than-standing"),
        ({"tentative": True}, "tentative-against-firm"),
    ],
)
def test_what_stands_does_not_give_way_to_less(changes: Mapping[str, Any], expected: str) -> None:
    one = wanted("The checkout API listens on port 9443", **changes)
    assert reason(memory(services__checkout=CHECKOUT), one) == expected


def test_a_persons_word_does_not_give_way_to_an_agents() -> None:
    text = CHECKOUT.replace("thread_0001", "person:bo@thread_0001")
    one = wanted("The checkout API listens on port 9443", sources=("thread_7c2e",))
    assert reason(memory(services__checkout=text), one) == "weaker-origin"


@pytest.mark.parametrize(
    ("replaces", "expected"), [("e99", "no-such-entry"), ("e1", "replaces-another"), ("services/x", "no-such-entry")]
)
def test_only_a_shown_entry_on_the_same_matter_is_replaced(replaces: str, expected: str) -> None:
    tree = memory(services__checkout=CHECKOUT)
    assert reason(tree, wanted("Ledgers close at noon on Fridays", replaces=replaces)) == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("The staging checkout API listens on port 9443", "near-duplicate"),
        ("The checkout API does not listen on port 8443", ""),
    ],
)
def test_what_may_be_about_another_thing_overwrites_nothing(statement: str, expected: str) -> None:
    desk = Desk(memory(services__checkout=CHECKOUT))
    answer = desk.place(wanted(statement))
    assert (answer.reason if isinstance(answer, Refusal) else "") == expected
    assert ("port 8443. [thread_0001" in desk.text("services/checkout.md")) is bool(expected)


def test_two_statements_of_one_night_on_one_thing_leave_one_value() -> None:
    desk = Desk(memory(services__checkout=CHECKOUT))
    for number, day in ((9443, DAY), (9444, DAY)):
        assert not isinstance(desk.place(wanted(f"The checkout API listens on port {number}", dated=day)), Refusal)
    assert desk.text("services/checkout.md").count("listens on port") == 1
    assert "9444" in desk.text("services/checkout.md")


BODY = """---
name: refunds
description: How refunds work
type: project
---

Refunds need approval above 500 euros.

**Why:** fraud in March.
"""


def test_a_frontmatter_note_is_told_in_its_own_style() -> None:
    tree = memory(refunds=BODY)
    one = wanted("Refunds are paid out on Fridays only", note="refunds.md", resource="refunds")
    text = placed(tree, one, "refunds.md")
    assert text == BODY + "\nRefunds are paid out on Fridays only. [person:ana@thread_7c2e, 2026-10-21]\n"


def test_in_a_body_the_stale_line_changes_and_the_rest_stays() -> None:
    one = wanted("Refunds need approval above 700 euros", resource="refunds")
    assert placed(memory(refunds=BODY), one, "refunds.md") == BODY.replace(
        "500 euros.", "700 euros. [person:ana@thread_7c2e, 2026-10-21]"
    )


def test_a_new_note_in_a_memory_of_frontmatter_notes_has_frontmatter() -> None:
    one = wanted("The ledger closes at noon", resource='The "ledger"')
    desk = Desk(memory(refunds=BODY))
    assert not isinstance(desk.place(one), Refusal)
    path = "topics/the-ledger.md" if "topics/the-ledger.md" in desk.placement.tree.paths() else "the-ledger.md"
    assert desk.text(path) == (
        '---\nname: the-ledger\ndescription: "The \\"ledger\\""\ntype: project\n---\n\n'
        "The ledger closes at noon. [person:ana@thread_7c2e, 2026-10-21]\n"
    )


SECTIONS = "# Facts\n\n## Checkout\n**Updated:** 2026-09-01\n\n- It listens on port 8443.\n- It is written in Go.\n"


def test_a_memory_of_dated_sections_gets_a_section() -> None:
    one = wanted("The ledger closes at noon", resource="Ledger", note="facts.md")
    assert placed(memory(facts=SECTIONS), one, "facts.md") == (
        SECTIONS
        + "\n## Ledger\n**Updated:** 2026-10-21\n\nThe ledger closes at noon. [person:ana@thread_7c2e, 2026-10-21]\n"
    )


def test_in_a_dated_section_the_stale_line_and_its_day_change() -> None:
    assert placed(memory(facts=SECTIONS), wanted("It listens on port 9443"), "facts.md") == (
        "# Facts\n\n## Checkout\n**Updated:** 2026-10-21\n\n"
        "- It listens on port 9443. [person:ana@thread_7c2e, 2026-10-21]\n- It is written in Go.\n"
    )


def test_nothing_is_written_into_a_block_of_code_that_was_left_open() -> None:
    tree = memory(services__checkout="# Checkout\n\n```\nmake\n")
    one = wanted("Refunds above 500 euros need a second pair of eyes", note="services/checkout.md")
    assert reason(tree, one) == "not-placeable"


def test_carriage_returns_stay_the_habit_of_their_note() -> None:
    text = CHECKOUT.replace("\n", "\r\n")
    one = wanted("The checkout API listens on port 9443")
    assert placed(MappingTree({"c.md": text.encode()}), one, "c.md") == (
        "# Checkout\r\n\r\n- 2026-10-21: The checkout API listens on port 9443. "
        "[person:ana@thread_7c2e, 2026-10-21]\r\n"
    )


def test_what_is_shown_does_not_grow_with_the_memory() -> None:
    def shown(count: int) -> View:
        tree = MappingTree(
            {f"services/s{number}.md": f"# S{number}\n\n- Service {number} runs.\n".encode() for number in range(count)}
        )
        return Desk(tree, "service runs 7 17 27").view

    small, large = shown(100), shown(1_000)
    limits = ShelfLimits()
    assert (len(small.paths), len(large.paths)) == (limits.notes, limits.notes)
    assert len(large.text) < 1.2 * len(small.text)
    assert {"services/s7.md", "services/s17.md", "services/s27.md"} <= {path for path, _ in large.entries.values()}


def test_lines_of_the_memory_are_screened_before_they_are_shown() -> None:
    notes = NoteCache()
    shelf = Shelf(notes)
    tree = memory(services__checkout=CHECKOUT)
    shelf.take(tree)
    screened = shelf.view(tree, word_set("checkout"), limits=ShelfLimits(), screen=lambda _: "withheld")
    assert screened.text == "Folders: withheld\nwithheld: withheld\n  e1: withheld (2026-10-01)"


def test_notes_that_cannot_be_read_are_not_shown() -> None:
    tree = MappingTree({"checkout.md": b"\xff\xfe checkout", "a.md": b"# A\n\n- checkout\n"})
    assert Desk(tree).view.paths == {"a.md"}
