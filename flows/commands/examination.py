"""What `dream doctor` looks at for one organisation."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from config.pull_requests import RecordedPullRequests
from dream.errors import DreamError
from dream.memory.layouts import index_path
from dream.memory.paths import INDEX
from dream.memory.state import STATE_PATH
from dream.memory.windows import Window, current_night, scheduled_instant, window_end, window_since
from dream.night.survey import survey_head
from dream.report.checks import Check, fail, ok, warn
from dream.repository.commits import read_commit
from dream.repository.failures import LockedError
from dream.repository.lock import lock
from dream.repository.mirror import Mirror
from dream.repository.remote_failures import remote_failure
from flows.clock import Clock
from flows.commands.credential_checks import check_credentials, missing_credentials
from flows.commands.model_checks import check_models
from flows.commands.night_checks import check_nights
from flows.commands.probe_checks import check_probes
from flows.day import read_day
from flows.opening import fetch_head
from flows.remembering import open_history
from flows.workplace import Workplace

SKEW = timedelta(minutes=5)
"""How far clocks may be apart."""

MOST_FINDINGS = 10
"""Of the sources, a line each."""


def examine_organisation(workplace: Workplace, clock: Clock) -> Iterator[Check]:
    """Yield how each thing is that the nights of an organisation need."""
    yield from _told(f"{workplace.name} nights", check_nights(workplace, clock))
    yield from check_credentials(workplace)
    yield from _told(f"{workplace.name} models", check_models(workplace, clock))
    yield from _told(f"{workplace.name} history", _history(workplace))
    try:
        with lock(workplace.home):
            yield from _told(f"{workplace.name} memory", _memory(workplace, clock))
            yield from _told(f"{workplace.name} sources", _sources(workplace, clock))
    except LockedError as error:
        yield warn(f"{workplace.name} memory", f"it is not looked at: {error}", "ask again when the run has ended")


def _told(thing: str, checks: Iterator[Check]) -> Iterator[Check]:
    """Yield `checks`, and as the last of them what stopped them, if anything did."""
    try:
        yield from checks
    except DreamError as error:
        yield fail(thing, str(error), error.way_out)
    except Exception as error:  # noqa: BLE001  # this is the boundary of one organisation
        yield fail(thing, f"a defect: {type(error).__name__}: {error}", "report it")


def _history(workplace: Workplace) -> Iterator[Check]:
    thing = f"{workplace.name} history"
    history = open_history(workplace)
    history.connect()
    days = workplace.organisation.limits.history.days
    yield ok(thing, f"{len(history.lines())} past sessions, each kept for {days} days, at {workplace.store}")
    for damage in history.damages[:MOST_FINDINGS]:
        yield warn(thing, f"passed over {damage}", "put back a copy of it, or take it away")


def _memory(workplace: Workplace, clock: Clock) -> Iterator[Check]:
    mirror = workplace.mirror()
    thing = f"{workplace.name} memory"
    head = fetch_head(workplace, mirror)
    if not head:
        yield warn(thing, f"{mirror.url} has no branch yet", f"the first night makes {mirror.branch}")
        return
    tree = mirror.tree(head)
    yield ok(thing, f"{mirror.url} has {mirror.branch} at {head[:12]}, {len(tree.paths())} files")
    if tree.blob(index_path(tree)) is None and tree.blob(STATE_PATH) is None:
        where = f"in the folder {mirror.prefix} of it" if mirror.prefix else "at its root"
        cause = f"there is no {INDEX} {where} and no night has landed: it may be a repository of code"
        yield warn(thing, cause, f"see that memory.url and memory.path are right; the first night makes {INDEX}")
    yield _write_permission(workplace, mirror, head)
    yield _clock(workplace, mirror, head, clock)
    yield from _state(workplace, mirror, head, clock)


def _write_permission(workplace: Workplace, mirror: Mirror, head: str) -> Check:
    thing = f"{workplace.name} push"
    tried = mirror.try_push(head)
    if tried.ok:
        return ok(thing, "the remote would take one, as far as it tells without one")
    failure = remote_failure(tried, mirror.url)
    if failure is None:
        return fail(thing, tried.last_words, "let this credential write there")
    return fail(thing, str(failure), failure.way_out)


def _clock(workplace: Workplace, mirror: Mirror, head: str, clock: Clock) -> Check:
    thing = f"{workplace.name} clock"
    newest = read_commit(mirror.repository, head).committer_time
    now = clock.now()
    most = workplace.organisation.limits.window.history_gap_days
    if newest - now > SKEW:
        cause = f"the newest commit is dated {newest:%Y-%m-%d %H:%M} UTC, and here it is {now:%Y-%m-%d %H:%M}"
        return warn(thing, cause, "set this machine's clock, or that of whoever pushed it")
    night = current_night(now)
    if scheduled_instant(night) - newest > timedelta(days=most):
        cause = f"the newest commit is of {newest:%Y-%m-%d}, more than {most} days ago"
        return warn(thing, cause, f"if the clock is right: dream run {workplace.name} --night {night.isoformat()}")
    return ok(thing, f"the newest commit is of {newest:%Y-%m-%d %H:%M} UTC")


def _state(workplace: Workplace, mirror: Mirror, head: str, clock: Clock) -> Iterator[Check]:
    thing = f"{workplace.name} state"
    try:
        survey = survey_head(mirror, head, keeper=workplace.keeper(), today=current_night(clock.now()))
    except DreamError as error:
        yield fail(thing, str(error), error.way_out)
        return
    yield from (warn(thing, finding) for finding in survey.findings)
    if not survey.landed:
        yield ok(thing, "no night has landed yet")
    else:
        newest = survey.newest.isoformat() if survey.newest else "none"
        yield ok(thing, f"written by the flow in {survey.landed[:12]}; newest night {newest}")


def _sources(workplace: Workplace, clock: Clock) -> Iterator[Check]:
    organisation = workplace.organisation
    places = [
        *(("sessions", one.path) for one in organisation.sessions),
        *(("reads", one.path) for one in organisation.reads),
        *(("pull requests", one.path) for one in organisation.pull_requests if isinstance(one, RecordedPullRequests)),
    ]
    for what, path in places:
        trouble = _unreadable(path)
        if trouble:
            yield fail(f"{workplace.name} {what}", trouble, "correct the path, or let this user read it")
    now = clock.now()
    window = _look_back(workplace, now)
    day = read_day(organisation, window=window, now=now, home=workplace.home, is_glance=True)
    days = organisation.limits.window.look_back_days
    counts = [
        (
            "sessions",
            len(organisation.sessions),
            f"{len(day.sessions)} and {len(day.summaries)} summaries in {days} days",
        ),
        ("pull requests", len(organisation.pull_requests), _looked_at(len(day.pull_requests))),
        ("production", len(organisation.production), f"systems to ask: {len(organisation.production)}"),
    ]
    for what, configured, told in counts:
        yield ok(f"{workplace.name} {what}", told if configured else "no source is configured")
    missing = missing_credentials(organisation)
    findings = [finding for finding in day.findings if not (missing and finding.endswith(missing))]
    yield from (warn(f"{workplace.name} sources", finding) for finding in findings[:MOST_FINDINGS])
    if len(findings) > MOST_FINDINGS:
        yield warn(f"{workplace.name} sources", f"and {len(findings) - MOST_FINDINGS} more like these")
    yield from _told(f"{workplace.name} production", check_probes(workplace, day.code))


def _looked_at(count: int) -> str:
    return f"{count} of agents looked at; a first night counts those of its day"


def _look_back(workplace: Workplace, now: datetime) -> Window:
    """Return the days that a night of now would look back over."""
    zone = workplace.organisation.zone
    end = window_end(scheduled_instant(current_night(now)), zone)
    return window_since(end - timedelta(days=workplace.organisation.limits.window.look_back_days), end, zone)


def _unreadable(path: Path) -> str:
    if not path.exists():
        return f"there is no {path}"
    return "" if os.access(path, os.R_OK) else f"{path} cannot be read"
