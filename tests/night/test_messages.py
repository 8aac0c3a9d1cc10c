from __future__ import annotations

from dream.memory.operations import Add, Basis
from dream.memory.outcomes import Changed, Item
from dream.night.messages import MAX_OPERATION_LINES, WIDTH, files_summary, task_body
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


def test_the_evidence_of_a_hundred_operations_is_told_and_of_many_more_what_is_left_out() -> None:
    def body(count: int) -> list[str]:
        operations = tuple(
            Add(
                path=f"n{number}.md",
                text="- one",
                basis=Basis(evidence=(f"o{number} x -> y",), why="said", sources=("t",)),
            )
            for number in range(count)
        )
        planned = PlannedTask(
            name="production_verification",
            outcome=Changed("many"),
            items=(SettledItem(item=Item(id="x"), operations=operations),),
        )
        return task_body(planned, ()).split("\n")

    assert sum(line.startswith("  evidence: ") for line in body(100)) == 100
    assert len(body(10_000)) == MAX_OPERATION_LINES + 1
    assert body(10_000)[-1] == "… and 29400 more lines, all in the report"


def test_one_file_is_not_told_of_as_several() -> None:
    assert [files_summary(count) for count in (1, 2)] == ["1 file", "2 files"]
