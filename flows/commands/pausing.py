"""`dream pause` and `dream resume`: who stopped which nights or tasks, until when and why, and that they go on."""

from __future__ import annotations

import getpass
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, datetime

from config.settings import Settings
from dream.errors import DreamError, UsageError
from dream.memory.windows import current_night
from dream.report.accounts import spoken
from dream.report.escaping import one_line
from dream.report.pauses import LONGEST_REASON, Pause
from flows.clock import Clock, system_clock
from flows.commands.answers import Answer
from flows.commands.arguments import task_name
from flows.installation import all_organisations, open_installation
from flows.opening import parse_night
from flows.pausing import (
    EVERYONE,
    BrokenPausesError,
    PauseFile,
    add_pause,
    end_pauses,
    pauses_of_each,
    read_file,
    read_pauses,
)
from tasks.order import AFRESH, TASKS

_LINE = 1_000
"""Characters of a line that is printed: a reason and the names of tasks with what is said around them."""


def pause_nights(
    settings: Settings, name: str, *, tasks: Sequence[str], until: date | None, reason: str, clock: Clock
) -> Answer:
    """Pause the nights, or only `tasks`, of the organisation called `name` or of EVERYONE, and return what holds now.

    Raises:
        UsageError: there is no such organisation or task, `until` is not ahead, or the reason is too long.
        DreamError: what is paused already cannot be read, or nothing can be kept.
    """
    now = clock.now()
    _check_name(settings, name)
    _check_end(until, reason, due=current_night(now))
    pause = Pause(
        since=now.replace(microsecond=0),
        by=who(settings),
        reason=" ".join(reason.split()),
        until=until,
        tasks=_checked(tasks),
        everyone=name == EVERYONE,
    )
    replaced = add_pause(settings, name, pause, now=now)
    lines = [f"{_whom(name)}: {pause.told(name)}", *(f"in place of: {one}" for one in replaced)]
    if not pause.tasks:
        lines.append("A night that is at work now lands nothing either, unless it is landing just now.")
    document = {
        "organisation": None if pause.everyone else name,
        "paused": pause.payload(name),
        "replaced": [one.payload(name) for one in replaced],
        "exit": 0,
    }
    return Answer(text=_text(lines), document=document)


def resume_nights(settings: Settings, name: str, *, tasks: Sequence[str], clock: Clock) -> Answer:
    """Let the nights, or `tasks`, of the organisation called `name` or of EVERYONE go on; return what still is paused.

    What was taken back of `tasks` up to the newest night that is due no longer counts. Exit 1 where everyone's pause
    keeps paused what is to go on.

    Raises:
        UsageError: there is no such organisation or task.
        DreamError: what is paused cannot be read, or nothing can be kept.
    """
    now = clock.now()
    _check_name(settings, name)
    kept, broken = _kept(settings, name)
    named = _checked(tasks, paused={task for pause in kept.pauses for task in pause.tasks})
    ended = end_pauses(settings, name, named, now=now)
    left, unknown = _left(settings, name, now=now)
    kept_back = [one for one in left.get(name, ()) if (set(named) & set(one.tasks) if named else not one.tasks)]
    lines = [f"taken away: {broken}"] if broken else []
    if kept_back:
        lines += [f"{_whom(name)}: no more {one}" for one in ended]
    else:
        lines += _gone_on(name, named, ended, due=current_night(now))
    lines += [f"{one}: still {pause.told(one)}" for one, pauses in left.items() for pause in pauses]
    lines += [f"{one}: {error}; {error.way_out}" for one, error in unknown.items()]
    exit_code = 1 if kept_back else 0
    document = {
        "organisation": None if name == EVERYONE else name,
        "tasks": list(named),
        "ended": [one.payload(name) for one in ended],
        "taken_away": broken,
        "paused": {one: [pause.payload(one) for pause in pauses] for one, pauses in left.items() if pauses},
        "not_known": {one: str(error) for one, error in unknown.items()},
        "exit": exit_code,
    }
    return Answer(text=_text(lines), document=document, exit_code=exit_code)


def _kept(settings: Settings, name: str) -> tuple[PauseFile, str]:
    """Return what is kept, or nothing and why it cannot be understood."""
    try:
        return read_file(settings, name), ""
    except BrokenPausesError as error:
        return PauseFile(), str(error)


def _left(
    settings: Settings, name: str, *, now: datetime
) -> tuple[dict[str, tuple[Pause, ...]], dict[str, DreamError]]:
    """Return what still is paused of an organisation, or after EVERYONE of each by itself, and where nobody knows."""
    if name != EVERYONE:
        return {name: read_pauses(settings, name, now=now).holding}, {}
    found = all_organisations(settings)
    known = [*(one.organisation for one in found.organisations), *(one.name for one in found.broken)]
    left: dict[str, tuple[Pause, ...]] = {}
    unknown: dict[str, DreamError] = {}
    for one, pauses in pauses_of_each(settings, known, now=now):
        if isinstance(pauses, DreamError):
            unknown[one] = pauses
        elif pauses:
            left[one] = pauses
    return left, unknown


def pause_command(name: str, *, everyone: bool, tasks: Sequence[str], until: str, reason: str) -> Answer:
    """Return the answer of `dream pause`."""
    whom, end = _of_one_or_all(name, everyone=everyone, command="pause"), parse_night(until)
    return pause_nights(open_installation(), whom, tasks=tasks, until=end, reason=reason, clock=system_clock())


def resume_command(name: str, *, everyone: bool, tasks: Sequence[str]) -> Answer:
    """Return the answer of `dream resume`."""
    whom = _of_one_or_all(name, everyone=everyone, command="resume")
    return resume_nights(open_installation(), whom, tasks=tasks, clock=system_clock())


def who(settings: Settings) -> str:
    """Return who gives a command here: $DREAM_BY, else the name of this machine's user, else the user's number."""
    if settings.by:
        return settings.by
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # as in a container whose user has no name
        return f"user {os.getuid()}"


def _of_one_or_all(name: str, *, everyone: bool, command: str) -> str:
    if bool(name) == everyone:
        message = "name one organisation, or --all" if not name else f"--all or {name}, not both"
        raise UsageError(message, way_out=f"dream {command} ORG, or dream {command} --all")
    return EVERYONE if everyone else name


def _check_name(settings: Settings, name: str) -> None:
    """Raise UsageError where there is no organisation of that name; one whose configuration is broken is one."""
    found = all_organisations(settings)
    if name != EVERYONE and name not in {one.name for one in found.broken}:
        found.get(name)


def _check_end(until: date | None, reason: str, *, due: date) -> None:
    if until is not None and until <= due:
        message = f"the night of {until.isoformat()} is not ahead; the newest that is due is {due.isoformat()}"
        raise UsageError(message, way_out="name the night that is to go on by itself, or none")
    if len(reason) > LONGEST_REASON:
        message = f"the reason has {len(reason)} characters, more than {LONGEST_REASON}"
        raise UsageError(message, way_out="say it shorter, and where more is to be read")


def _checked(tasks: Iterable[str], *, paused: Collection[str] = ()) -> tuple[str, ...]:
    """Return tasks as code names them, each once; raises UsageError for one that cannot be left out.

    One that is `paused` can be named whatever it is: another release may have known it.
    """
    named = tuple(dict.fromkeys(map(task_name, tasks)))
    for name in named:
        if name not in paused and (name not in TASKS or name in AFRESH):
            reason = "is made afresh at every landing" if name in AFRESH else "does not exist"
            message = f"the task {name!r} {reason}"
            raise UsageError(message, way_out=f"tasks: {', '.join(one for one in TASKS if one not in AFRESH)}")
    return named


def _gone_on(name: str, tasks: Sequence[str], ended: Sequence[Pause], *, due: date) -> Iterator[str]:
    what = f"{', '.join(map(spoken, tasks))}: " if tasks else ""
    verb = "go on" if name == EVERYONE or len(tasks) > 1 else "goes on"
    was = "; ".join(map(str, ended)) or "nothing was paused by a person"
    yield f"{_whom(name)}: {what}{verb}; {was}"
    if tasks:
        yield f"What was taken back up to the night of {due.isoformat()} counts against them no more."
    at_once = "nightly" if name == EVERYONE else f"run {name}"
    redo = f" --redo {' '.join(tasks)}" if tasks else ""
    if name != EVERYONE or not tasks:
        yield f"The next night takes up what waits; at once: dream {at_once}{redo}"


def _whom(name: str) -> str:
    return "all organisations" if name == EVERYONE else name


def _text(lines: Iterable[str]) -> str:
    return "\n".join(one_line(line, most=_LINE) for line in lines)
