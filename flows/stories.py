"""What there is to tell of a night, gathered from the mirror and from this installation's own notes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from dream.errors import NewerStateError
from dream.memory.documents import UnreadableDocumentError
from dream.memory.records import NightRecord, read_records, record_dates
from dream.memory.state import STATE_PATH, State, parse_state
from dream.memory.tree import Tree
from dream.memory.windows import scheduled_instant
from dream.report.alarms.alarm import Alarm
from dream.report.alarms.raising import alarms_of
from dream.report.attempts import Attempt
from dream.report.story import Story
from dream.repository.history import has_commit
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
    shadow: bool = False,
) -> Story:
    """Return what `head` (a commit in the mirror; empty for none) and this installation's notes tell of `night`.

    Of a night that has landed nowhere but in shadow (or where that is what is asked for), what it came to there.
    """
    attempts = read_attempts(workplace.home, night)
    if not dry and not shadow and (tip := _shadow_tip(mirror, head, night, attempts)):
        head, shadow = tip, True
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
        attempts=attempts,
        pending=state.pending,
        findings=findings,
        alarms=() if dry or shadow else raised_alarms(workplace, records, now=scheduled_instant(night)),
        remarks=remarks,
        branch=mirror.branch,
        tip=head if record and not shadow else "",
        dry=dry or shadow,
        shadow=shadow,
        order=TASKS,
        limits=workplace.loss_limits(),
        standing=read_standing(tree, state),
    )


def _shadow_tip(mirror: Mirror, head: str, night: date, attempts: Sequence[Attempt]) -> str:
    """Return the last commit of the newest shadow run of a night that `head` has no record of; empty where none is."""
    tips = [one.tip for one in attempts if one.status == "shadow" and one.tip]
    if not tips or night in record_dates(mirror.tree(head or None)):
        return ""
    return tips[-1] if has_commit(mirror.repository, tips[-1]) else ""


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
