"""Doing to a folder what a person marked, and taking it back: all of it or nothing, whatever happens in between."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dream.errors import DreamError, FatalError
from dream.memory.applying import Files
from dream.memory.paths import folders_of
from dream.memory.tree import blob_id
from dream.proposals.folder import Folder, Found, Tick, told
from dream.proposals.journal import FileStep, FolderStep, Journal, Snapshot

_MOST_NAMED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """What an undo brought back, and the folders it left because something else is in them now."""

    paths: tuple[str, ...]
    left: tuple[str, ...] = ()


def write_down(
    folder: Folder, files: Files, before: Mapping[str, Found], *, memory: Path, proposal: str, items: Sequence[str]
) -> Journal:
    """Return what writing `files` (None takes one away) to `folder` will do, step by step; nothing is done yet."""
    token = secrets.token_hex(6)
    steps = []
    for number, (path, data) in enumerate(sorted(files.items())):
        old = before.get(path)
        if (old.data if old else None) == data:
            continue
        steps.append(
            FileStep(
                path=path,
                aside=f".dream-{token}-{number:04}",
                kept=f"{number:04}" if old else "",
                before=blob_id(old.data) if old else "",
                mode=old.mode if old else _mode_beside(files, before),
                changed=old.changed if old else None,
                after="" if data is None else blob_id(data),
            )
        )
    made = _folders_made(folder, [step.path for step in steps if step.after])
    return Journal(
        memory=str(memory),
        proposal=proposal,
        items=tuple(items),
        files=tuple(steps),
        made=made,
        removed=_folders_emptied(folder, [step.path for step in steps if not step.after], files),
    )


def _mode_beside(files: Files, before: Mapping[str, Found]) -> int:
    """Return the mode of a new file: that of the files that go or change with it, where they agree, else 0644."""
    modes = {before[path].mode for path in files if path in before}
    return modes.pop() if len(modes) == 1 else 0o644


def _folders_made(folder: Folder, paths: Sequence[str]) -> tuple[FolderStep, ...]:
    missing = {inner for path in paths for inner in folders_of(path) if folder.folder_mode(inner) is None}
    return tuple(FolderStep(path=inner) for inner in sorted(missing))


def _folders_emptied(folder: Folder, gone: Sequence[str], files: Files) -> tuple[FolderStep, ...]:
    """Return the folders in which nothing is left, the innermost first."""
    written = {inner for path, data in files.items() if data is not None for inner in folders_of(path)}
    emptied: list[FolderStep] = []
    left = set(gone)
    for inner in sorted({inner for path in gone for inner in folders_of(path)}, key=lambda path: -path.count("/")):
        names = {f"{inner}/{name}" for name in folder.names(inner)}
        mode = folder.folder_mode(inner)
        if names <= left and inner not in written and mode is not None:
            emptied.append(FolderStep(path=inner, mode=mode))
            left.add(inner)
    return tuple(emptied)


def carry_out(
    folder: Folder, files: Files, before: Mapping[str, Found], *, journal: Journal, snapshot: Snapshot, tick: Tick
) -> None:
    """Write `files`, after a snapshot of all that they touch.

    Raises:
        DreamError: something stood in the way, and all is as it was; or, where that says so, the way to bring it back.
    """
    way_out = "nothing was changed"
    try:
        snapshot.write(journal, before, tick=tick)
    except OSError as failure:
        with suppress(OSError):
            snapshot.forget_partial()
        raise told(failure, what=f"the snapshot {snapshot.path} cannot be written", way_out=way_out) from failure
    try:
        _write_all(folder, files, journal)
        snapshot.end(tick=tick)
    except OSError as failure:
        _give_up(folder, snapshot, failure)
        raise told(failure, what=f"{journal.memory} cannot be written", way_out=way_out) from failure
    except BaseException as failure:
        _give_up(folder, snapshot, failure)
        raise


def _write_all(folder: Folder, files: Files, journal: Journal) -> None:
    """Write everything aside first, where a disk may be full, and only then put one after the other in its place."""
    for inner in journal.made:
        folder.make_folder(inner.path, mode=inner.mode)
    written = [step for step in journal.files if step.after]
    for step in written:
        folder.write_aside(step.path, files[step.path] or b"", aside=step.aside, mode=step.mode)
    for step in written:
        _expect(folder, step)
        folder.take_aside(step.path, aside=step.aside)
    for step in journal.files:
        if not step.after:
            _expect(folder, step)
            folder.remove(step.path)
    for inner in journal.removed:
        folder.remove_folder(inner.path)


def _expect(folder: Folder, step: FileStep) -> None:
    if _blob(folder, step.path) != step.before:
        message = f"{step.path} was changed while this ran"
        raise FatalError(message, way_out="nothing was changed; run dream consolidate again", path=step.path)


def _give_up(folder: Folder, snapshot: Snapshot, cause: BaseException) -> None:
    try:
        take_back(folder, snapshot, tick=lambda _: None)
    except (DreamError, OSError) as failure:
        message = f"it broke off ({cause}), and what was done could not be taken back: {failure}"
        raise FatalError(message, way_out=f"dream apply --undo, which goes by {snapshot.path}") from cause


def take_back(folder: Folder, snapshot: Snapshot, *, tick: Tick) -> TakenBack:
    """Bring every file back to the bytes, mode and time that it had, and take the snapshot away.

    Where one broke off, the next goes on. Raises FatalError, before anything is changed, where somebody has changed a
    file since, or a copy is damaged; OSError as it comes.
    """
    journal = snapshot.journal()
    changed = [step for step in journal.files if _blob(folder, step.path) not in {step.before, step.after}]
    if changed:
        named = ", ".join(step.path for step in changed[:_MOST_NAMED])
        more = f" and {len(changed) - _MOST_NAMED} more" if len(changed) > _MOST_NAMED else ""
        message = f"nothing was taken back: changed since by somebody else: {named}{more}"
        raise FatalError(message, way_out=f"the files as they were are in {snapshot.path / 'before'}")
    back = [step for step in journal.files if _blob(folder, step.path) != step.before]
    restored = [step for step in back if step.before]
    for step in restored:
        snapshot.kept(step)
    for step in journal.files:
        folder.remove_aside(step.path, step.aside)
    for inner in reversed(journal.removed):
        folder.make_folder(inner.path, mode=inner.mode)
    for step in restored:
        data = snapshot.kept(step)
        folder.write_aside(step.path, data, aside=step.aside, mode=step.mode, changed=step.changed)
    for step in restored:
        folder.take_aside(step.path, aside=step.aside)
    for step in back:
        if not step.before:
            folder.remove(step.path)
    left = [inner.path for inner in reversed(journal.made) if not folder.remove_folder(inner.path)]
    snapshot.forget(tick=tick)
    return TakenBack(paths=tuple(step.path for step in back), left=tuple(left))


def _blob(folder: Folder, path: str) -> str:
    found = folder.read(path)
    return blob_id(found.data) if found else ""
