from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from dream.guards.dangling import DanglingGuard
from dream.guards.ownership import guard_ownership
from dream.memory.links.destinations import Destinations
from dream.memory.notes import NoteCache
from dream.memory.operations import Add, Merge, Move, Operation, Refusal, Remove, Revise, Span
from tests.guards.proposals import propose, tree_of, whole

FILES = {
    "a/orders.md": "---\nname: Order desk\n---\n# Orders\n\n## Limits\n\n- Ten a second. ^ten\n"
    "- See [lost](gone.md).\n",
    "b/orders.md": "# Orders\n\n- Ten a second.\n",
    "c/shop.md": "# Shop\n\n- One thing.\n- Another thing.\n",
}


def judge(
    operation: Operation, files: Mapping[str, str] | None = None, *, following: tuple[Operation, ...] = ()
) -> Refusal | None:
    notes = NoteCache()
    guard = DanglingGuard(notes, Destinations(notes), others=(guard_ownership,))
    return guard(replace(propose(operation, {**FILES, **(files or {})}), following=following))


def refused(place: str) -> Refusal:
    return Refusal("dangling-link", f"{place} would lead nowhere")


def add(text: str) -> Add:
    return Add(path="c/shop.md", text=text)


@pytest.mark.parametrize(
    "text",
    [
        "- See [orders](../a/orders.md).",
        "- See [orders](../a/orders.md#limits).",
        "- See [[Order desk#^ten]].",
        "- See [[shop#Shop]] and [here](#shop).",
        "- See [[orders]], whichever.",
        "- See [there](https://example.org/x.md#y) and [the folder](../a/).",
        "- Write `[x](nothing.md)` and `[[nothing]]`.",
        "- See [the code](../../src/shop.py).",
    ],
)
def test_a_line_whose_links_lead_somewhere_is_written(text: str) -> None:
    assert judge(add(text)) is None


@pytest.mark.parametrize(
    "text",
    [
        "- See [orders](../a/order.md).",
        "- See [orders](../a/orders.md#limit).",
        "- See [[order]].",
        "- See [[Order desk#^eleven]].",
        "- See [here](#nowhere).",
        "- ![a picture](picture.png)",
        "- Fine [orders](../a/orders.md), and [this](nowhere.md).",
    ],
)
def test_a_line_with_a_link_that_leads_nowhere_is_not_written(text: str) -> None:
    assert judge(add(text)) == refused("c/shop.md:5")


def test_a_link_that_led_nowhere_before_is_carried_along() -> None:
    old = "- See [lost](gone.md)."
    span = Span(path="a/orders.md", text=old)
    assert judge(Revise(span=span, new="- See [lost](gone.md) for more.")) is None
    assert judge(Revise(span=span, new="- See [lost](gone.md) and [more](more.md).")) == refused("a/orders.md:9")
    assert judge(Revise(span=Span(path="c/shop.md", text="- One thing."), new=old)) == refused("c/shop.md:3")


def test_a_note_that_is_linked_to_does_not_go() -> None:
    files = {"d/x.md": "# X\n\nSee [the shop](../c/shop.md).\n"}
    remove = Remove(span=whole("c/shop.md", FILES))
    assert judge(remove) is None
    assert judge(remove, files) == refused("d/x.md:3")
    assert judge(remove, {"d/x.md": "See [[shop]].\n"}) == refused("d/x.md:1")
    assert judge(Remove(span=whole("a/orders.md", FILES)), {"d/x.md": "[[Order desk]]\n"}) == refused("d/x.md:1")
    assert judge(Remove(span=whole("a/orders.md", FILES)), {"d/x.md": "[[orders]]\n"}) is None


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("archive/x.md", "[[shop]]\n"),
        ("CATALOG.md", "- [Shop](c/shop.md)\n"),
        ("MEMORY.md", "# M\n\n- [Shop](c/shop.md)\n"),
        ("d/x.md", "`[[shop]]` and <!-- [[shop]] -->\n"),
        ("d/x.txt", "[[shop]]\n"),
    ],
)
def test_what_is_made_afresh_or_was_holds_no_note_back(path: str, text: str) -> None:
    assert judge(Remove(span=whole("c/shop.md", FILES)), {path: text}) is None


@pytest.mark.parametrize(
    ("path", "line"),
    [("MEMORY.md", 3), ("daily/2026-10-20.md", 3), ("preferences/a.md", 3), ("learnings/a/SKILL.md", 3)],
)
def test_what_people_wrote_in_the_index_and_elsewhere_holds_a_note_back(path: str, line: int) -> None:
    files = {path: "# M\n\nSee [[shop]].\n"}
    assert judge(Remove(span=whole("c/shop.md", FILES)), files) == refused(f"{path}:{line}")


MERGE = Merge(into=whole("c/shop.md", FILES), new=None, absorbed=(whole("b/orders.md", FILES),))
LINKING = {"d/x.md": "See [the orders](../b/orders.md#orders).\n"}
REPAIR = Revise(
    span=Span(path="d/x.md", text="See [the orders](../b/orders.md#orders)."),
    new="See [the orders](../c/shop.md#shop).",
)


def test_a_merge_that_points_the_links_away_passes() -> None:
    assert judge(MERGE) is None
    assert judge(MERGE, LINKING) == refused("d/x.md:1")
    assert judge(MERGE, LINKING, following=(REPAIR,)) is None
    half = replace(REPAIR, new="See [the orders](../c/shop.md#orders).")
    assert judge(MERGE, LINKING, following=(half,)) == refused("d/x.md:1")


def test_a_repair_that_no_task_may_make_does_not_count() -> None:
    daily = {"daily/2026-10-20.md": "See [the orders](../b/orders.md).\n"}
    span = Span(path="daily/2026-10-20.md", text="See [the orders](../b/orders.md).")
    repair = Revise(span=span, new="See [the orders](../c/shop.md).")
    assert judge(MERGE, daily, following=(repair,)) == refused("daily/2026-10-20.md:1")


def test_the_links_of_a_note_that_moves_are_mended_with_it() -> None:
    files = {"e/y.md": "[shop](../c/shop.md)\n[lost](lost.md)\n"}
    move = Move(span=whole("e/y.md", tree_of(files)), to="y.md")
    mended = Revise(span=Span(path="y.md", text="[shop](../c/shop.md)"), new="[shop](c/shop.md)")
    assert judge(Move(span=whole("e/y.md", tree_of(files)), to="c/y.md"), files) is None
    assert judge(move, files) == refused("y.md:1")
    assert judge(move, files, following=(mended,)) is None


def test_a_section_that_is_linked_to_keeps_its_name() -> None:
    span = Span(path="a/orders.md", text="## Limits")
    rename = Revise(span=span, new="## Quotas")
    assert judge(rename) is None
    for link in ("[x](../a/orders.md#limits)", "[[Order desk#Limits]]"):
        assert judge(rename, {"d/x.md": link}) == refused("d/x.md:1")
    own = {"a/orders.md": FILES["a/orders.md"] + "\n[above](#limits)\n"}
    assert judge(rename, own) == refused("a/orders.md:11")
    repair = Revise(span=Span(path="a/orders.md", text="[above](#limits)"), new="[above](#quotas)")
    assert judge(rename, own, following=(repair,)) is None


def test_an_entry_that_is_linked_to_stays() -> None:
    remove = Remove(span=Span(path="a/orders.md", text="- Ten a second. ^ten"))
    assert judge(remove) is None
    assert judge(remove, {"d/x.md": "[[Order desk#^ten]]\n"}) == refused("d/x.md:1")
