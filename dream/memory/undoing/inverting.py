"""Taking back one landed effect: the bytes that this changes, or why it conflicts with what came after."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from dream.memory.applying import Files
from dream.memory.operations import Refusal
from dream.memory.records import Change, Effect
from dream.memory.tree import OverlayTree, Tree
from dream.memory.undoing.weaving import Restore, Weave


def invert_effect(
    tree: Tree, effect: Effect, *, restore: Restore, weave: Weave | None = None, gone: Collection[str] = ()
) -> Files | Refusal:
    """Return the files that take back what `effect` did to its notes, and nothing else that they hold now.

    `restore` returns the bytes of a blob by its id. Of the effects in `weave` those that are `gone` have been taken
    back before: a note that nobody else has touched then comes to the very bytes that it has without them all, and in
    one that others wrote in, lines are looked for where they stand among those that are left.

    Refusals: `changed-since` (the lines stand no longer as they were landed), `note-gone` (nor does their note),
    `path-taken` (another note stands where one is to come back), `not-kept` (its bytes are no longer known).
    """
    exact = {} if weave is None else _exact(tree, effect, weave, gone)
    placed = effect if weave is None else weave.rebased(effect, gone)
    files: dict[str, bytes | None] = dict(exact)
    for change in reversed([change for change in placed.changes if change.path not in exact]):
        data = OverlayTree(tree, files).read(change.path)
        if data is None:
            if change.path in effect.created:
                continue
            return Refusal("note-gone", change.path)
        taken_back = _invert_change(data, change, created=change.path in effect.created)
        if isinstance(taken_back, Refusal):
            return taken_back
        is_empty = not taken_back and change.path in effect.created
        files[change.path] = (
            None if is_empty or _is_left_over(taken_back, change.path, effect, weave, gone) else taken_back
        )
    for path in files.keys() - exact.keys() if weave else ():  # others wrote there, and it is theirs how it ends
        files[path] = _ended_as(tree.read(path), files[path])
    return _bring_back(tree, files, effect.deleted, restore)


def is_gone(effect: Effect, tree: Tree) -> bool:
    """Whether nothing that `effect` did is to be seen in its notes any more: somebody has taken it back already."""
    return _reads(effect, tree, landed=False)


def stands(effect: Effect, tree: Tree) -> bool:
    """Whether all that `effect` did is to be seen in its notes."""
    return _reads(effect, tree, landed=True)


def _reads(effect: Effect, tree: Tree, *, landed: bool) -> bool:
    """Whether all that `effect` changed is in its notes as it landed, or else as it was before."""
    if any((tree.blob(path) is None) != landed for path in effect.deleted):
        return False
    for change in effect.changes:
        lines = (tree.read(change.path) or b"").decode(errors="replace").split("\n")
        there, away = (change.added, change.removed) if landed else (change.removed, change.added)
        if any(line not in lines for line in there if line.strip()):
            return False
        if any(line in lines for line in away if line.strip()):
            return False
    return True


def _exact(tree: Tree, effect: Effect, weave: Weave, gone: Collection[str]) -> Files:
    """Return what the notes come to that hold what the night left in them without those `gone`, to the byte."""
    without = {*gone, effect.id}
    paths = {change.path for change in effect.changes}
    same = (path for path in paths if weave.knows(path) and tree.read(path) == weave.without(path, gone))
    return {path: weave.without(path, without) for path in same}


def _is_left_over(data: bytes, path: str, effect: Effect, weave: Weave | None, gone: Collection[str]) -> bool:
    """Whether nothing is left but headings of a note that was made by what is taken back."""
    return weave is not None and weave.left_over(path, {*gone, effect.id}, data.decode().split("\n"))


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


def _ended_as(before: bytes | None, after: bytes | None) -> bytes | None:
    """Return `after` with an end of its last line, and no more blank ones there, where `before` has them."""
    if before is None or after is None:
        return after
    ends = len(before) - len(before.rstrip(b"\n"))
    text = after.rstrip(b"\n")
    return text + b"\n" * min(max(len(after) - len(text), 1), ends) if text and ends else after


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
