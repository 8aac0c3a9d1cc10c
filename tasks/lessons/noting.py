"""What the day's note tells of what people did with agents' pull requests: one line for each that may teach."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from zoneinfo import ZoneInfo

from dream.sources.pull_requests.values import PullRequest
from tasks.daily_page import Told
from tasks.daily_threads import Retold
from tasks.lessons.candidates import Candidate, lessons_id
from tasks.lessons.finding import Waits
from tasks.titles import passes, plain

_LONGEST = 600
_LONGEST_RESOURCE = 100


def told_of(
    pull_request: PullRequest,
    *,
    find: Callable[[PullRequest], tuple[Candidate, ...] | Waits],
    is_repeated: Callable[[Candidate], bool],
) -> Retold | None:
    """Return what a pull request teaches, in one line; tentative while no other has taught it. None where nothing."""
    found = find(pull_request)
    if isinstance(found, Waits) or not found:
        return None
    first = next((one for one in found if is_repeated(one)), found[0])
    more = f", and {len(found) - 1} more of this kind" if len(found) > 1 else ""
    return Retold(text=f"{first.statement}{more}", tentative=not is_repeated(first))


def noted(
    pull_requests: Sequence[PullRequest],
    taught: Callable[[PullRequest], Retold | None],
    *,
    days: Sequence[date],
    timezone: ZoneInfo,
    screen: Callable[[str], str],
    done: Mapping[str, str],
) -> Iterator[Told]:
    """Yield a line for each pull request that ended on `days`, is not `done` and teaches something.

    It is told once: as more is said of a pull request that has ended, its line stays as it is.
    """
    for one in sorted(pull_requests, key=lambda one: (str(one.settled_at), one.source)):
        name, ended = lessons_id(one), one.settled_at
        if ended is None or name in done or ended.astimezone(timezone).date() not in days:
            continue
        found = taught(one)
        if found is None or not passes(found.text, screen=screen):
            continue
        opening = f"{one.source}: "
        yield Told(
            id=name,
            digest=one.digest,
            day=ended.astimezone(timezone).date(),
            first=ended,
            last=ended,
            resource=plain(one.repository, longest=_LONGEST_RESOURCE),
            source=one.source,
            statements=(opening + plain(found.text, longest=_LONGEST),),
            is_ours=_begins_with(opening),
            noun="pull request",
            activity=(2, one.number),
            tentative=found.tentative,
        )


def _begins_with(opening: str) -> Callable[[str], bool]:
    return lambda key: key.startswith(opening)
