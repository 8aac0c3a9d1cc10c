"""The guards of whatever changes a memory by operations, a night or a person by hand, in the order they are asked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dream.guards.dangling import DanglingGuard
from dream.guards.duplicates import DuplicateGuard
from dream.guards.linked import LinkedNotes, LinkGuard
from dream.guards.loss import LossGuard
from dream.guards.ownership import guard_ownership
from dream.guards.paths import PathGuard
from dream.guards.pinned import guard_pinned_checks
from dream.guards.removals import RemovalGuard
from dream.guards.screen import guard_screen
from dream.guards.secrets import guard_secrets
from dream.guards.sizes import SizeGuard
from dream.guards.sources import SourceGuard
from dream.guards.specifics import guard_specifics
from dream.guards.undone import UndoneGuard
from dream.memory.links.destinations import Destinations
from dream.memory.notes import NoteCache
from dream.memory.operations import Guard
from dream.memory.state import Tombstone


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """What guards look things up in, and two of their numbers: `alike` is the similarity of what was undone."""

    notes: NoteCache
    linked: LinkedNotes
    destinations: Destinations
    duplicates: DuplicateGuard
    tombstones: Sequence[Tombstone]
    note_bytes: int
    alike: float


def guards_on(grounds: Grounds, *, sources: Collection[str], loss: LossGuard) -> Sequence[Guard]:
    """Return every guard: the cheap and plain ones first, the `loss` budget last; statements may cite `sources`."""
    plain: tuple[Guard, ...] = (
        guard_ownership,
        PathGuard(grounds.notes),
        SizeGuard(max_note_bytes=grounds.note_bytes),
        guard_screen,
        guard_secrets,
        SourceGuard(frozenset(sources)),
        guard_specifics,
        guard_pinned_checks,
        LinkGuard(grounds.linked),
        grounds.duplicates,
        UndoneGuard(grounds.tombstones, alike=grounds.alike),
    )
    dangling = DanglingGuard(grounds.notes, grounds.destinations, others=plain)
    return (*plain, dangling, RemovalGuard(loss.takes), loss)
