"""Opening a night: which it is, what the branch says, and what is left to do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from dream.errors import FatalError, HistoryRewrittenError, UsageError
from dream.memory.records import NightRecord
from dream.memory.windows import Window, current_night, night_window, scheduled_instant, window_end
from dream.night.landing import remaining_tasks, superseded
from dream.night.result import NightResult
from dream.night.steps import asks_again
from dream.night.survey import Survey, survey_head
from dream.repository.commits import read_commit
from dream.repository.mirror import Head, Mirror
from flows.workplace import Workplace
from tasks.order import AFRESH, TASKS
from tasks.state_update import without_done

CONSUMING = ("daily_note", "distil", "pr_outcomes", "learnings")
"""Tasks whose inputs come by the day, each with its own mark of what it has covered."""

ASKING = frozenset({"distil", "learnings"})
"""Those of them that cover nothing where no model is configured, for learnings none that reviews the dreamer's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What somebody asks of a night; None is the newest night that is due, as is one that a run found `by_clock`."""

    night: date | None = None
    only: tuple[str, ...] = ()
    redo: tuple[str, ...] = ()
    dry_run: bool = False
    accept_history: bool = False
    by_clock: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A night that has something left to do."""

    night: date
    scheduled: datetime
    survey: Survey
    landings: int
    names: tuple[str, ...]
    windows: dict[str, Window]

    @property
    def reading_window(self) -> Window:
        """The stretch that any task looks at."""
        return min(self.windows.values(), key=lambda window: window.start)


def parse_night(text: str | None) -> date | None:
    """Return the date that `text` names, None for no text; raises UsageError for what is no date."""
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        message = f"{text!r} is no date"
        raise UsageError(message, way_out="write a night as 2026-10-22") from None


def check_request(request: Request, now: datetime) -> date:
    """Return the night that is asked for.

    Raises:
        UsageError: it lies in the future, or a task has no such name.
    """
    unknown = [name for name in (*request.only, *request.redo) if name not in TASKS]
    if unknown:
        message = f"there is no task {unknown[0]!r}"
        raise UsageError(message, way_out=f"the tasks are: {', '.join(TASKS)}")
    due = current_night(now)
    if request.night is not None and request.night > due:
        message = f"the night {request.night.isoformat()} is not due yet; the newest is {due.isoformat()}"
        raise UsageError(message, way_out="leave --night out for the newest, or check this machine's clock")
    return request.night or due


def open_night(workplace: Workplace, mirror: Mirror, request: Request, now: datetime) -> Opened | NightResult:
    """Fetch and survey the branch and return the night that is to be done, or that there is nothing to do.

    Raises:
        UsageError: the night is not due, or so far past the branch's newest commit that the clock is in doubt.
        HistoryRewrittenError: the branch lost what nights stood on.
        FatalError: a night has landed that is not due yet by this clock.
    """
    night = check_request(request, now)
    head = fetch_head(workplace, mirror, accept_history=request.accept_history)
    if head and (request.night is None or request.by_clock):
        _check_gap(workplace, mirror, head, night)
    survey = survey_head(mirror, head, keeper=workplace.keeper(), today=night, accept_history=request.accept_history)
    _check_clock(workplace, survey, now)
    record = survey.record(night)
    landings = record.landings if record else 0
    reason = superseded(survey, night, landings=landings)
    if reason:
        return NightResult(organisation=workplace.name, night=night, status="superseded", reason=reason)
    names = _names(request, record)
    if not names:
        return _nothing_to_do(workplace, night, head, record)
    return Opened(
        night=night,
        scheduled=scheduled_instant(night),
        survey=without_redone(survey, night, request.redo),
        landings=landings,
        names=names,
        windows=_windows(workplace, survey, night),
    )


def _nothing_to_do(workplace: Workplace, night: date, head: str, record: NightRecord | None) -> NightResult:
    """Return the result of a run that finds every task landed, with what waits and how to take it up sooner."""
    tasks = record.tasks if record else {}
    waiting = {name: task.pending for name, task in tasks.items() if task.pending}
    reason = "every task of this night has landed"
    if waiting:
        shown = ", ".join(f"{count} of {name}" for name, count in waiting.items())
        reason += f"; inputs wait for the next night: {shown}"
    # What a budget deferred or somebody displaced comes to the same if it is done over; what was not answered may not.
    again = [name for name in waiting if any(not asks_again(left.reason) for left in tasks[name].left_out)]
    command = f"dream run {workplace.name} --night {night.isoformat()} --redo {' '.join(again)}"
    return NightResult(
        organisation=workplace.name,
        night=night,
        status="nothing-to-do",
        reason=reason,
        way_out=f"to take them up before that: {command}" if again else "",
        tip=head,
        record=record,
    )


def fetch_head(workplace: Workplace, mirror: Mirror, *, accept_history: bool = False) -> str:
    """Return the commit that the branch stands on, empty for a branch without one; raises HistoryRewrittenError."""
    head = mirror.fetch()
    commit = head.commit if isinstance(head, Head) else ""
    if not head.rewritten:
        return commit
    if accept_history:
        mirror.accept_history(commit or None)
        return commit
    message = f"the history of {mirror.branch} was rewritten: {(head.seen or '')[:12]} is no longer in it"
    raise HistoryRewrittenError(message, way_out=f"if that was meant: dream run {workplace.name} --accept-history")


def without_redone(survey: Survey, night: date, redo: tuple[str, ...]) -> Survey:
    """Return `survey` as if `night` had not done the tasks `redo`: their done-marks and tombstones are lifted."""
    record = survey.record(night)
    if record is None or not redo:
        return survey
    lifted = {effect.id for effect in record.effects if effect.task in redo}
    again = without_done(record, redo, undone={stone.effect for stone in survey.tombstones})
    return replace(
        survey,
        records=tuple(again if one.night == night else one for one in survey.records),
        tombstones=tuple(stone for stone in survey.tombstones if stone.effect not in lifted),
    )


def _names(request: Request, record: NightRecord | None) -> tuple[str, ...]:
    asked = [name for name in TASKS if not request.only or name in request.only or name in request.redo]
    left = remaining_tasks(record, asked, redo=request.redo)
    return tuple(name for name in TASKS if name in left or name in AFRESH) if left else ()


def _windows(workplace: Workplace, survey: Survey, night: date) -> dict[str, Window]:
    """The windows of the tasks that look at a day.

    One that begins late, because until now there was no model, begins with what arrived lately and not with the first
    night.
    """
    scheduled, zone = scheduled_instant(night), workplace.organisation.zone
    models = workplace.organisation.models
    has_model = models.of("dreamer").provider != "offline"
    answered = {"distil": has_model, "learnings": has_model and models.has_own_reviewer}
    late = window_end(scheduled, zone) if survey.state.began else None
    return {
        name: night_window(
            scheduled=scheduled,
            timezone=zone,
            covered=survey.state.covered.get(name, late if name in ASKING else None),
            began=survey.state.began,
            look_back=timedelta(days=workplace.organisation.limits.window.look_back_days),
        )
        for name in CONSUMING
        if answered.get(name, True)
    }


def _check_clock(workplace: Workplace, survey: Survey, now: datetime) -> None:
    """Stop where every night would end as superseded, day after day, and look well."""
    due = current_night(now)
    if survey.newest is not None and survey.newest > due:
        message = (
            f"the night of {survey.newest.isoformat()} has landed in {workplace.name}, and by this clock the newest "
            f"that is due is {due.isoformat()}"
        )
        raise FatalError(message, way_out="correct the clock that is wrong; nights go on once that night is due")


def _check_gap(workplace: Workplace, mirror: Mirror, head: str, night: date) -> None:
    newest = read_commit(mirror.repository, head).committer_time
    gap = scheduled_instant(night) - newest
    limit = workplace.organisation.limits.window.history_gap_days
    if gap > timedelta(days=limit):
        message = (
            f"the night {night.isoformat()} is {gap.days} days after the newest commit of {mirror.branch} "
            f"({newest.date().isoformat()}), more than {limit}"
        )
        raise UsageError(
            message, way_out=f"if the clock is right: dream run {workplace.name} --night {night.isoformat()}"
        )
