"""What there is to tell of a night, gathered from the mirror and from this installation's own notes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from dream.errors import NewerStateError
from dream.memory.documents import UnreadableDocumentError
from dream.memory.records import NightRecord, read_records
from dream.memory.state import STATE_PATH, State, parse_state
from dream.memory.tree import Tree
from dream.memory.windows import scheduled_instant
from dream.report.alarms.alarm import Alarm
from dream.report.alarms.raising import alarms_of
from dream.report.story import Story
from dream.repository.mirror import Mirror
from flows.attempts import all_attempts, read_attempts
from flows.nightly_commits import night_commits
from flows.standings import read_standing
from flows.workplace import Workplace
from tasks.order import TASKS


def read_story(
    workplace: Workplace,
    mirror: Mirror,
    night: date,
    *,
    head: str,
    findings: Sequence[str] = (),
    remarks: Sequence[str] = (),
    dry: bool = False,
) -> Story:
    """Return what `head` (a commit in the mirror; empty for none) and this installation's notes tell of `night`."""
    tree = mirror.tree(head or None)
    records = read_records(tree)
    record = next((one for one in records if one.night == night), None)
    state = read_state(tree)
    return Story(
        organisation=workplace.name,
        night=night,
        record=record,
        records=records,
        commits=night_commits(mirror, head, record, identity=workplace.identity) if record else (),
        attempts=read_attempts(workplace.home, night),
        pending=state.pending,
        findings=findings,
        alarms=() if dry else raised_alarms(workplace, records, now=scheduled_instant(night)),
        remarks=remarks,
        branch=mirror.branch,
        tip=head if record else "",
        dry=dry,
        order=TASKS,
        limits=workplace.loss_limits(),
        standing=read_standing(tree, state),
    )


def raised_alarms(workplace: Workplace, records: Sequence[NightRecord], *, now: datetime) -> tuple[Alarm, ...]:
    """Return why an organisation is degraded at `now`, by the `records` of its nights and this installation's notes."""
    attempts = all_attempts(workplace.home)
    return alarms_of(workplace.name, records, attempts, limits=workplace.alarm_limits(), now=now)


def read_state(tree: Tree) -> State:
    """Return the state in `tree`; an empty one where it cannot be read, or only by a newer version."""
    try:
        return parse_state(tree.read(STATE_PATH) or b"")
    except (UnreadableDocumentError, NewerStateError):
        return State()
