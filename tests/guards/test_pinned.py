from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.guards.duplicates import DuplicateGuard
from dream.guards.pinned import guard_pinned_checks
from dream.guards.undone import UndoneGuard
from dream.memory.allowance import VERIFICATION
from dream.memory.notes import NoteCache
from dream.memory.operations import Add, Basis, Merge, Move, Operation, Refusal, Remove, Revise, Shorten, Span
from dream.memory.state import Tombstone
from tests.guards.proposals import propose, whole

CHECK = "  check: web get `/orders $.replicas` is `5`"
OTHER = "  check: db select `SELECT 1` at most `9`"
STATED = "- 2026-10-14: orders-api runs 5 replicas. [thread_a, 2026-10-14]"
ENTRY = f"{STATED}\n{CHECK}"
SAID = Basis(evidence=("web get: 7",))
TASKS = ("distil", "tidy", "pr_outcomes", VERIFICATION)


def judge(operation: Operation, task: str = "tidy", *, path: str = "orders.md", **notes: str) -> Refusal | None:
    files = {f"{name}.md": text for name, text in notes.items()} or {path: f"# Orders\n\n{ENTRY}\n- Another.\n"}
    return guard_pinned_checks(propose(operation, files, task=task))


def revised(old: str, new: str, task: str, *, basis: Basis = SAID) -> Refusal | None:
    return judge(Revise(span=Span(path="a.md", text=old), new=new, basis=basis), task, a=f"# A\n\n{old}\n")


@pytest.mark.parametrize("task", TASKS)
def test_a_statement_may_change_and_its_check_stays(task: str) -> None:
    assert revised(ENTRY, ENTRY.replace("runs 5", "runs 7"), task) is None
    assert revised(ENTRY, f"{STATED}\n\tCheck: web  get `/orders $.replicas` is `5`.", task) is None
    assert revised(STATED, STATED.replace("5", "7"), task) is None


@pytest.mark.parametrize("task", TASKS)
def test_no_task_drops_a_check_or_plants_one(task: str) -> None:
    dropped = Refusal("drops-check", "web get `/orders $.replicas` is `5`")
    planted = Refusal("new-check", "db select `SELECT 1` at most `9`")
    assert revised(ENTRY, STATED, task) == dropped
    assert revised(f"{ENTRY}\n{OTHER}", ENTRY, task) == Refusal("drops-check", planted.detail)
    assert revised(STATED, f"{STATED}\n{OTHER}", task) == planted
    assert revised(ENTRY, f"{STATED}\n{OTHER}", task) == planted
    assert judge(Add(path="orders.md", text=f"- New.\n{OTHER}"), task) == planted
    assert judge(Add(path="new.md", text=f"- New.\n{OTHER}", opening="# New"), task) == planted
    assert judge(Shorten(span=Span(path="orders.md", text=ENTRY), new=STATED), task) == dropped


def test_a_line_that_becomes_a_check_where_it_lands_is_planted_too() -> None:
    planted = Refusal("new-check", "db select `SELECT 1` at most `9`")
    assert judge(Add(path="orders.md", text=OTHER), orders="# Orders\n\n- Said.\n") == planted
    assert judge(Add(path="orders.md", text=OTHER)) == planted


def test_a_note_that_is_read_otherwise_from_now_on_keeps_its_checks_or_the_edit_is_refused() -> None:
    undated = f"# Orders\n\n- orders-api runs 5 replicas.\n{CHECK}\n"
    assert judge(Add(path="orders.md", text="- Another."), orders=undated) is None
    dated = Add(path="orders.md", text="- 2026-10-14: Another.")
    assert judge(dated, orders=undated) == Refusal("drops-check", "web get `/orders $.replicas` is `5`")


def test_verification_alone_moves_what_a_check_expects_and_only_with_evidence() -> None:
    moved = f"{STATED}\n{CHECK.replace('`5`', '`7`')}"
    assert revised(ENTRY, moved, VERIFICATION) is None
    assert revised(ENTRY, moved, VERIFICATION, basis=Basis()) == Refusal(
        "new-check", "web get `/orders $.replicas` is `7`"
    )
    for task in ("distil", "tidy"):
        assert revised(ENTRY, moved, task) == Refusal("new-check", "web get `/orders $.replicas` is `7`")


@pytest.mark.parametrize(
    "other",
    [
        CHECK.replace("is `5`", "at least `5`"),
        CHECK.replace("/orders", "/search"),
        CHECK.replace("web", "db"),
        CHECK.replace("get", "status"),
        f"{CHECK.replace('`5`', '`7`')}\n{CHECK.replace('`5`', '`8`')}",
    ],
)
def test_verification_changes_nothing_else_of_a_check(other: str) -> None:
    refusal = revised(ENTRY, f"{STATED}\n{other}", VERIFICATION)
    assert refusal is not None
    assert refusal.reason == "new-check"


@pytest.mark.parametrize("relation", ["is not", "contains", "at least", "at most"])
def test_what_says_anything_but_a_value_is_for_people_to_change(relation: str) -> None:
    old = ENTRY.replace("` is `", f"` {relation} `")
    refusal = revised(old, old.replace("`5`", "`7`"), VERIFICATION)
    assert refusal is not None
    assert refusal.reason == "new-check"


def test_an_entry_with_a_check_is_removed_by_verification_with_evidence_alone() -> None:
    span = Span(path="orders.md", text=ENTRY)
    dropped = Refusal("drops-check", "web get `/orders $.replicas` is `5`")
    assert judge(Remove(span=span, basis=SAID), "tidy") == dropped
    assert judge(Remove(span=span), VERIFICATION) == dropped
    assert judge(Remove(span=span, basis=SAID), VERIFICATION) is None
    assert judge(Remove(span=Span(path="orders.md", text="- Another."))) is None


def test_a_whole_note_goes_with_its_checks_only_where_they_stand_elsewhere() -> None:
    files = {"a.md": f"# A\n\n{ENTRY}\n", "b.md": f"# B\n\n{ENTRY}\n", "c.md": "# C\n\n- Nothing.\n"}
    same = Merge(into=whole("a.md", files), new=None, absorbed=(whole("b.md", files),))
    assert guard_pinned_checks(propose(same, files)) is None
    lost = Merge(into=whole("c.md", files), new=None, absorbed=(whole("b.md", files),))
    assert guard_pinned_checks(propose(lost, files)) == Refusal("drops-check", "web get `/orders $.replicas` is `5`")
    moved = Move(span=whole("a.md", files), to="archive/a.md")
    assert guard_pinned_checks(propose(moved, files)) is None


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        (f"{ENTRY}\n{OTHER}", None),
        (f"{STATED}\n{OTHER}\n{CHECK}", None),
        (ENTRY, "drops-check"),
        (f"{STATED}\n{OTHER}", "drops-check"),
        (None, "drops-check"),
        (f"{ENTRY}\n{OTHER}\n  check: web get `/x` is `1`", "new-check"),
    ],
)
def test_a_merge_holds_the_checks_of_all_sides(new: str | None, reason: str | None) -> None:
    other = f"- orders-api runs 5 replicas.\n{OTHER}"
    operation = Merge(
        into=Span(path="a.md", text=ENTRY), new=new, absorbed=(Span(path="b.md", text=other),), basis=SAID
    )
    refusal = judge(operation, a=f"# A\n\n{ENTRY}\n", b=f"# B\n\n{other}\n")
    assert (refusal and refusal.reason) == reason


def test_a_check_that_only_a_third_entry_still_has_is_dropped_by_a_merge() -> None:
    operation = Merge(
        into=Span(path="a.md", text=STATED), new=None, absorbed=(Span(path="b.md", text=ENTRY),), basis=SAID
    )
    refusal = judge(operation, a=f"# A\n\n{STATED}\n- Third.\n{CHECK}\n", b=f"# B\n\n{ENTRY}\n")
    assert refusal == Refusal("drops-check", "web get `/orders $.replicas` is `5`")


def test_an_edit_that_hides_a_check_from_its_reader_drops_it() -> None:
    opened = f"{STATED}\n  ```\n{CHECK}"
    assert revised(ENTRY, opened, "distil") == Refusal("drops-check", "web get `/orders $.replicas` is `5`")


def test_what_is_shown_of_a_check_is_short_and_ascii() -> None:
    line = f"  check: web get `/{chr(0x202E) * 200}` is `5`"
    refusal = revised(STATED, f"{STATED}\n{line}", "distil")
    assert refusal is not None
    assert refusal.detail.isascii()


_LINES = st.lists(st.sampled_from([CHECK, OTHER, "  more"]), max_size=4)


@given(_LINES, _LINES)
def test_a_revision_passes_only_with_the_very_checks_that_stood(before: list[str], after: list[str]) -> None:
    old, new = "\n".join(["- x", *before]), "\n".join(["- y", *after])
    passes = revised(old, new, "distil") is None
    assert passes == (sorted(filter("  more".__ne__, before)) == sorted(filter("  more".__ne__, after)))


def test_moving_what_a_check_expects_is_more_than_a_date_and_is_not_done_again_once_undone() -> None:
    moved = CHECK.replace("`5`", "`7`")
    operation = Revise(span=Span(path="a.md", text=ENTRY), new=f"{STATED}\n{moved}", basis=SAID)
    proposal = propose(operation, {"a.md": f"# A\n\n{ENTRY}\n"}, task=VERIFICATION)
    assert DuplicateGuard(NoteCache())(proposal) is None
    stone = Tombstone.model_validate(
        {
            "effect": "e1",
            "kind": "revise",
            "task": VERIFICATION,
            "paths": ["a.md"],
            "keys": [moved],
            "sources": [],
            "dated": "2026-10-20",
            "undone": "2026-10-21",
        }
    )
    refusal = UndoneGuard([stone])(proposal)
    assert refusal is not None
    assert refusal.reason == "undone"
    carried = Revise(span=Span(path="a.md", text=ENTRY), new=ENTRY.replace("orders-api runs", "It has"), basis=SAID)
    assert UndoneGuard([stone])(propose(carried, {"a.md": f"# A\n\n{ENTRY}\n"}, task="distil")) is None
