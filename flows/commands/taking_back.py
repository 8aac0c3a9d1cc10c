"""`dream revert`: one task of a night, or all of it, taken back and landed."""

from __future__ import annotations

from config.settings import Settings
from dream.errors import UsageError
from dream.report.escaping import visible
from flows.clock import Clock, system_clock
from flows.commands.answers import Answer
from flows.commands.arguments import task_name
from flows.installation import open_installation, open_workplace
from flows.opening import parse_night
from flows.revert import revert_night


def revert_command(name: str, *, night: str, task: str, retry: bool, dry_run: bool) -> Answer:
    """Return the answer of `dream revert`."""
    settings = open_installation()
    return take_back(settings, name, night=night, task=task, retry=retry, dry_run=dry_run, clock=system_clock())


def take_back(
    settings: Settings, name: str, *, night: str, task: str, retry: bool, dry_run: bool, clock: Clock
) -> Answer:
    """Take back a task of a night, or for no task the whole night, and return what was and what conflicts.

    Raises:
        DreamError: there is no such night, or nothing landed.
    """
    date = parse_night(night)
    if date is None:
        message = "which night is to be taken back?"
        raise UsageError(message, way_out=f"dream revert {name} --night DATE")
    result = revert_night(
        open_workplace(settings, name),
        night=date,
        task=task_name(task) if task else None,
        retry=retry,
        dry_run=dry_run,
        clock=clock,
    )
    return Answer(
        text=visible("\n".join([f"{name}: the night of {date.isoformat()}", *(f"  {line}" for line in result.lines)])),
        document=result.payload(),
        exit_code=result.exit_code,
    )
