from __future__ import annotations

from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from dream.guards.loss import LossGuard, Taken
from dream.memory.allowance import Allowance
from dream.memory.loss import measure_loss
from dream.memory.notes import NoteCache
from dream.memory.operations import Add, Merge, Operation, Proposal, Refusal, Remove, Revise, Span
from dream.memory.tree import Tree
from dream.memory.units import BaseUnits
from tests.guards.proposals import propose, tree_of, whole

TONIGHT = date(2026, 10, 22)


def memory(count: int, *, entries: int = 4) -> Tree:
    return tree_of(
        {
            f"services/n{number:02}.md": f"# Service {number}\n\n"
            + "".join(f"- Fact {number}-{entry}: the thing called {number * 7 + entry}.\n" for entry in range(entries))
            for number in range(count)
        }
    )


def guard_over(base: Tree, *, notes: NoteCache, taken: Taken | None = None) -> LossGuard:
    units = BaseUnits(base, notes)
    allowance = Allowance(tonight=TONIGHT, topic_notes=len(units.paths), statements=units.statement_count)
    return LossGuard(units, taken or Taken(allowance=allowance), notes=notes, last_landed=base)


def test_forty_notes_lose_six_and_the_others_are_deferred_in_plan_order() -> None:
    tree: Tree = memory(40, entries=1)
    notes = NoteCache()
    guard = guard_over(tree, notes=notes)
    removed, deferred = [], []
    for path in list(tree.paths())[:23]:
        proposal = propose(Remove(span=whole(path, tree)), tree, task="production_verification")
        refusal = guard(proposal)
        if refusal is None:
            removed.append(path)
            tree = proposal.after
        else:
            assert refusal.reason.startswith("deferred-")
            deferred.append(path)
    assert removed == [f"services/n{number:02}.md" for number in range(6)]
    assert len(deferred) == 17


def test_the_charge_is_by_task_and_goes_on_from_what_was_taken() -> None:
    tree, notes = memory(20), NoteCache()
    first = guard_over(tree, notes=notes)
    gone = propose(Remove(span=whole("services/n00.md", tree)), tree)
    assert first(gone) is None
    assert first.taken.allowance.by_task() == {"tidy": (1, 4)}
    failed = guard_over(tree, notes=notes, taken=first.taken)
    more = propose(Remove(span=whole("services/n01.md", tree)), gone.after, task="production_verification")
    assert failed(more) is None
    assert failed.taken.allowance.by_task() == {"tidy": (1, 4), "production_verification": (1, 4)}
    assert first.taken.allowance.by_task() == {"tidy": (1, 4)}


def test_one_that_never_defers_lets_all_go_and_tells_what_each_takes_and_what_all_took() -> None:
    tree, notes = memory(6), NoteCache()
    units = BaseUnits(tree, notes)
    allowance = Allowance(tonight=TONIGHT, topic_notes=len(units.paths), statements=units.statement_count)
    guard = LossGuard(units, Taken(allowance=allowance), notes=notes, last_landed=None, defers=False)
    for path in list(tree.paths()):
        proposal = propose(Remove(span=whole(path, tree)), tree)
        charge = guard.takes(proposal)
        assert (charge.notes, charge.statements, guard(proposal)) == (1, 4, None)
        tree = proposal.after
    loss = guard.measure(tree, guard.taken)
    assert (len(loss.notes), len(loss.statements), guard.taken.allowance.by_task()) == (6, 24, {})


def test_additions_and_other_paths_cost_nothing() -> None:
    tree, notes = memory(3), NoteCache()
    guard = guard_over(tree, notes=notes)
    before = guard.taken.allowance
    assert guard(propose(Add(path="services/n00.md", text="- One more thing."), tree)) is None
    assert guard.taken.allowance == before
    daily = Add(path="daily/2026-10-21.md", text="- x", opening="# 2026-10-21")
    assert guard(propose(daily, tree, task="daily_note")) is None
    assert guard.taken.touched == {"services/n00.md"}


def test_a_statement_that_a_merge_absorbs_is_not_lost() -> None:
    files = {
        "a.md": "# A\n\n- The invoice worker retries 5 times on a timeout.\n- Other.\n",
        "b.md": "# B\n\n- On a timeout the invoice worker retries 5 times.\n- More.\n- And more.\n",
    }
    tree, notes = tree_of(files), NoteCache()
    guard = guard_over(tree, notes=notes)
    merge = Merge(
        into=Span(path="a.md", text="- The invoice worker retries 5 times on a timeout."),
        new=None,
        absorbed=(Span(path="b.md", text="- On a timeout the invoice worker retries 5 times."),),
    )
    assert guard(propose(merge, tree)) is None
    assert guard.taken.allowance.by_task() == {}
    assert guard.taken.absorbed == {("b.md", "On a timeout the invoice worker retries 5 times.")}


def test_hollowing_a_note_out_line_by_line_costs_like_removing_it() -> None:
    tree: Tree = memory(4, entries=6)
    notes = NoteCache()
    guard = guard_over(tree, notes=notes)
    refusals: list[Refusal] = []
    for path in tree.paths():
        for line in (tree.read(path) or b"").decode().split("\n"):
            if line.startswith("- "):
                proposal = propose(Revise(span=Span(path=path, text=line), new="- Gone."), tree)
                refusal = guard(proposal)
                if refusal is None:
                    tree = proposal.after
                else:
                    refusals.append(refusal)
    assert refusals
    assert {refusal.reason.removeprefix("deferred-") for refusal in refusals} <= {
        "night-notes", "night-statements", "long-notes", "long-statements", "kept-for-verification",
    }  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 4), st.sampled_from(["remove", "entry", "rewrite", "merge"])))
)
def test_no_order_of_operations_takes_more_than_the_budget(plan: list[tuple[int, int, str]]) -> None:
    base, notes = memory(12, entries=5), NoteCache()
    guard = guard_over(base, notes=notes)
    tree: Tree = base
    for number, entry, kind in plan:
        proposal = _step(tree, number, entry, kind)
        if proposal is not None and guard(proposal) is None:
            tree = proposal.after
    loss = measure_loss(BaseUnits(base, notes), tree, last_landed=base, absorbed=guard.taken.absorbed)
    assert len(loss.notes) <= 3
    assert len(loss.statements) <= 9
    assert sum(notes for notes, _ in guard.taken.allowance.by_task().values()) == len(loss.notes)


def _step(tree: Tree, number: int, entry: int, kind: str) -> Proposal | None:
    path, other = f"services/n{number:02}.md", f"services/n{(number + 1) % 12:02}.md"
    line = f"- Fact {number}-{entry}: the thing called {number * 7 + entry}."
    data = tree.read(path)
    if data is None:
        return None
    operation: Operation
    if kind == "remove":
        operation = Remove(span=whole(path, tree))
    elif kind == "merge":
        if tree.read(other) is None:
            return None
        operation = Merge(into=whole(other, tree), new=None, absorbed=(whole(path, tree),))
    elif f"{line}\n".encode() not in data:
        return None
    elif kind == "entry":
        operation = Remove(span=Span(path=path, text=line))
    else:
        operation = Revise(span=Span(path=path, text=line), new="- Nothing of it stays.")
    return propose(operation, tree)
