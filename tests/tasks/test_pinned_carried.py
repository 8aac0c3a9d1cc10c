"""Checks that people pinned to entries survive what the tasks do to these."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from dream.guards.pinned import guard_pinned_checks
from dream.memory.loss import measure_loss
from dream.memory.notes import Note, NoteCache, parse_note
from dream.memory.operations import Merge, Refusal, Revise, Span
from dream.memory.references import Reference, find_references
from dream.memory.similarity import word_set
from dream.memory.units import BaseUnits
from tasks import tidy
from tasks.entries import cited
from tasks.placing import Placement, Wanted
from tasks.shelf import Shelf, ShelfLimits
from tasks.verification.reference_checks import Production
from tasks.verification.reference_repairs import corrected_entries
from tasks.writing import Line, revised
from tests.guards.proposals import propose
from tests.tasks.code import make_code
from tests.tasks.code import read as read_tree
from tests.tasks.stories import memory, text_of

CHECK = "  check: web get `/orders $.port` is `8443`"
OTHER = "\tCheck: db select `SELECT port FROM apis`  at least `1`."
NEW = Line(statement="The orders API listens on port 9443", sources=("thread_b",), dated=date(2026, 10, 21))
NOW = "The orders API listens on port 9443. [thread_b, 2026-10-21]"


def read(text: str) -> Note:
    note = parse_note(text.encode())
    assert isinstance(note, Note)
    return note


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            f"- 2026-10-01: The orders API listens on port 8443. [thread_a, 2026-10-01]\n{CHECK}\n{OTHER}",
            f"- 2026-10-21: {NOW}\n{CHECK}\n{OTHER}",
        ),
        (
            f"* The orders API listens on port 8443.\n{CHECK}\n  It is behind the gateway.",
            None,
        ),
        (
            f"* It is hidden. The orders API listens on port 8443. [thread_a]\n{CHECK}",
            f"* It is hidden. The orders API listens on port 9443. [thread_a, thread_b, 2026-10-21]\n{CHECK}",
        ),
        (f"The orders API listens on port 8443.\n{CHECK}", f"{NOW}\n{CHECK}"),
    ],
)  # fmt: skip
def test_a_fact_that_is_corrected_keeps_its_checks_as_they_are(old: str, new: str | None) -> None:
    note = read(f"# Orders\n\n{old}\n")
    (entry,) = note.entries
    made = revised(note, entry, NEW)
    if new is None:
        assert made is not None
        assert CHECK in made.split("\n")
    else:
        assert made == new
    operation = Revise(span=Span(path="a.md", text=entry.raw), new=made or "")
    assert guard_pinned_checks(propose(operation, {"a.md": note.text}, task="distil")) is None


def test_a_body_and_a_section_keep_the_checks_that_stand_in_them() -> None:
    head = "---\nname: orders\ndescription: Orders\n---\n"
    note = read(f"{head}The orders API listens on port 8443.\n{CHECK}\n\n**Why:** it always did.\n{OTHER}\n")
    (entry,) = note.entries
    assert revised(note, entry, NEW) == f"{NOW}\n{CHECK}\n\n**Why:** it always did.\n{OTHER}"
    unlike = Line(statement="Deploys happen on Mondays", sources=("thread_b",), dated=date(2026, 10, 21))
    assert revised(note, entry, unlike) == (
        f"The orders API listens on port 8443.\n{CHECK}\n\n**Why:** it always did.\n{OTHER}\n\n"
        "Deploys happen on Mondays. [thread_b, 2026-10-21]"
    )
    bulleted = read(f"{head}Rules:\n\n- Rest on Sundays.\n{CHECK}\n")
    assert revised(bulleted, bulleted.entries[0], unlike) == (
        f"Rules:\n\n- Rest on Sundays.\n{CHECK}\n- Deploys happen on Mondays. [thread_b, 2026-10-21]"
    )
    sections = read(f"# Orders\n\n## Port\n**Updated:** 2026-10-01\n- The orders API listens on port 8443.\n{CHECK}\n")
    (section,) = sections.entries
    assert revised(sections, section, NEW) == (f"## Port\n**Updated:** 2026-10-21\n- {NOW}\n{CHECK}")


def test_the_check_is_never_what_a_statement_is_written_over() -> None:
    check = "  check: orders api `The orders API listens on port` is `9442`"
    head = "---\nname: orders\ndescription: Orders\n---\n"
    note = read(f"{head}Everything else.\n{check}\n")
    (entry,) = note.entries
    assert revised(note, entry, NEW) == f"Everything else.\n{check}\n\n{NOW}"


def test_a_statement_is_placed_over_a_fact_whose_check_then_stands_below_it() -> None:
    tree = memory(
        services__orders=f"# Orders\n\n- 2026-10-01: The orders API listens on port 8443. [thread_a]\n{CHECK}\n"
    )
    notes = NoteCache()
    shelf = Shelf(notes)
    shelf.take(tree)
    placement = Placement(tree, notes, shelf)
    view = shelf.view(tree, word_set("orders port"), limits=ShelfLimits(), screen=lambda line: line)
    answer = placement.place(Wanted(line=NEW, resource="orders", evidence=("said",)), view)
    assert not isinstance(answer, Refusal)
    assert text_of(placement.tree, "services/orders.md") == f"# Orders\n\n- 2026-10-21: {NOW}\n{CHECK}\n"
    again = placement.place(Wanted(line=NEW, resource="orders", evidence=("said",)), view)
    assert again == Refusal("already-written", "services/orders.md:3")


def test_sources_are_cited_where_the_statement_ends_and_not_behind_a_check() -> None:
    note = read(f"- 2026-10-01: Said. [thread_a, 2026-10-01]\r\n{CHECK}\r\n")
    (entry,) = note.entries
    assert entry.key == "Said."
    assert entry.sources == ("thread_a",)
    assert cited(entry, entry.raw, sources=("thread_a", "thread_b"), dated=date(2026, 10, 1)) == (
        f"- 2026-10-01: Said. [thread_a, thread_b, 2026-10-01]\r\n{CHECK}\r"
    )


def test_a_blank_line_above_a_check_cites_nothing() -> None:
    note = read(f"- 2026-10-01: Said. [thread_a, 2026-10-01]\n\n{CHECK}\n")
    (entry,) = note.entries
    assert cited(entry, entry.raw, sources=("thread_a", "thread_b"), dated=date(2026, 10, 1)) == (
        f"- 2026-10-01: Said. [thread_a, thread_b, 2026-10-01]\n\n{CHECK}"
    )


@pytest.mark.parametrize("ours", ["", f"\n{CHECK}"])
def test_duplicates_come_to_one_entry_with_the_checks_of_both(ours: str) -> None:
    said = "orders-api never retries a 402 of the payment provider."
    first = f"- 2026-10-06: {said} [thread_77, 2026-10-06]{ours}"
    second = f"- 2026-10-06: {said} [thread_77, 2026-10-06]\n{OTHER}\n{CHECK}"
    tree = memory(services__orders_api="# x\n\n- 2026-01-01: Other.\n", **{
        "services__orders-api": f"# orders-api\n\n{first}\n",
        "alerts__slow": f"# slow\n\n- 2026-09-01: One.\n{second}\n",
    })  # fmt: skip
    plan = tidy.propose(tree=tree, notes=NoteCache(), renames={})
    (operation,) = [operation for item in plan.items for operation in item.operations]
    assert isinstance(operation, Merge)
    made = propose(operation, tree)
    assert guard_pinned_checks(made) is None
    kept = ours or f"\n{CHECK}"
    expected = f"- 2026-10-06: {said} [thread_77, 2026-10-06]"
    below = [kept[1:], OTHER] if ours else [OTHER, CHECK]
    assert text_of(made.after, "services/orders-api.md") == "\n".join(["# orders-api", "", expected, *below, ""])


def test_a_path_that_moved_is_put_right_in_the_statement_and_left_in_the_check(tmp_path: Path) -> None:
    make_code(tmp_path / "web")
    check = (
        "  check: web lines `src/desk/retry.ts tries` contains `3`\n  check: web history `src/desk/retries.ts` is `1`"
    )
    note = read(f"# Desk\n\n- The tries are set in\n{check}\n  `src/desk/retry.ts` by hand.\n")
    verdicts = Production([read_tree("web", tmp_path / "web", tmp_path / "home")], ["a.md"], {}).verdicts("a.md", note)
    (revision,), settled = corrected_entries("a.md", note, verdicts, today=date(2026, 10, 21))
    assert revision.new == f"- The tries are set in\n{check}\n  `src/desk/retries.ts` by hand."
    assert settled == {verdicts[0]}


def test_what_a_check_asks_is_no_reference_and_what_the_entry_says_is_one() -> None:
    text = "# Orders\n\n- See `src/orders.py`.\n  check: code file `src/gone.py` is `present`\n  check: `src/a.py`\n"
    assert find_references(text) == (Reference(kind="path", text="src/orders.py", line=2),)


def test_an_entry_whose_expected_value_moved_is_the_same_entry_and_nothing_is_lost() -> None:
    before = memory(services__orders=f"# Orders\n\n- The orders API listens.\n{CHECK}\n")
    after = memory(services__orders=f"# Orders\n\n- The orders API listens.\n{CHECK.replace('8443', '1')}\n")
    loss = measure_loss(BaseUnits(before, NoteCache()), after)
    assert (loss.notes, loss.statements) == ((), ())
