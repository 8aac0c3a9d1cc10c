"""The index and the catalog, made afresh from what the memory is on whatever head the night is planted."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from dream.guards.titles import reported_titles, withheld_titles
from dream.memory.index.rewrite import rewrite_index
from dream.memory.limits import IndexLimits
from dream.memory.listing.findings import IndexFinding
from dream.memory.notes import NoteCache
from dream.memory.tree import Tree
from dream.night.steps import Rewritten

_OUTGROWN = "agents do not load the rest; `dream adopt` moves your own text into notes that it links"
_WAYS_OUT = {"index-over-limits": _OUTGROWN, "no-room-for-the-catalog": _OUTGROWN}


def propose(
    *,
    tree: Tree,
    notes: NoteCache,
    changed: Mapping[str, date],
    today: date,
    limits: IndexLimits,
    landed: Tree | None,
    renames: Mapping[str, str],
) -> Rewritten:
    """Return the index and catalog files of `tree` that differ, and what a person should know about them.

    `changed` says when each path last changed, checks and reads apart; `landed` is the last landed tip. Titles that do
    not pass the screen are not shown, and those that tell a reader what to do are shown as what the note says: the
    index is what every agent loads.
    """
    rewrite = rewrite_index(
        tree,
        notes,
        changed=changed,
        today=today,
        limits=limits,
        landed=landed,
        renames=renames,
        withheld=withheld_titles(tree, notes),
        reported=reported_titles(tree, notes),
    )
    return Rewritten(files=rewrite.files, findings=tuple(map(_told, rewrite.findings)))


def _told(finding: IndexFinding) -> str:
    way_out = _WAYS_OUT.get(finding.reason)
    return f"{finding}; {way_out}" if way_out else str(finding)
