"""What the head of the branch says: whose state it is, what others changed, and what they undid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from dream.errors import FatalError, HistoryRewrittenError
from dream.guards.state import seal_holds
from dream.memory.applying import Files
from dream.memory.documents import UnreadableDocumentError
from dream.memory.paths import FLOW_FOLDER, Kind, kind_of
from dream.memory.records import Effect, NightRecord, read_records
from dream.memory.state import STATE_PATH, State, Tombstone, parse_state, state_payload
from dream.memory.tree import Tree
from dream.memory.undone import effect_paths, live_tombstones, tombstone, undone_effects
from dream.repository.commits import Identity, read_commit
from dream.repository.history import changed_paths, is_ancestor
from dream.repository.mirror import Mirror
from dream.repository.renames import renames
from dream.repository.trees import GitTree
from dream.repository.writers import writers


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeper:
    """By what the flow's own state is known: the identity of its commits, and a key where one is configured."""

    identity: Identity
    key: bytes | None = None
    look_back: timedelta = timedelta(days=14)


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """A head, and what it means for the night; `head` is empty on a branch without a commit."""

    head: str
    tree: GitTree
    state: State
    landed: str = ""
    records: tuple[NightRecord, ...] = ()
    changed: frozenset[str] = frozenset()
    renames: Mapping[str, str] = field(default_factory=dict)
    tombstones: tuple[Tombstone, ...] = ()
    forgotten: frozenset[str] = frozenset()
    disputed: frozenset[str] = frozenset()
    restored: Files = field(default_factory=dict)
    findings: tuple[str, ...] = ()

    def record(self, night: date) -> NightRecord | None:
        """Return the record of `night`, if it has landed in part or whole."""
        return next((record for record in self.records if record.night == night), None)

    @property
    def newest(self) -> date | None:
        """The newest night that has landed."""
        return self.records[-1].night if self.records else None


def survey_head(mirror: Mirror, head: str, *, keeper: Keeper, today: date, accept_history: bool = False) -> Survey:
    """Survey `head`.

    Raises:
        HistoryRewrittenError: what the last night stood on is no ancestor of `head`.
        FatalError: there was a state, and none in the history is the flow's own.
        NewerStateError: the state was written by a newer version.
    """
    if not head:
        return Survey(head="", tree=mirror.tree(None), state=State())
    tree = mirror.tree(head)
    found = _authentic_state(mirror, head, keeper, accept_history=accept_history)
    if found is None:
        return Survey(head=head, tree=tree, state=State())
    writer, state, doubts = found
    if state.lastCommit and not accept_history and not is_ancestor(mirror.repository, state.lastCommit, head):
        message = f"the branch no longer contains {state.lastCommit[:12]}, on which the last night stood"
        raise HistoryRewrittenError(message, way_out="if that was meant: dream run ORG --accept-history")
    landed = mirror.tree(writer)
    records = read_records(landed)
    differing = changed_paths(landed, tree)
    changed = {path for path in differing if kind_of(path) is not Kind.DOT}
    arrived = records[-1].arrived if records else ()
    gone = undone_effects(
        records,
        landed=landed,
        head=tree,
        changed=changed,
        settled={stone.effect for stone in state.undone},
    )
    stones = live_tombstones(
        [*state.undone, *(tombstone(effect, undone=today) for effect in gone)],
        head=tree,
        today=today,
        look_back=keeper.look_back,
    )
    verified = [effect for effect in gone if effect.task == "production_verification"]
    looked_at = frozenset(path for effect in verified for path in effect_paths(effect))
    foreign = {path for path in differing if path.startswith(FLOW_FOLDER)}
    return Survey(
        head=head,
        tree=tree,
        state=state,
        landed=writer,
        records=records,
        changed=frozenset(changed | {path for path in arrived if tree.blob(path) is not None}),
        renames=renames(mirror.repository, landed, tree),
        tombstones=stones,
        forgotten=looked_at,
        disputed=looked_at,
        restored=_restored(landed, foreign),
        findings=(*doubts, *_undone_lines(gone), *_foreign_lines(foreign, landed)),
    )


def _authentic_state(
    mirror: Mirror, head: str, keeper: Keeper, *, accept_history: bool
) -> tuple[str, State, tuple[str, ...]] | None:
    """Return the newest commit whose state is the flow's own, that state, and why newer ones were passed over."""
    doubts: list[str] = []
    for writer in writers(mirror.repository, STATE_PATH, head, mirror.prefix):
        try:
            state = parse_state(mirror.tree(writer).read(STATE_PATH) or b"")
        except UnreadableDocumentError as error:
            doubts.append(f"{STATE_PATH} of {writer[:12]} was passed over: {error}")
            continue
        doubt = _doubt(mirror, writer, state, keeper)
        if not doubt:
            return writer, state, tuple(doubts)
        doubts.append(f"{STATE_PATH} of {writer[:12]} was passed over: {doubt}")
    if doubts and not accept_history:
        message = f"{STATE_PATH} is there, but no commit in the history wrote it as the flow does: {doubts[0]}"
        raise FatalError(message, way_out="see who wrote it; to start afresh: dream run ORG --accept-history")
    return None


def _doubt(mirror: Mirror, writer: str, state: State, keeper: Keeper) -> str:
    """Return why the commit `writer` is not the flow's own; empty where it is."""
    commit = read_commit(mirror.repository, writer)
    if commit.committer != keeper.identity:
        return f"it was committed by {commit.committer.name}"
    if commit.parents[:1] != (state.lastCommit,) and (commit.parents or state.lastCommit):
        return "its parent is not lastCommit"
    before = mirror.tree(commit.parents[0] if commit.parents else None)
    outside = [path for path in changed_paths(before, mirror.tree(writer)) if not path.startswith(FLOW_FOLDER)]
    if outside:
        return f"it also changes {outside[0]}"
    if keeper.key is not None and not seal_holds(state_payload(state), keeper.key):
        return "its seal does not verify"
    return ""


def _restored(landed: Tree, foreign: set[str]) -> dict[str, bytes | None]:
    """Return the flow's own files that others changed, as the flow left them; files that others made are left."""
    return {path: landed.read(path) for path in sorted(foreign) if landed.blob(path) is not None}


def _undone_lines(gone: tuple[Effect, ...]) -> list[str]:
    return [
        f"undone since: {effect.kind} of {effect.task} in {', '.join(sorted(effect_paths(effect)))}" for effect in gone
    ]


def _foreign_lines(foreign: set[str], landed: Tree) -> list[str]:
    return [
        f"{path} was changed by others; " + ("the flow's own is restored" if landed.blob(path) else "it is left alone")
        for path in sorted(foreign)
    ]
