"""A consolidation by hand: what a night's tidying would do to a folder and what only a person may, as one proposal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

from config.limits import Limits
from dream.errors import FatalError
from dream.guards.screen import screen_line, shown_or_withheld
from dream.memory.applying import Files, apply_operation
from dream.memory.notes import NoteCache
from dream.memory.operations import Merge, Move, Operation, Refusal, Revise, touched_by
from dream.memory.outcomes import Item
from dream.memory.sources import Origin
from dream.memory.tree import OverlayTree, Tree
from dream.proposals.diffs import file_diffs
from dream.proposals.document import Sheet, render_proposal
from dream.proposals.places import NoPlaceError, by_place, from_place, texts_in
from dream.proposals.values import Consolidation, ProposedItem
from dream.report.escaping import code, inline
from dream.repository.draft import describe
from flows.by_hand import Tidying, tidy_by_code
from flows.settling import Settled, Settler
from tasks import retiring
from tasks.retiring import RetiringLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A proposal: its document for people, itself, and what all of it together would come to."""

    text: str
    consolidation: Consolidation
    settled: Settled
    left: tuple[str, ...]


def consolidate(
    tree: Tree,
    *,
    memory: Path,
    organisation: str,
    today: date,
    limits: Limits,
    tidying: Tidying | None = None,
) -> Proposed:
    """Return what is proposed for `tree`, the files of the folder `memory`, by code unless told; nothing is written.

    Up to `limits.tidy.proposed` items are proposed and counted: more nobody reads, and the rest comes when the memory
    is consolidated again. What is refused takes no place among them.

    Raises:
        FatalError: nothing of it can be applied.
    """
    notes = NoteCache(max_bytes=limits.notes.most_bytes)
    settler = Settler(tree, notes, limits=limits, today=today)
    plan, nominations = (tidying or partial(tidy_by_code, today=today, limits=limits))(tree, notes)
    about = {path for item in plan.items for operation in item.operations for path in touched_by(operation)}
    retired = retiring.propose(
        tree,
        notes,
        nominations,
        today=today,
        limits=RetiringLimits(empty_characters=limits.tidy.empty_characters, stale_days=limits.checking.stale_days),
        without=about,
    )
    wanted = [item for item in (*plan.items, *retired) if item.operations]
    settled = _settle_most(settler, wanted, limits.tidy.proposed)
    sheets, left = _sheets(settler, settled)
    left += [f"{code(item.id)}: {inline(item.reason)}" for item in plan.items if item.reason and not item.operations]
    rest = len(wanted) - len(settled.items)
    left += [f"and {rest} more, which one proposal does not hold: consolidate again"] if rest else []
    consolidation = Consolidation(
        made=today, memory=str(memory), organisation=organisation, items=tuple(sheet.item for sheet in sheets)
    )
    text = render_proposal(
        consolidation,
        sheets,
        name=memory.name,
        summary=[*_summary(settler, settled, consolidation), *(f"* {inline(one)}" for one in plan.findings)],
        left=left,
    )
    return Proposed(text=text, consolidation=consolidation, settled=settled, left=tuple(left))


def _settle_most(settler: Settler, wanted: Sequence[Item], most: int) -> Settled:
    """Return what comes of the first of `wanted`, up to the one with which `most` of them can be done."""
    count = most
    settled = settler.settle(wanted[:count])
    while count < len(wanted) and sum(bool(one.operations) for one in settled.items) < most:
        count *= 2
        settled = settler.settle(wanted[:count])
    done = [number for number, one in enumerate(settled.items, 1) if one.operations]
    return settled if len(done) <= most else settler.settle(wanted[: done[most - 1]])


def restore_items(items: Iterable[ProposedItem], tree: Tree) -> tuple[Item, ...]:
    """Return items of a proposal as operations on `tree`, each whole.

    Raises:
        FatalError: the lines that one is about are not there.
        UsageError: one is no operation that this version knows.
    """
    return tuple(_restored(item, tree) for item in items)


def _restored(item: ProposedItem, tree: Tree) -> Item:
    operations: list[Operation] = []
    for step in item.steps:
        try:
            operation = from_place(step, tree)
        except NoPlaceError as error:
            message = f"what {item.id} is about does not stand where it did"
            raise FatalError(message, way_out="run dream consolidate again") from error
        operations.append(operation)
        tree = _after(operation, tree)
    return Item(id=item.id, operations=tuple(operations), whole=True)


def _after(operation: Operation, tree: Tree) -> Tree:
    files = apply_operation(tree, operation)
    if isinstance(files, Refusal):
        message = f"{describe(operation)}: {files.reason}"
        raise FatalError(message, way_out="run dream consolidate again")
    return OverlayTree(tree, files)


def _sheets(settler: Settler, settled: Settled) -> tuple[list[Sheet], list[str]]:
    """Return a sheet for each item that stands on its own, and a line for each that was left out."""
    sheets: list[Sheet] = []
    left: list[str] = []
    for one in settled.items:
        for refused in one.refused[:1]:
            detail = shown_or_withheld(refused.detail, Origin.AGENT)
            left.append(f"{code(one.item.id)}: {inline(': '.join(filter(None, (refused.reason, detail))))}")
        if not one.operations:
            continue
        made = _sheet(settler, one.operations)
        if isinstance(made, str):
            left.append(f"{code(one.item.id)}: {made}")
        else:
            sheets.append(made)
    return sheets, left


def _sheet(settler: Settler, operations: Sequence[Operation]) -> Sheet | str:
    """Return the sheet of one item as it is on its own, or why there is none."""
    now: Tree = settler.tree
    steps = []
    for operation in operations:
        try:
            steps.append(by_place(operation, now))
            now = _after(operation, now)
        except (NoPlaceError, FatalError):
            return "it rests on another item: consolidate again when that is done"
    withheld = next(filter(None, (screen_line(text, Origin.AGENT) for text in texts_in(steps))), None)
    if withheld:
        return f"withheld: what it would write is {withheld.reason}"
    files = settler.with_links(operations, now)
    item = ProposedItem(title=_title(operations[0]), steps=tuple(steps), files=_read(settler.tree, operations, files))
    return Sheet(
        item=item,
        why=tuple(dict.fromkeys(operation.basis.why for operation in operations if operation.basis.why)),
        evidence=tuple(dict.fromkeys(one for operation in operations for one in operation.basis.evidence)),
        diffs=file_diffs(settler.tree, files),
    )


def _read(tree: Tree, operations: Sequence[Operation], files: Files) -> dict[str, str | None]:
    """Return the blob of every file that is read or touched, as it stands."""
    paths = {*files, *(path for operation in operations for path in touched_by(operation))}
    paths |= {span.path for operation in operations for span in operation.basis.reads}
    return {path: tree.blob(path) for path in sorted(paths)}


def _title(operation: Operation) -> str:
    match operation:
        case Move(span=span, to=to) if to.startswith(retiring.ARCHIVE) and span.text is None:
            return f"Retire {code(span.path)} to {code(to)}"
        case Merge(into=into, absorbed=absorbed) if all(span.text is None for span in absorbed):
            return f"Keep {code(into.path)} and let go of {_named(span.path for span in absorbed)}"
        case Merge(into=into, absorbed=absorbed) if all(span.path == into.path for span in absorbed):
            return f"Keep a statement of {code(into.path)} once"
        case Merge(into=into, absorbed=absorbed):
            return f"Keep a statement once, in {code(into.path)}, and not in {_named(span.path for span in absorbed)}"
        case Revise(span=span):
            return f"Mend what {code(span.path)} links to"
        case _:
            return inline(describe(operation).capitalize())


def _named(paths: Iterable[str]) -> str:
    named = list(dict.fromkeys(paths))
    return ", ".join(map(code, named[:3])) + (f" and {len(named) - 3} more" if len(named) > 3 else "")  # noqa: PLR2004


def _summary(settler: Settler, settled: Settled, consolidation: Consolidation) -> list[str]:
    notes, statements = settler.counted
    odd = len(settler.tree.oddities())
    kinds = Counter(item.title.split(" ", 1)[0].lower() for item in consolidation.items)
    ruled_by = f"the models of {inline(consolidation.organisation)}" if consolidation.organisation else "code alone"
    by_kind = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    return [
        f"* Read: {notes} topic notes with {statements} statements" + (f"; left alone: {odd} odd files" if odd else ""),
        f"* Proposed: {len(consolidation.items)} items" + (f" ({by_kind})" if by_kind else ""),
        *loss_lines(settled, what="All of it together"),
        f"* Ruled on by {ruled_by}",
    ]


def loss_lines(settled: Settled, *, what: str) -> list[str]:
    """Return lines that say what is taken away, and what a night may take."""
    loss, budget = settled.loss, settled.budget
    counted = (
        f"* {what} takes away {len(loss.notes)} of {loss.topic_notes} notes and {len(loss.statements)} of "
        f"{loss.statement_count} statements; a night may take {budget.notes} and {budget.statements}"
    )
    return [counted, "* That is more than a night may: it needs `--over-budget`"] if settled.is_over else [counted]
