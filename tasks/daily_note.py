"""The day's note: what happened, by resource, each line with its source.

One entry for each thread and each closed pull request, and the statements of ready summaries as they are. A note gets
at most 40 entries from the night: beyond, the threads with least activity, then summaries, then pull requests are told
as one counted line for each repository, which still names its sources. Lines of others are never touched; one of ours
that somebody reworded is theirs from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from operator import attrgetter
from zoneinfo import ZoneInfo

from dream.guards.addressing import speaks_to_reader
from dream.memory.notes import NoteCache
from dream.memory.outcomes import Item, Plan
from dream.memory.tree import Tree
from dream.sources.pull_requests.values import Classification, Fate, PullRequest
from dream.sources.sessions.values import Session, Summary
from tasks.daily_page import MOST_ENTRIES, Page, Told
from tasks.daily_threads import Retold, ThreadDay, is_thread_statement, retold_statement, thread_days, thread_statement
from tasks.lessons.noting import noted
from tasks.titles import passed, passes, plain, statements_of, title_of, unquoted

LONGEST_STATEMENT = 900
LONGEST_RESOURCE = 100

_ENDED = {
    Fate.MERGED_UNTOUCHED: "was merged as the agent left it",
    Fate.MERGED_EDITED: "was merged after people's edits",
    Fate.CLOSED_BY_PERSON: "was closed by a person without a merge",
    Fate.CLOSED_BY_SYSTEM: "was closed by a system without a merge",
    Fate.UNKNOWN: "ended, and the record does not say how",
}


def propose(
    *,
    tree: Tree,
    notes: NoteCache,
    sessions: Sequence[Session],
    summaries: Sequence[Summary],
    pull_requests: Sequence[PullRequest],
    classify: Callable[[PullRequest], Classification],
    days: Sequence[date],
    timezone: ZoneInfo,
    done: Mapping[str, str],
    screen: Callable[[str], str],
    most: int = MOST_ENTRIES,
    tell: Callable[[ThreadDay], Retold | None] | None = None,
    written: Collection[str] = (),
    taught: Callable[[PullRequest], Retold | None] | None = None,
) -> Plan:
    """Return what the notes of the finished local `days` are to say beyond what they say already.

    `done` maps inputs to the digest under which they landed: an equal one is no input, another one revises the thread's
    line. `screen` is given every text of others on one line and returns what of it may be shown, which begins with
    `[withheld` where nothing may. `tell` says of the most active threads what is worth telling; one on which it has
    nothing to say, and every one without it, is told by code alone. `written` are the keys of lines that nights wrote:
    a thread's line of these is revised when the thread grew. `taught` says of a pull request what people did with it
    that may become a lesson, which is an input and a line of its own.
    """
    known = {pull_request.source: pull_request for pull_request in pull_requests}
    several = (sessions, summaries, pull_requests)
    resources = _Resources((one.repository for inputs in several for one in inputs), screen)
    told: list[Told] = []
    items: list[Item] = []
    threads: list[ThreadDay] = []
    for session in sessions:
        for thread in thread_days(session, days=days, timezone=timezone):
            if done.get(thread.id) == thread.digest:
                continue
            if thread.silence:
                items.append(Item(id=thread.id, digest=thread.digest, last=thread.last, reason=thread.silence))
            else:
                threads.append(thread)
    retold = _retold(threads, tell, screen, most=most) if tell else {}
    for thread in threads:
        line = _thread(thread, known, resources, screen)
        found = retold.get(thread.id)
        if found:
            text = retold_statement(thread, found.text, pull_requests=known, screen=screen)
            line = _with_retold(line, thread, found, text=text, screen=screen, written=written)
        told.append(line)
    told += _fresh(_summaries(summaries, resources, timezone, screen), days, done)
    told += _fresh(_closed(pull_requests, classify, timezone, screen), days, done)
    if taught:
        told += noted(pull_requests, taught, days=days, timezone=timezone, screen=screen, done=done)
    for day in sorted(set(days)):
        lines = sorted((one for one in told if one.day == day), key=attrgetter("order"))
        if lines:
            page = Page.of(tree, notes, day=day)
            items += page.items(lines, known=done, most=most)
    return Plan(items=tuple(items))


def _fresh(told: Iterator[Told], days: Sequence[date], done: Mapping[str, str]) -> list[Told]:
    return [one for one in told if one.day in days and done.get(one.id) != one.digest]


class _Resources:
    """What things are told under: the repository that they name, by its full name where that is known tonight.

    Most transcripts name no more than a folder, `web`; it stands for `acme/web` where just one repository of that name
    is spoken of. It is one word, so that no folder's name is a sentence.
    """

    def __init__(self, repositories: Iterable[str], screen: Callable[[str], str]) -> None:
        self._screen = screen
        self._full: dict[str, set[str]] = {}
        for repository in repositories:
            if "/" in repository:
                self._full.setdefault(repository.rpartition("/")[2].casefold(), set()).add(repository)

    def of(self, repository: str) -> str:
        full = self._full.get(repository.casefold(), set())
        name = next(iter(full)) if len(full) == 1 else repository
        return "-".join(plain(name, longest=LONGEST_RESOURCE).split()) if passes(name, screen=self._screen) else ""


def _thread(
    thread: ThreadDay, known: Mapping[str, PullRequest], resources: _Resources, screen: Callable[[str], str]
) -> Told:
    return Told(
        id=thread.id,
        digest=thread.digest,
        day=thread.day,
        first=thread.first,
        last=thread.last,
        resource=resources.of(thread.session.repository),
        source=thread.session.source,
        statements=(thread_statement(thread, pull_requests=known, screen=screen),),
        is_ours=lambda key: is_thread_statement(key, thread, screen=screen),
        noun="thread",
        activity=(0, _activity(thread)),
    )


def _activity(thread: ThreadDay) -> int:
    return len(thread.by_people) + len(thread.by_agent) + len(thread.session.files)


def _retold(
    threads: Sequence[ThreadDay],
    tell: Callable[[ThreadDay], Retold | None],
    screen: Callable[[str], str],
    *,
    most: int,
) -> dict[str, Retold]:
    """What is told of the most active threads of each day: of those that may get a line of their own."""
    by_day: dict[date, list[ThreadDay]] = {}
    for thread in sorted(threads, key=lambda thread: (_activity(thread), thread.id), reverse=True):
        by_day.setdefault(thread.day, []).append(thread)
    retold: dict[str, Retold] = {}
    for thread in (thread for day in sorted(by_day) for thread in by_day[day][:most]):
        found = tell(thread)
        if found and passes(found.text, screen=screen) and not speaks_to_reader(found.text):
            retold[thread.id] = Retold(text=plain(found.text, longest=LONGEST_STATEMENT), tentative=found.tentative)
    return retold


def _with_retold(
    line: Told, thread: ThreadDay, found: Retold, *, text: str, screen: Callable[[str], str], written: Collection[str]
) -> Told:
    """Return `line` with what was worded; it is ours also where it reads as a night left it."""
    return replace(
        line,
        statements=(text,),
        tentative=found.tentative,
        is_ours=lambda key: key in written or is_thread_statement(key, thread, screen=screen),
    )


def _summaries(
    summaries: Sequence[Summary], resources: _Resources, timezone: ZoneInfo, screen: Callable[[str], str]
) -> Iterator[Told]:
    """A ready summary is one input of the day that it ended on, whatever the number of its statements.

    Nothing tells its lines from an agent's own, so that none is ever revised: what a grown summary says newly is added.
    Where one tells its reader what to do, all are told as what the summary says: nobody knows who said it first.
    """
    for summary in summaries:
        day = summary.ended.astimezone(timezone).date()
        parts = [*statements_of(summary.lasting), *(f"For now: {text}" for text in statements_of(summary.stale))]
        is_plain = not any(map(speaks_to_reader, parts))
        statements = tuple(_told(text, screen=screen, is_plain=is_plain) for text in parts)
        yield Told(
            id=f"{summary.source}/{day.isoformat()}/summary",
            digest=summary.digest,
            day=day,
            first=summary.started,
            last=summary.ended,
            resource=resources.of(summary.repository),
            source=summary.source,
            statements=tuple(dict.fromkeys(filter(None, statements))),
            is_ours=None,
            noun="thread",
            activity=(1, len(statements)),
        )


def _told(text: str, *, screen: Callable[[str], str], is_plain: bool) -> str:
    """Return a statement of a summary; unless `is_plain`, as what the summary says."""
    statement = passed(text, screen=screen, longest=LONGEST_STATEMENT)
    if is_plain or not passes(text, screen=screen):
        return statement
    return f'the summary says "{unquoted(statement).rstrip(".")}"' if statement else ""


def _closed(
    pull_requests: Sequence[PullRequest],
    classify: Callable[[PullRequest], Classification],
    timezone: ZoneInfo,
    screen: Callable[[str], str],
) -> Iterator[Told]:
    for pull_request in pull_requests:
        ended = pull_request.settled_at
        fate = classify(pull_request).fate
        if ended is None or fate is Fate.OPEN:
            continue
        opening = f'{pull_request.source} "{title_of(pull_request.title, screen=screen)}" '
        yield Told(
            id=pull_request.source,
            digest=pull_request.digest,
            day=ended.astimezone(timezone).date(),
            first=ended,
            last=ended,
            resource=plain(pull_request.repository, longest=LONGEST_RESOURCE),
            source=pull_request.source,
            statements=(opening + _ENDED[fate],),
            is_ours=_ours_about(opening),
            noun="pull request",
            activity=(2, pull_request.number),
        )


def _ours_about(opening: str) -> Callable[[str], bool]:
    endings = frozenset(_ENDED.values())
    return lambda key: key.startswith(opening) and key[len(opening) :].rstrip(".") in endings
