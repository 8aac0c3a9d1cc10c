"""`dream apply`: what the marked items of a proposal do, shown; done with a snapshot; and taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dream.errors import FatalError, UsageError
from dream.memory.applying import Files
from dream.memory.notes import NoteCache
from dream.memory.tree import OverlayTree, Tree, blob_id
from dream.proposals.diffs import file_diffs
from dream.proposals.document import Marked, read_proposal
from dream.proposals.folder import Folder, Found, Tick, held_folder, no_tick, told
from dream.proposals.journal import Snapshot, Stage
from dream.proposals.running import carry_out, take_back, write_down
from dream.proposals.values import ProposedItem
from dream.report.escaping import shortened, visible
from flows.clock import system_clock
from flows.commands.answers import Answer
from flows.commands.folders import FolderTree
from flows.consolidation import loss_lines, restore_items
from flows.installation import open_installation, open_workplace
from flows.settling import Settled, Settler

_MOST_BYTES = 50_000_000
_DIFF_LINES = 400
_WIDTH = 4_000
_AGAIN = "untick what is about them, or run dream consolidate again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is asked of a proposal: shown where neither, `over_budget` where a person takes more than a night may.

    `memory` is the folder where it stands now; None is where it stood when the proposal was made.
    """

    do: bool = False
    undo: bool = False
    over_budget: bool = False
    memory: Path | None = None


def apply_command(path: Path, wish: Wish, *, tick: Tick = no_tick) -> Answer:
    """Return the answer of `dream apply`.

    Raises:
        UsageError: it is no proposal, or was edited beyond its marks; both ways are asked for at once.
        FatalError: the memory moved under it, a rule refuses a marked item, or more would go than a night may take.
        TransientError: the disk is full, or another run is at work; nothing was changed.
    """
    if wish.do and wish.undo:
        message = "--yes and --undo are opposites"
        raise UsageError(message, way_out="give one of them")
    snapshot = Snapshot(path.parent.resolve() / f"{path.name}.undo")
    if wish.undo:
        return _undone(path, snapshot, wish, tick)
    marked = read_proposal(_text(path))
    memory = (wish.memory or Path(marked.consolidation.memory)).resolve()
    if (path.parent.resolve() / path.name).is_relative_to(memory):
        message = f"the proposal lies in the memory that it is about: {path}"
        raise UsageError(message, way_out="move it out of there, since its snapshot is made beside it")
    match snapshot.stage():
        case Stage.BROKEN_OFF:
            message = "a run of this proposal broke off"
            raise FatalError(message, way_out=f"bring everything back first: dream apply {path} --undo")
        case Stage.DONE:
            return _done_already(path, snapshot, marked)
        case Stage.NONE:
            with held_folder(memory, tick=tick) as folder:
                return _applied(path, marked, memory, folder, snapshot=snapshot, wish=wish, tick=tick)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _MOST_BYTES:
            message = f"{path} is too large for a proposal"
            raise UsageError(message, way_out="name the file that dream consolidate wrote")
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as failure:
        reason = failure.strerror if isinstance(failure, OSError) else "it is not UTF-8"
        message = f"the proposal {path} cannot be read: {reason}"
        raise UsageError(message, way_out="name the file that dream consolidate wrote") from failure


def _applied(
    path: Path, marked: Marked, memory: Path, folder: Folder, *, snapshot: Snapshot, wish: Wish, tick: Tick
) -> Answer:
    if not marked.items:
        text = f"nothing is marked; write [x] in the box of what should be done in {path}"
        return Answer(text=visible(text), document=_document(path, marked, done=False))
    before, tree = _read(folder, FolderTree(memory), marked.items)
    settled = _settle(tree, marked)
    for extra in settled.files.keys() - before.keys():
        found = folder.read(extra)
        if (blob_id(found.data) if found else None) != tree.blob(extra):
            message = f"{extra} was changed while this ran"
            raise FatalError(message, way_out="nothing was changed; run it again", path=extra)
        before |= {extra: found} if found else {}
    lines = _shown(tree, settled)
    if settled.is_over and wish.do and not wish.over_budget:
        message = "\n".join(["nothing was changed:", *_loss(settled)])
        raise FatalError(message, way_out="untick some, or say that you mean it: --over-budget")
    if wish.do:
        ids = [item.id for item in marked.items]
        digest = marked.consolidation.digest
        journal = write_down(folder, settled.files, before, memory=memory, proposal=digest, items=ids)
        carry_out(folder, settled.files, before, journal=journal, snapshot=snapshot, tick=tick)
        lines += [f"done: {_items(marked.items)}, {len(journal.files)} files in {memory}"]
        lines += [f"to take it back: dream apply {path} --undo"]
    else:
        lines += [f"nothing was changed; to do it: dream apply {path} --yes"]
    document = _document(path, marked, done=wish.do, settled=settled)
    return Answer(text="\n".join(lines), document=document)


def _items(items: Sequence[ProposedItem]) -> str:
    return "1 item" if len(items) == 1 else f"{len(items)} items"


def _read(folder: Folder, tree: Tree, items: Sequence[ProposedItem]) -> tuple[dict[str, Found], Tree]:
    """Return what the files of `items` hold now, and the tree with just that; refuses where one has moved."""
    wanted: dict[str, str | None] = {}
    for item in items:
        wanted |= item.files
    found = {path: folder.read(path) for path in sorted(wanted)}
    moved = [path for path, one in found.items() if (blob_id(one.data) if one else None) != wanted[path]]
    if moved:
        about = [
            f"{path} (item{'s' if len(ids) > 1 else ''} {', '.join(ids)})"
            for path in moved
            if (ids := [item.id for item in items if path in item.files])
        ]
        message = f"nothing was changed: the memory moved since the proposal was made: {'; '.join(about)}"
        raise FatalError(message, way_out=_AGAIN)
    before = {path: one for path, one in found.items() if one}
    return before, OverlayTree(tree, {path: one.data for path, one in before.items()})


def _settle(tree: Tree, marked: Marked) -> Settled:
    """Apply the marked items under the guards; what the whole kept, a part of it may break."""
    settings = open_installation()
    name = marked.consolidation.organisation
    try:
        limits = open_workplace(settings, name).organisation.limits if name else settings.limits
    except UsageError:
        limits = settings.limits  # the proposal may have been made elsewhere; the guards are the same
    notes = NoteCache(max_bytes=limits.notes.most_bytes)
    settler = Settler(tree, notes, limits=limits, today=system_clock().now().date())
    settled = settler.settle(restore_items(marked.items, tree))
    refused = [
        f"{one.item.id}: {refused.reason}{': ' if refused.detail else ''}{refused.detail}"
        for one in settled.items
        for refused in one.refused[:1]
    ]
    if refused:
        message = f"nothing was changed: a rule refuses what is marked: {'; '.join(refused)}"
        raise FatalError(message, way_out="untick it, or tick what it rests on as well")
    return settled


def _shown(tree: Tree, settled: Settled) -> list[str]:
    lines: list[str] = []
    for diff in file_diffs(tree, settled.files):
        kept = diff.lines[:_DIFF_LINES]
        lines += [visible(diff.heading), *(f"  {shortened(line, most=_WIDTH)}" for line in kept)]
        left = len(diff.lines) - len(kept)
        lines += [f"  … and {left} more lines"] if left else []
    return [*lines, "", *_loss(settled)]


def _loss(settled: Settled) -> list[str]:
    return [line.removeprefix("* ") for line in loss_lines(settled, what="what is marked")]


def _done_already(path: Path, snapshot: Snapshot, marked: Marked) -> Answer:
    journal = snapshot.journal()
    ids = tuple(item.id for item in marked.items)
    if journal.proposal != marked.consolidation.digest or set(journal.items) != set(ids):
        message = f"{path} was applied already, with other marks: {', '.join(journal.items)}"
        raise UsageError(message, way_out=f"run dream consolidate again, or first: dream apply {path} --undo")
    text = f"done already: {_items(marked.items)}; nothing was changed\nto take it back: dream apply {path} --undo"
    return Answer(text=visible(text), document={**_document(path, marked, done=True), "already": True})


def _undone(path: Path, snapshot: Snapshot, wish: Wish, tick: Tick) -> Answer:
    if snapshot.stage() is Stage.NONE:
        snapshot.forget_partial()
        text = f"nothing of {path} is done, so there is nothing to take back"
        return Answer(text=visible(text), document={"proposal": str(path), "taken_back": []})
    journal = snapshot.journal()
    memory = (wish.memory or Path(journal.memory)).resolve()
    try:
        with held_folder(memory, tick=tick) as folder:
            back = take_back(folder, snapshot, tick=tick)
    except OSError as failure:
        way_out = f"run it again: dream apply {path} --undo"
        raise told(failure, what=f"{memory} cannot be written", way_out=way_out) from failure
    lines = [f"taken back: {len(back.paths)} files are as they were"]
    lines += [f"left, because something else is in it now: {inner}" for inner in back.left]
    document = {"proposal": str(path), "taken_back": list(back.paths), "left": list(back.left)}
    return Answer(text=visible("\n".join(lines)), document=document)


def _document(path: Path, marked: Marked, *, done: bool, settled: Settled | None = None) -> dict[str, Any]:
    files: Files = settled.files if settled else {}
    loss = settled.loss if settled else None
    return {
        "proposal": str(path),
        "memory": marked.consolidation.memory,
        "items": [item.id for item in marked.items],
        "files": sorted(files),
        "loss": {"notes": len(loss.notes) if loss else 0, "statements": len(loss.statements) if loss else 0},
        "over_budget": settled.is_over if settled else False,
        "done": done,
    }
