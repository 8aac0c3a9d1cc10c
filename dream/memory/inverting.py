"""Taking back one landed effect: the bytes that this changes, or why it conflicts with what came after."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dream.memory.applying import Files
from dream.memory.operations import Refusal
from dream.memory.records import Change, Effect
from dream.memory.tree import OverlayTree, Tree

Restore = Callable[[str], bytes | None]


def invert_effect(tree: Tree, effect: Effect, *, restore: Restore) -> Files | Refusal:
    """Return the files that take back what `effect` did to its notes, and nothing else that they hold now.

    `restore` returns the bytes of a blob by its id. Refusals: `changed-since` (the lines stand no longer as they were
    landed), `path-taken` (another note stands where one is to come back), `not-kept` (its bytes are no longer known).
    """
    files: dict[str, bytes | None] = {}
    for change in reversed(effect.changes):
        now = OverlayTree(tree, files)
        data = now.read(change.path)
        if data is None:
            if change.path in effect.created:
                continue
            return Refusal("changed-since", change.path)
        taken_back = _invert_change(data, change, created=change.path in effect.created)
        if isinstance(taken_back, Refusal):
            return taken_back
        files[change.path] = taken_back or None if change.path in effect.created else taken_back
    return _bring_back(tree, files, effect.deleted, restore)


def is_gone(effect: Effect, tree: Tree) -> bool:
    """Whether nothing that `effect` did is to be seen in its notes any more: somebody has taken it back already."""
    if any(tree.blob(path) is None for path in effect.deleted):
        return False
    for change in effect.changes:
        lines = (tree.read(change.path) or b"").decode(errors="replace").split("\n")
        if any(line in lines for line in change.added if line.strip()):
            return False
        if any(line not in lines for line in change.removed if line.strip()):
            return False
    return True


def stands(effect: Effect, tree: Tree) -> bool:
    """Whether all that `effect` did is to be seen in its notes."""
    if any(tree.blob(path) is not None for path in effect.deleted):
        return False
    for change in effect.changes:
        lines = (tree.read(change.path) or b"").decode(errors="replace").split("\n")
        if any(line not in lines for line in change.added if line.strip()):
            return False
        if any(line in lines for line in change.removed if line.strip()):
            return False
    return True


def _bring_back(
    tree: Tree, files: dict[str, bytes | None], deleted: Mapping[str, str], restore: Restore
) -> Files | Refusal:
    for path, blob in deleted.items():
        standing = tree.blob(path)
        if standing == blob:
            continue
        if standing is not None:
            return Refusal("path-taken", path)
        data = restore(blob)
        if data is None:
            return Refusal("not-kept", path)
        files[path] = data
    return files


def _invert_change(data: bytes, change: Change, *, created: bool) -> bytes | Refusal:
    try:
        lines = data.decode().split("\n")
    except UnicodeDecodeError:
        return Refusal("changed-since", change.path)
    added, removed = list(change.added), list(change.removed)
    if created:
        return b"" if lines == added else _without_statements(lines, added)
    if not added:
        at = _gap(lines, change)
        return Refusal("changed-since", change.path) if at is None else _joined([*lines[:at], *removed, *lines[at:]])
    at = _block(lines, added, change)
    if at is None and not removed:
        added = _without_blank_ends(added)
        at = _block(lines, added, change)
    if at is None:
        return Refusal("changed-since", change.path)
    return _joined([*lines[:at], *removed, *lines[at + len(added) :]])


def _without_statements(lines: list[str], added: list[str]) -> bytes:
    """Return what others wrote into a note that the flow had made: its headings stay as theirs now."""
    ours = {line for line in added if line.strip() and not line.startswith("#")}
    return _joined([line for line in lines if line not in ours])


def _block(lines: list[str], block: list[str], change: Change) -> int | None:
    """Return where `block` stands: under the line it landed under if it does anywhere, else nearest to its place."""
    if not block:
        return None
    places = [at for at in range(len(lines) - len(block) + 1) if lines[at : at + len(block)] == block]
    under = [at for at in places if _above(lines, at) == change.above]
    return min(under or places, key=lambda at: abs(at - change.line), default=None)


def _gap(lines: list[str], change: Change) -> int | None:
    """Return where what was taken away stood: between its two neighbours, else beside one that is not blank."""
    places = range(len(lines) + 1)
    between = [at for at in places if (_above(lines, at), _below(lines, at)) == (change.above, change.below)]
    if not between and change.above.strip():
        between = [at for at in places if _above(lines, at) == change.above]
    if not between and change.below.strip():
        between = [at for at in places if _below(lines, at) == change.below]
    return min(between, key=lambda at: abs(at - change.line), default=None)


def _above(lines: list[str], at: int) -> str:
    return lines[at - 1] if at else ""


def _below(lines: list[str], at: int) -> str:
    return lines[at] if at < len(lines) else ""


def _without_blank_ends(block: list[str]) -> list[str]:
    start, end = 0, len(block)
    while start < end and not block[start].strip():
        start += 1
    while end > start and not block[end - 1].strip():
        end -= 1
    return block[start:end]


def _joined(lines: list[str]) -> bytes:
    return "\n".join(lines).encode()
