"""What the head of the branch says: whose state it is, what others changed, and what they undid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from dream.memory.applying import Files
from dream.memory.paths import FLOW_FOLDER, Kind, kind_of
from dream.memory.records import Effect, NightRecord, is_record, read_records
from dream.memory.state import State, Tombstone
from dream.memory.tree import Tree
from dream.memory.undoing.undone import effect_paths, live_tombstones, tombstone, undone_effects
from dream.night.authenticity import Keeper, authentic_state
from dream.repository.history import changed_paths
from dream.repository.mirror import Mirror
from dream.repository.renames import renames
from dream.repository.trees import GitTree


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """A head, and what it means for the night; `head` is empty on a branch without a commit.

    `landed` is the last commit that a night landed.
    """

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
        FatalError: there was a state, and none in the history is the flow's own.
        NewerStateError: the state was written by a newer version.
    """
    if not head:
        return Survey(head="", tree=mirror.tree(None), state=State())
    tree = mirror.tree(head)
    found = authentic_state(mirror, head, keeper, accept_history=accept_history)
    if found is None:
        foreign = {path for path in tree.paths() if is_record(path)}
        nothing = mirror.tree(None)
        return Survey(
            head=head,
            tree=tree,
            state=State(),
            restored=_restored(nothing, foreign),
            findings=tuple(_foreign_lines(foreign, nothing)),
        )
    writer, state = found.writer, found.state
    landed = mirror.tree(writer)
    records = read_records(landed)
    differing = changed_paths(landed, tree)
    changed = {path for path in differing if kind_of(path) is not Kind.DOT}
    left = {path for record in records[-1:] for path in (*record.arrived, *record.unseen)}
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
        observed=keeper.observed,
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
        changed=frozenset(changed | {path for path in left if tree.blob(path) is not None}),
        renames=_renames_since(records, renames(mirror.repository, landed, tree), tree),
        tombstones=stones,
        forgotten=looked_at,
        disputed=looked_at,
        restored=_restored(landed, foreign),
        findings=(*found.doubts, *_undone_lines(gone), *_foreign_lines(foreign, landed)),
    )


def with_unseen(record: NightRecord, survey: Survey) -> NightRecord:
    """Return `record` with what others changed up to `survey`, for the next night to look at."""
    changed = {path for path in survey.changed if survey.tree.blob(path) is not None}
    return record.model_copy(
        update={
            "unseen": tuple(sorted({*record.unseen, *changed})),
            "renamed": {**record.renamed, **survey.renames},
        }
    )


def _renames_since(records: Sequence[NightRecord], fresh: Mapping[str, str], tree: Tree) -> dict[str, str]:
    """Return the renames that the last record left to follow and the `fresh` ones, each to where its note is now."""
    steps = {**(records[-1].renamed if records else {}), **fresh}
    followed: dict[str, str] = {}
    for old in steps:
        new = old
        for _ in steps:
            if tree.blob(new) is None and new in steps:
                new = steps[new]
        if new != old and tree.blob(new) is not None:
            followed[old] = new
    return dict(sorted(followed.items()))


def _restored(landed: Tree, foreign: set[str]) -> dict[str, bytes | None]:
    """Return the flow's own files that others changed, as the flow left them, and None for records that others made.

    A record decides which nights have landed, so that one of others must not stay; whatever else they made does.
    """
    return {path: landed.read(path) for path in sorted(foreign) if landed.blob(path) is not None or is_record(path)}


def _undone_lines(gone: tuple[Effect, ...]) -> list[str]:
    return [
        f"undone since: {effect.kind} of {effect.task} in {', '.join(sorted(effect_paths(effect)))}" for effect in gone
    ]


def _foreign_lines(foreign: set[str], landed: Tree) -> list[str]:
    return [f"{path} was changed by others; {_what_becomes_of(path, landed)}" for path in sorted(foreign)]


def _what_becomes_of(path: str, landed: Tree) -> str:
    if landed.blob(path) is not None:
        return "the flow's own stands again with the next landing"
    return "it is no record of the flow and is taken away" if is_record(path) else "it is left alone"
