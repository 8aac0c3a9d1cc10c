from __future__ import annotations

from dream.memory.operations import Add, Basis
from dream.memory.outcomes import Changed, Item
from dream.night.messages import WIDTH, task_body
from dream.night.steps import PlannedTask, SettledItem


def test_a_long_line_of_evidence_is_told_to_its_end() -> None:
    evidence = f"{'so it goes on ' * 42}and the API listens on port 9443."
    add = Add(path="a.md", text="- one", basis=Basis(evidence=(evidence,), why="said", sources=("thread_7c2e",)))
    planned = PlannedTask(
        name="distil",
        outcome=Changed("1 of 1 inputs, 1 edit"),
        items=(SettledItem(item=Item(id="thread_7c2e"), operations=(add,)),),
    )
    first, *told, last = task_body(planned, ()).split("\n")
    assert (first, last) == ("- add to a.md: said", "  sources: thread_7c2e")
    assert " ".join(line.removeprefix("  evidence: ") for line in told) == evidence
    assert max(map(len, told)) <= WIDTH
