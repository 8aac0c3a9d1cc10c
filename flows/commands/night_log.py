"""`dream log`: the commits of a night, or its operations one by one with what became of each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from config.settings import Settings
from dream.errors import FatalError, UsageError
from dream.memory.operation_ids import short_ids
from dream.memory.records import NightRecord
from dream.memory.undoing.fates import fate_of
from dream.memory.windows import current_night
from dream.report.commits import commits_payload, render_commits
from dream.report.operations import Told, operations_payload, render_operations
from dream.repository.mirror import Mirror
from flows.clock import Clock, system_clock
from flows.commands.answers import Answer
from flows.commands.looking import Look, look
from flows.installation import open_installation, open_workplace
from flows.nightly_commits import night_commits
from flows.opening import parse_night
from flows.workplace import Workplace


def tell_commits(settings: Settings, name: str, *, night: date | None, clock: Clock) -> Answer:
    """Return the commits of a night, the newest that landed by default.

    Raises:
        UsageError: that night did not land.
        FatalError: the memory cannot be looked at, not even as it was last fetched.
    """
    workplace = open_workplace(settings, name)
    seen, mirror = _seen(workplace, clock)
    record = _record(workplace, seen, night)
    if record is None:
        return _no_night(name, "commits")
    commits = night_commits(mirror, seen.landed, record, identity=workplace.identity, with_diffs=False)
    remarks = (*seen.remarks, *map(str, seen.troubles))
    return Answer(
        text=render_commits(name, record.night, commits, remarks=remarks),
        document=commits_payload(name, record.night, commits, remarks=remarks),
    )


def tell_operations(settings: Settings, name: str, *, night: date | None, clock: Clock) -> Answer:
    """Return the operations of a night, the newest that landed by default, and what became of each; raises the same."""
    workplace = open_workplace(settings, name)
    seen, mirror = _seen(workplace, clock)
    record = _record(workplace, seen, night)
    if record is None:
        return _no_night(name, "operations")
    short = short_ids(record.effects)
    tree = mirror.tree(seen.head or None)
    undone = {stone.effect for stone in seen.tombstones}
    told = [
        Told(
            effect=effect,
            short=short[effect.id],
            fate=fate_of(effect, seen.records, tree=tree, undone=undone),
        )
        for effect in record.effects
    ]
    remarks = (*seen.remarks, *map(str, seen.troubles))
    return Answer(
        text=render_operations(name, record.night, told, remarks=remarks),
        document=operations_payload(name, record.night, told, remarks=remarks),
    )


def log_command(name: str, *, night: str, operations: bool) -> Answer:
    """Return the answer of `dream log`."""
    tell = tell_operations if operations else tell_commits
    return tell(open_installation(), name, night=parse_night(night), clock=system_clock())


def no_such_night(name: str, night: date, known: Sequence[date]) -> UsageError:
    """Return the error for a night that an organisation does not have; `known` are those that it has, oldest first."""
    message = f"{name} has no night of {night.isoformat()}"
    newest = ", ".join(one.isoformat() for one in known[-5:])
    return UsageError(message, way_out=f"the newest that it has: {newest}" if newest else f"dream run {name}")


def _seen(workplace: Workplace, clock: Clock) -> tuple[Look, Mirror]:
    seen = look(workplace, today=current_night(clock.now()))
    if seen.mirror is None:
        raise FatalError(seen.troubles[0].why, way_out=seen.troubles[0].way_out)
    return seen, seen.mirror


def _no_night(name: str, what: str) -> Answer:
    text = f"{name}: no night has landed yet"
    return Answer(text=text, document={"organisation": name, "night": None, what: [], "remarks": []})


def _record(workplace: Workplace, seen: Look, night: date | None) -> NightRecord | None:
    if night is None:
        return seen.records[-1] if seen.records else None
    for record in seen.records:
        if record.night == night:
            return record
    raise no_such_night(workplace.name, night, [record.night for record in seen.records])
