"""Whose state a branch holds: the newest that the flow itself wrote, wherever merges and people left it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from dream.errors import FatalError
from dream.guards.state import seal_holds
from dream.memory.documents import UnreadableDocumentError
from dream.memory.paths import FLOW_FOLDER
from dream.memory.state import STATE_PATH, State, parse_state, state_payload
from dream.repository.commits import Identity, read_commit
from dream.repository.history import changed_paths, commits_by, is_ancestor, snapshot_blob
from dream.repository.mirror import Mirror
from dream.repository.writers import writers


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeper:
    """By what the flow's own state is known: the identity of its commits, and a key where one is configured."""

    organisation: str
    identity: Identity
    key: bytes | None = None
    look_back: timedelta = timedelta(days=14)
    observed: timedelta = timedelta(days=180)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A state, the commit that wrote it, and why newer ones were passed over."""

    writer: str
    state: State
    doubts: tuple[str, ...] = ()


def authentic_state(mirror: Mirror, head: str, keeper: Keeper, *, accept_history: bool) -> Found | None:
    """Return the newest state that is the flow's own; None where there never was a state.

    With `accept_history`, where none is authentic any more because the identity, the key or the history was changed,
    it is the newest that the flow wrote by the looks of its commit; None where there is not even one.

    Raises:
        FatalError: there is a state, none is the flow's own, and that was not accepted.
        NewerStateError: a newer version wrote it.
    """
    doubts: list[str] = []
    likely: Found | None = None
    for writer in _candidates(mirror, head, keeper):
        try:
            state = parse_state(mirror.tree(writer).read(STATE_PATH) or b"")
        except UnreadableDocumentError as error:
            doubts.append(f"{STATE_PATH} of {writer[:12]} was passed over: {error}")
            continue
        doubt = _doubt(mirror, writer, state, keeper)
        if not doubt:
            return _newest_after(mirror, Found(writer=writer, state=state, doubts=tuple(doubts)), head, keeper)
        doubts.append(f"{STATE_PATH} of {writer[:12]} was passed over: {doubt}")
        if likely is None and _looks_like_ours(mirror, writer, state, keeper):
            accepted = f"{STATE_PATH} of {writer[:12]} was accepted, although {doubt}"
            likely = Found(writer=writer, state=state, doubts=(accepted,))
    if doubts and not accept_history:
        message = f"{STATE_PATH} is there, but no commit in the history wrote it as the flow does: {doubts[0]}"
        raise FatalError(
            message,
            way_out=f"see who wrote it; to go on without: dream run {keeper.organisation} --accept-history",
            address=STATE_PATH,
            cause="no commit in the history wrote it as the flow does",
        )
    return likely


def _candidates(mirror: Mirror, head: str, keeper: Keeper) -> Iterator[str]:
    """Yield who wrote the versions of the state, newest first, then whatever the flow's identity committed."""
    found = False
    for writer in writers(mirror.repository, STATE_PATH, head, mirror.prefix):
        found = True
        yield writer
    if found:
        yield from _state_commits(mirror, head, keeper, older=None)


def _newest_after(mirror: Mirror, found: Found, head: str, keeper: Keeper) -> Found:
    """Return the newest authentic state that stands on `found`'s: a merge may have kept the older of two."""
    for writer in _state_commits(mirror, head, keeper, older=found.writer):
        try:
            state = parse_state(mirror.tree(writer).read(STATE_PATH) or b"")
        except UnreadableDocumentError:
            continue
        if is_ancestor(mirror.repository, found.writer, writer) and not _doubt(mirror, writer, state, keeper):
            kept = f"{STATE_PATH} of {found.writer[:12]} was passed over: a merge had kept it beside a newer one"
            return Found(writer=writer, state=state, doubts=(*found.doubts, kept))
    return found


def _state_commits(mirror: Mirror, head: str, keeper: Keeper, *, older: str | None) -> Iterator[str]:
    """Yield the commits of the flow's identity that wrote a state, newest first, down to `older`."""
    for commit in commits_by(mirror.repository, head, keeper.identity, older=older):
        line = (commit.id, *commit.parents)
        now, *before = (snapshot_blob(mirror.repository, one, STATE_PATH, mirror.prefix) for one in line)
        if now is not None and now not in before:
            yield commit.id


def _doubt(mirror: Mirror, writer: str, state: State, keeper: Keeper) -> str:
    """Return why the commit `writer` is not the flow's own; empty where it is."""
    commit = read_commit(mirror.repository, writer)
    if commit.committer != keeper.identity:
        return f"it was committed by {commit.committer.name}"
    if commit.parents[:1] != (state.lastCommit,) and (commit.parents or state.lastCommit):
        return "its parent is not lastCommit"
    outside = _outside(mirror, writer)
    if outside:
        return f"it also changes {outside}"
    if keeper.key is not None and not seal_holds(state_payload(state), keeper.key):
        return "its seal does not verify"
    return ""


def _looks_like_ours(mirror: Mirror, writer: str, state: State, keeper: Keeper) -> bool:
    """Whether only the identity or key of the flow, or the ids of the history, can have changed since."""
    commit = read_commit(mirror.repository, writer)
    by_flow = commit.committer == keeper.identity or commit.parents[:1] == (state.lastCommit,)
    return by_flow and not _outside(mirror, writer)


def _outside(mirror: Mirror, writer: str) -> str:
    """Return a path beside the flow's own that `writer` changes."""
    parents = read_commit(mirror.repository, writer).parents
    before = mirror.tree(parents[0] if parents else None)
    paths = changed_paths(before, mirror.tree(writer))
    return next((path for path in paths if not path.startswith(FLOW_FOLDER)), "")
