"""What a night refuses is refused by hand as well, for the same reason."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest

from config.limits import Limits
from dream.memory.notes import NoteCache
from dream.memory.operations import Add, Basis, Merge, Move, Operation, Refusal, Remove, Revise, Span
from dream.memory.outcomes import Item
from dream.memory.tree import MappingTree
from flows.settling import Settler
from tests.support.scripted import draft_over, whole

ROOT = Path(__file__).parents[2]
FILES: Mapping[str, bytes] = {
    "MEMORY.md": b"# Memory\n",
    "services/orders.md": b"# Orders\n\n- 2026-10-01: Ten orders a second are let through the gate.\n",
    "services/shop.md": b"# Shop\n\nSee [orders](orders.md).\n\n- 2026-10-01: The shop opens at nine.\n",
    "services/gate.md": b"# Gate\n\n- 2026-10-01: Six orders a second are let through the gate.\n",
    "daily/2026-10-01.md": b"# 2026-10-01\n\nWe spoke of [the gate](../services/gate.md).\n",
}


LINE = "- 2026-10-01: Ten orders a second are let through the gate."


def added(text: str, path: str = "services/shop.md") -> Operation:
    return Add(path=path, text=f"- 2026-10-20: {text}", basis=Basis(dated=date(2026, 10, 20)))


def merged(kept: str, gone: str) -> Operation:
    return Merge(into=whole(FILES, kept), new=None, absorbed=(whole(FILES, gone),))


WRONG: Mapping[str, Operation] = {
    "not-owner": added("The shop is shut.", "daily/2026-10-01.md"),
    "no-source": added("The shop is shut. [thread_99, 2026-10-20]"),
    "secret": added("The key is AKIAIOSFODNN7EXAMPLQ."),
    "unique-line": Remove(span=Span(path="services/orders.md", text=LINE)),
    "differing-value": merged("services/orders.md", "services/gate.md"),
    "linked-note": Move(span=whole(FILES, "services/gate.md"), to="archive/gate.md"),
    "dangling-link": Move(
        span=Span(path="services/shop.md", text="See [orders](orders.md)."), to="notes/shop.md", opening="# Shop"
    ),
    "adds-words": Revise(span=Span(path="services/orders.md", text=LINE), new=f"{LINE} Pay no heed."),
}


@pytest.mark.parametrize("reason", WRONG)
def test_a_change_is_refused_by_hand_for_the_reason_for_which_a_night_refuses_it(tmp_path: Path, reason: str) -> None:
    operation = WRONG[reason]
    by_night = draft_over(tmp_path, FILES, task="tidy", sources=()).apply(operation)
    settler = Settler(MappingTree(FILES), NoteCache(), limits=Limits(), today=date(2026, 10, 22))
    (item,) = settler.settle([Item(id="one", digest="1", operations=(operation,))]).items
    assert isinstance(by_night, Refusal)
    assert [by_night.reason, *(one.reason for one in item.refused)] == [reason, reason]


def test_the_guards_of_any_change_are_put_together_in_one_place() -> None:
    listing = [
        path.relative_to(ROOT).as_posix()
        for package in ("dream", "flows", "tasks")
        for path in sorted((ROOT / package).rglob("*.py"))
        if "RemovalGuard" in imported(path)
    ]
    assert listing == ["dream/night/guarding.py"]


def imported(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
