"""What there is to tell of a night, gathered from the mirror and from this installation's own notes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from dream.errors import NewerStateError
from dream.memory.documents import UnreadableDocumentError
from dream.memory.records import read_records
from dream.memory.state import STATE_PATH, State, parse_state
from dream.memory.tree import Tree
from dream.report.story import Story
from dream.repository.mirror import Mirror
from flows.attempts import read_attempts
from flows.nightly_commits import night_commits
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
    return Story(
        organisation=workplace.name,
        night=night,
        record=record,
        records=records,
        commits=night_commits(mirror, head, record, identity=workplace.identity) if record else (),
        attempts=read_attempts(workplace.home, night),
        pending=read_state(tree).pending,
        findings=findings,
        remarks=remarks,
        branch=mirror.branch,
        tip=head if record else "",
        dry=dry,
        order=TASKS,
        limits=workplace.loss_limits(),
    )


def read_state(tree: Tree) -> State:
    """Return the state in `tree`; an empty one where it cannot be read, or only by a newer version."""
    try:
        return parse_state(tree.read(STATE_PATH) or b"")
    except (UnreadableDocumentError, NewerStateError):
        return State()
