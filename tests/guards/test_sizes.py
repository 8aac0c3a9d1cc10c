from __future__ import annotations

from dream.guards.sizes import SizeGuard
from dream.memory.operations import Add, Operation, Refusal, Remove, Revise, Span
from tests.guards.proposals import Files, propose, whole

GUARD = SizeGuard(max_note_bytes=100, max_line_bytes=20)


def judge(operation: Operation, files: Files, *, task: str = "tidy") -> Refusal | None:
    return GUARD(propose(operation, files, task=task))


def test_the_defaults_are_those_of_the_design() -> None:
    guard = SizeGuard()
    assert guard(propose(Add(path="a.md", text="x" * 4_000), {"a.md": "- one\n"})) is None
    assert guard(propose(Add(path="a.md", text="x" * 4_001), {"a.md": "- one\n"})) is not None
    lines = "\n".join(["- " + "x" * 90] * 2_800)
    assert guard(propose(Add(path="a.md", text=lines), {"a.md": "- one\n"})) == Refusal(
        "note-too-large", "a.md: 260406 bytes, at most 256000"
    )


def test_a_note_may_not_grow_past_its_limit() -> None:
    files = {"a.md": "- short\n" * 12}
    assert judge(Add(path="a.md", text="- more"), files) == Refusal("note-too-large", "a.md: 103 bytes, at most 100")


def test_a_note_that_is_too_large_may_shrink() -> None:
    files = {"a.md": "- short\n" * 20 + "- last\n"}
    assert judge(Remove(span=Span(path="a.md", text="- last")), files) is None


def test_a_new_line_may_not_be_too_long_in_bytes() -> None:
    assert judge(Add(path="a.md", text="- é" + "x" * 16), {"a.md": "- one\n"}) is None
    assert judge(Add(path="a.md", text="- é" + "x" * 17), {"a.md": "- one\n"}) == Refusal(
        "line-too-long", "21 bytes, at most 20"
    )


def test_a_line_that_was_too_long_may_change_but_not_grow() -> None:
    long = "- see old.md, and then a lot more"
    files = {"a.md": long + "\n"}
    span = Span(path="a.md", text=long)
    assert judge(Revise(span=span, new=long.replace("old", "new")), files) is None
    assert judge(Revise(span=span, new=long + "!"), files) == Refusal("line-too-long", "34 bytes, at most 20")


def test_the_flows_own_files_may_be_large() -> None:
    files = {".dream/state.json": "{}\n"}
    revise = Revise(span=whole(".dream/state.json", files), new="x" * 200)
    assert judge(revise, files, task="state_update") is None
