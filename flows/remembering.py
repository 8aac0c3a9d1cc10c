"""What a night keeps of the sessions that it has read, beside the memory and never in it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256

import structlog

from dream.errors import DreamError
from dream.history.citing import cited_threads
from dream.history.limits import HistoryLimits
from dream.history.store import Describe, HistoryStore, nobody_says
from dream.history.values import Kept
from dream.memory.tree import Tree
from dream.object_store import StoreDownError
from dream.sources.sessions.condensing import CondensingLimits, condense, whole
from dream.sources.sessions.values import Message, Role, Session, Summary
from flows.day import Day
from flows.workplace import Workplace
from tasks.titles import statements_of

log = structlog.get_logger()

SUMMARY = "summary"
"""What the history calls the tool of a ready summary."""

_PATIENCE = 3
"""After how many sessions in a row that could not be kept no other is tried tonight."""


def open_history(workplace: Workplace) -> HistoryStore:
    """Return the history of an organisation; nothing is opened yet."""
    limits = HistoryLimits(**workplace.organisation.limits.history.model_dump())
    return HistoryStore(workplace.store, organisation=workplace.name, limits=limits)


def remember_day(
    workplace: Workplace,
    day: Day,
    *,
    night: date,
    memory: Callable[[], Tree],
    describe: Describe = nobody_says,
) -> tuple[str, ...]:
    """Keep what `day` told in the organisation's history, and return what a person should be told of that.

    `describe` says in a sentence what got done in a session, "" where it does not know; `memory` is what entries cite
    their sources in. Nothing raises: the night has ended, and what is not kept now is read and kept by the next one.
    """
    history = open_history(workplace)
    try:
        history.connect()
        limits = CondensingLimits(**workplace.organisation.limits.condensing.model_dump())
        findings = [
            *_keep_all(history, day, limits=limits, describe=describe),
            *_tend(history, day, night, workplace, memory),
        ]
    except Exception as error:  # noqa: BLE001  # the night has ended, and no defect here may call that in question
        why = str(error) if isinstance(error, DreamError) else f"a defect: {type(error).__name__}"
        findings = [f"the history was not kept: {why}; the next night keeps these sessions as well"]
        log.warning("history.not_kept", error=type(error).__name__)
    return (*findings, *(f"of the history passed over: {damage}" for damage in history.damages))


def session_of(summary: Summary) -> Session:
    """Return a ready summary as the session it is kept as: its statements, each with the id that a quote of it has."""
    statements = [*statements_of(summary.lasting), *statements_of(summary.stale)]
    told = [*((summary.started, statement) for statement in statements), (summary.ended, summary.title)]
    return Session(
        id=summary.id,
        tool=SUMMARY,
        messages=tuple(
            Message(id=f"m{number}", at=at, role=Role.TOOL, text=text, tool="ready summary")
            for number, (at, text) in enumerate(told, 1)
        ),
        digest=sha256(repr(summary).encode("utf-8", "backslashreplace")).hexdigest(),
        title=summary.title,
        repository=summary.repository,
        pull_requests=summary.pull_requests,
        short=summary.source.removeprefix("thread_"),
    )


def _keep_all(history: HistoryStore, day: Day, *, limits: CondensingLimits, describe: Describe) -> Iterator[str]:
    """Keep every session, one at a time, and yield why any could not be; raises StoreDownError for a store in ruins."""
    told = [(session_of(summary), summary) for summary in day.summaries]
    history.expect([*day.sessions, *(session for session, _ in told)])
    counts = dict.fromkeys(Kept, 0)
    missed = in_a_row = 0
    for keep in (
        *(_keeping(history, session, limits, describe) for session in day.sessions),
        *(_keeping_summary(history, session, summary) for session, summary in told),
    ):
        try:
            counts[keep()] += 1
            in_a_row = 0
        except StoreDownError:
            missed, in_a_row = missed + 1, in_a_row + 1
            if in_a_row == _PATIENCE:
                raise
        except Exception as error:  # noqa: BLE001  # one session that nobody can keep takes no other with it
            log.error("session.not_kept", error=type(error).__name__)  # noqa: TRY400  # its text may quote a person
            yield f"a session was not kept in the history, by a defect: {type(error).__name__}"
    log.info("history.kept", **{kind.value: count for kind, count in counts.items()})
    if missed:
        yield f"{missed} sessions were not kept in the history; the next night keeps them"


def _keeping(
    history: HistoryStore, session: Session, limits: CondensingLimits, describe: Describe
) -> Callable[[], Kept]:
    return lambda: history.keep(session, condense=lambda one: condense(one, limits=limits).text, describe=describe)


def _keeping_summary(history: HistoryStore, session: Session, summary: Summary) -> Callable[[], Kept]:
    people = (summary.person,) if summary.person else ()
    return lambda: history.keep(
        session, condense=lambda one: whole(one).text, describe=lambda _: summary.title, people=people
    )


def _tend(
    history: HistoryStore, day: Day, night: date, workplace: Workplace, memory: Callable[[], Tree]
) -> Iterator[str]:
    """Take up what became of pull requests, and let go of what is old and cited by nothing."""
    before = datetime.combine(night, time(), tzinfo=UTC) - timedelta(days=workplace.organisation.limits.history.days)
    named = {name for session in day.sessions for name in session.pull_requests}
    named |= {name for summary in day.summaries for name in summary.pull_requests}
    history.refresh({one.source: one.state for one in day.pull_requests}, named=named, on=night, before=before.date())
    try:
        history.forget(before, cited=lambda: _cited(memory))
    except _UnknownCitationsError as error:
        yield f"nothing old was taken out of the history: {error}"


class _UnknownCitationsError(Exception):
    """What the memory rests on cannot be told."""


def _cited(memory: Callable[[], Tree]) -> Collection[str]:
    try:
        tree = memory()
    except DreamError as error:
        raise _UnknownCitationsError(str(error)) from error
    if not tree.paths():
        message = "the memory is empty, and so tells nothing of what it rests on"
        raise _UnknownCitationsError(message)
    return cited_threads(tree)
