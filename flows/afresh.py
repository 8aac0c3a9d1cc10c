"""Index and state as they are after something that a person has asked for outside any night."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from dream.memory.applying import Files
from dream.memory.notes import NoteCache
from dream.memory.records import Effect, NightRecord, record_path, render_record
from dream.memory.state import STATE_PATH, State, render_state
from dream.memory.tree import Tree
from dream.night.steps import Rewritten
from dream.night.survey import Survey, with_unseen
from dream.repository.mirror import Mirror
from flows.bookkeeping import dates_of_change, index_of
from flows.workplace import Workplace
from tasks.state_update import revert_state


def index_afresh(
    tree: Tree, notes: NoteCache, survey: Survey, *, workplace: Workplace, mirror: Mirror, today: date
) -> Rewritten:
    """Return the index and catalog of `tree`, which grew from the surveyed head `today`."""
    return index_of(
        tree,
        notes,
        survey=survey,
        changes=dates_of_change(mirror, survey),
        landed=mirror.tree(survey.landed or None),
        today=today,
        limits=workplace.organisation.limits,
    )


def state_afresh(
    survey: Survey,
    *,
    workplace: Workplace,
    parent: str,
    today: date,
    state: State | None = None,
    effects: Sequence[Effect] = (),
    record: NightRecord | None = None,
    keep_tombstones: bool = True,
) -> Files:
    """Return the files of `.dream/` after a last commit `parent`, so that no night takes it for anything else.

    Args:
        survey: the head that all of it started from.
        workplace: whose state it is, and who seals it.
        parent: the commit that the state is of.
        today: the day it is done.
        state: what is known, where that is not what was surveyed.
        effects: what nights did and this has ended.
        record: a night's record that this has changed, beside the newest.
        keep_tombstones: whether `effects` stay undone; without, the next night may do them again.
    """
    written = revert_state(
        settled_state(survey) if state is None else state,
        parent=parent,
        night=today,
        effects=effects,
        keep_tombstones=keep_tombstones,
        seal=workplace.seal,
    )
    records = {one.night: one for one in (*survey.records[-1:], *([record] if record else ()))}
    if survey.records:
        newest = survey.records[-1].night
        records[newest] = with_unseen(records[newest], survey)
    kept = {record_path(night): render_record(one) for night, one in records.items()}
    return {**survey.restored, STATE_PATH: render_state(written), **kept}


def settled_state(survey: Survey) -> State:
    """Return the surveyed state with what was found undone on the way, and with renames followed."""
    state, moved = survey.state, survey.renames
    return state.model_copy(
        update={
            "checked": {
                moved.get(path, path): day for path, day in state.checked.items() if path not in survey.forgotten
            },
            "undone": survey.tombstones,
            "unverified": tuple(sorted({*(moved.get(path, path) for path in state.unverified), *survey.disputed})),
        }
    )
