"""`dream consolidate`: a folder read, and one proposal written beside it; nothing in the folder is changed."""

from __future__ import annotations

import os
from pathlib import Path

from dream.errors import UsageError
from dream.proposals.folder import told
from dream.report.escaping import visible
from flows.by_hand import tidy_by_rulings
from flows.clock import system_clock
from flows.commands.answers import Answer
from flows.commands.folders import FolderTree
from flows.consolidation import Proposed, consolidate, loss_lines
from flows.installation import open_installation, open_workplace


def consolidate_command(path: Path, *, organisation: str, out: Path | None) -> Answer:
    """Return the answer of `dream consolidate`.

    Raises:
        UsageError: there is no such folder, the proposal's file is there already or would lie in the memory, or there
            is no such organisation.
        DreamError: the proposal cannot be written.
    """
    settings = open_installation()
    workplace = open_workplace(settings, organisation) if organisation else None
    clock = system_clock()
    today = clock.now().date()
    memory = memory_at(path)
    file = _free_place(out or Path(f"consolidation-{today.isoformat()}.md"), memory)
    proposed = consolidate(
        FolderTree(memory),
        memory=memory,
        organisation=organisation,
        today=today,
        limits=workplace.organisation.limits if workplace else settings.limits,
        tidying=tidy_by_rulings(workplace, clock, today) if workplace else None,
    )
    if proposed.consolidation.items:
        _write(file, proposed.text)
    return _answer(proposed, file, path)


def memory_at(path: Path) -> Path:
    """Return the folder at `path` by its real name; raises UsageError where there is none."""
    if not path.is_dir():
        message = f"{path} is no folder"
        raise UsageError(message, way_out="name the folder that is the memory: plain, or a git work tree")
    memory = path.resolve()
    if (memory / "HEAD").is_file() and (memory / "objects").is_dir():
        message = f"{path} is a bare git repository"
        raise UsageError(message, way_out="clone it and name the clone, whose changes are then yours to commit")
    return memory


def _free_place(file: Path, memory: Path) -> Path:
    place = file.parent.resolve() / file.name
    if place.is_relative_to(memory):
        message = f"the proposal would lie in the memory: {file}"
        raise UsageError(message, way_out="name a place outside: --out FILE")
    if os.path.lexists(place):
        message = f"{file} is there already"
        raise UsageError(message, way_out="name another place, --out FILE, or take it away")
    if not place.parent.is_dir():
        message = f"there is no folder {file.parent}"
        raise UsageError(message, way_out="make it, or name another place: --out FILE")
    return place


def _write(file: Path, text: str) -> None:
    try:
        with file.open("x", encoding="utf-8", newline="\n") as opened:
            try:
                opened.write(text)
                opened.flush()
                os.fsync(opened.fileno())
            except BaseException:
                file.unlink(missing_ok=True)
                raise
    except OSError as failure:
        raise told(failure, what=f"{file} cannot be written", way_out="name another place: --out FILE") from failure


def _answer(proposed: Proposed, file: Path, path: Path) -> Answer:
    items, loss = proposed.consolidation.items, proposed.settled.loss
    lines = [f"{path}: {len(items)} items proposed, {len(proposed.left)} left out"]
    lines += [line.removeprefix("* ") for line in loss_lines(proposed.settled, what="all of it together")]
    if items:
        lines += [f"written to {file}; nothing else was changed", f"mark what should be done, then: dream apply {file}"]
    else:
        lines += ["nothing to propose; nothing was written"]
    document = {
        "memory": proposed.consolidation.memory,
        "proposal": str(file) if items else "",
        "items": [{"id": item.id, "title": item.title, "files": sorted(item.files)} for item in items],
        "left": list(proposed.left),
        "loss": {"notes": len(loss.notes), "statements": len(loss.statements)},
        "over_budget": proposed.settled.is_over,
    }
    return Answer(text=visible("\n".join(lines)), document=document)
