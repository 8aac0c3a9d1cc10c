from __future__ import annotations

from dream.memory.operations import Move, Operation, Proposal, Refusal, Span
from dream.memory.outcomes import Item, Plan
from dream.memory.tree import MappingTree
from dream.night.planning import plan_task
from dream.night.steps import Step

TREE = MappingTree({"a.md": b"# A\n\n- one\n- two\n- three\n"})


def moved(line: str, to: str = "b.md") -> Move:
    return Move(span=Span(path="a.md", text=f"- {line}"), to=to, opening="# A")


def planned(*items: Item, refuse: str = "") -> tuple[dict[str, int], list[tuple[str, ...]], dict[str, bytes | None]]:
    def guard(proposal: Proposal) -> Refusal | None:
        span = proposal.operation.span if isinstance(proposal.operation, Move) else None
        return Refusal("no") if refuse and span and span.text == refuse else None

    task, tree = plan_task(Step(name="tidy", propose=lambda _: Plan(items=items)), tree=TREE, guards=(guard,))
    written = [tuple(shown(one) for one in item.operations) for item in task.items]
    return task.refusals, written, {path: tree.read(path) for path in tree.paths()}


def shown(operation: Operation) -> str:
    return (operation.span.text or "") if isinstance(operation, Move) else operation.kind


def test_of_a_whole_item_nothing_is_left_where_one_operation_is_refused() -> None:
    item = Item(id="split", operations=(moved("one"), moved("two"), moved("three")), whole=True)
    refusals, written, files = planned(item, refuse="- two")
    assert (refusals, written) == ({"no": 3}, [()])
    assert files == {"a.md": TREE.read("a.md")}


def test_a_whole_item_is_taken_whole_and_others_are_not_touched_by_one_that_is_not() -> None:
    split = Item(id="split", operations=(moved("one"), moved("two")), whole=True)
    other = Item(id="other", operations=(moved("three", "c.md"),))
    assert planned(other, split)[2] == {"a.md": b"# A\n", "b.md": b"# A\n\n- one\n- two\n", "c.md": b"# A\n\n- three\n"}
    assert planned(other, split, refuse="- two")[2] == {"a.md": b"# A\n\n- one\n- two\n", "c.md": b"# A\n\n- three\n"}
