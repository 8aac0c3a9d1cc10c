"""What has been: the status of organisations, and the report of a night."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime

from config.credentials import resolve_credential
from config.loading import BrokenOrganisation
from config.organisation import Organisation
from config.settings import Settings
from dream.errors import UsageError
from dream.memory.windows import current_night
from dream.report.alarms.landing import NOT_LANDED
from dream.report.escaping import one_line
from dream.report.needs import Need, need_after
from dream.report.night import render_report
from dream.report.status import Status, render_status, status_of
from dream.report.story import Story
from flows.attempts import all_attempts
from flows.braking import held_back
from flows.clock import Clock, system_clock
from flows.commands.answers import Answer
from flows.commands.looking import look
from flows.commands.night_log import no_such_night
from flows.installation import all_organisations, open_installation, open_workplace
from flows.opening import parse_night
from flows.stories import raised_alarms, read_story
from flows.workplace import Workplace

NIGHTS_OF_ONE = 14
NIGHTS_OF_MANY = 5
"""How many nights are listed of one organisation, and of each of many."""


def tell_status(settings: Settings, name: str, *, clock: Clock) -> Answer:
    """Return how the last nights went, of the organisation called `name` or (for no name) of all.

    Raises UsageError where there is no such organisation.
    """
    now = clock.now()
    due = current_night(now)
    if name:
        statuses = [_status(open_workplace(settings, name), now, NIGHTS_OF_ONE)]
        broken: Sequence[BrokenOrganisation] = ()
    else:
        found = all_organisations(settings)
        broken = found.broken
        with ThreadPoolExecutor(settings.nightly.concurrency) as pool:
            statuses = list(pool.map(lambda one: _status_of_many(settings, one, now), found.organisations))
    statuses += [_broken_status(one) for one in broken]
    return Answer(
        text="\n\n".join(map(render_status, statuses)) or f"there is no organisation in {settings.organisations}",
        document={"due": due.isoformat(), "organisations": [status.payload() for status in statuses]},
        exit_code=UsageError.exit_code if broken else 0,
    )


def tell_report(settings: Settings, name: str, *, night: date | None, clock: Clock) -> Answer:
    """Return the report of a night, by default of the newest that ran; raises UsageError for one that did not."""
    story = story_of(settings, name, night=night, clock=clock)
    if story is None:
        return Answer(text=f"# {one_line(name)}: no night has run yet", document={})
    return Answer(text=render_report(story), document=story.payload())


def story_of(settings: Settings, name: str, *, night: date | None, clock: Clock) -> Story | None:
    """Return what there is to tell of a night, by default the newest that ran; None where none has.

    Raises UsageError for one that did not run.
    """
    workplace = open_workplace(settings, name)
    seen = look(workplace, today=current_night(clock.now()))
    attempts = all_attempts(workplace.home)
    known = sorted({*attempts, *(record.night for record in seen.records)})
    chosen = night or (known[-1] if known else None)
    if chosen is None:
        return None
    if chosen not in known:
        raise no_such_night(name, chosen, known)
    remarks = (*seen.remarks, *map(str, seen.troubles))
    if seen.mirror is None:
        return Story(
            organisation=name,
            night=chosen,
            attempts=attempts.get(chosen, ()),
            remarks=remarks,
            branch=workplace.organisation.memory.branch,
            limits=workplace.loss_limits(),
        )
    return read_story(workplace, seen.mirror, chosen, head=seen.landed, remarks=remarks)


def status_command(name: str) -> Answer:
    """Return the answer of `dream status`."""
    return tell_status(open_installation(), name, clock=system_clock())


def report_command(name: str, *, night: str) -> Answer:
    """Return the answer of `dream report`."""
    return tell_report(open_installation(), name, night=parse_night(night), clock=system_clock())


def _status(workplace: Workplace, now: datetime, shown: int) -> Status:
    due = current_night(now)
    seen = look(workplace, today=due)
    brakes = held_back(workplace, seen.records, seen.tombstones, now=now)
    alarms = raised_alarms(workplace, seen.records, now=now)
    return status_of(
        workplace.name,
        due=due,
        records=seen.records,
        attempts=all_attempts(workplace.home),
        pending=seen.pending,
        troubles=(*seen.troubles, *brakes.needs),
        unset=_unset(workplace.organisation),
        degraded=[one for one in alarms if not (brakes.is_paused and one.kind == NOT_LANDED)],
        remarks=seen.remarks,
        pauses=brakes.pauses,
        shadow=workplace.organisation.shadow,
        limits=workplace.loss_limits(),
        shown=shown,
    )


def _unset(organisation: Organisation) -> dict[str, Need]:
    """Return what each system needs whose credential is missing."""
    needs = {}
    for system in organisation.production:
        try:
            resolve_credential(system.credential, organisation=organisation.organisation)
        except UsageError as error:
            why = f"system {system.name} is not asked, and what it could bear out stays unverified: {error}"
            needs[system.name] = Need(wanted="a person", why=why, way_out=error.way_out)
    return needs


def _status_of_many(settings: Settings, organisation: Organisation, now: datetime) -> Status:
    """Return the status of one of many; whatever goes wrong with it is told in its place and stops no other."""
    try:
        return _status(Workplace(organisation=organisation, settings=settings), now, NIGHTS_OF_MANY)
    except Exception as error:  # noqa: BLE001  # this is the boundary of one organisation
        name = organisation.organisation
        need = Need(
            wanted="a person",
            why=f"its status cannot be told: {type(error).__name__}: {error}",
            way_out=f"see more with: dream status {name}",
        )
        return Status(organisation=name, needs=(need,))


def _broken_status(broken: BrokenOrganisation) -> Status:
    return Status(organisation=broken.name, needs=(need_after(broken.error),))
