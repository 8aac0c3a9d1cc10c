"""Landing what was prepared: plant, push, and plant again for as long as the branch moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Generic, Protocol, TypeVar

import structlog

from dream.errors import RemoteError, TransientError
from dream.memory.records import NightRecord
from dream.night.survey import Survey
from dream.repository.landing import Landed, Landing, Moved, NoAnswer, Rejected

log = structlog.get_logger()


class Prepared(Protocol):
    """Commits that are ready to be pushed; `tip` is the last of them."""

    @property
    def tip(self) -> str:
        """The commit that the branch is to stand on."""
        ...


Ready = TypeVar("Ready", bound=Prepared)


@dataclass(frozen=True, slots=True, kw_only=True)
class Published(Generic[Ready]):
    """What was prepared, or what was left of it, is on the branch, or would be if this were no dry run."""

    planted: Ready
    tries: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Superseded:
    """Another run has landed this night, or a later one; this run lands nothing and that is all right."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """For how long to try, in seconds, and how the waits between tries grow; `clock` is monotonic."""

    seconds: float
    clock: Callable[[], float]
    sleep: Callable[[float], None]
    jitter: Callable[[float], float]
    shortest: float = 0.05
    longest: float = 5.0


def superseded(survey: Survey, night: date, *, landings: int) -> str:
    """Return why a run that saw `landings` landings of `night` must not land on `survey`; empty where it may."""
    if survey.newest is not None and survey.newest > night:
        return f"the night of {survey.newest.isoformat()} has landed"
    record = survey.record(night)
    if record is not None and record.landings > landings:
        return "another run has landed this night meanwhile"
    return ""


def remaining_tasks(record: NightRecord | None, names: Sequence[str], *, redo: Sequence[str]) -> tuple[str, ...]:
    """Return which of `names` this night has still to do: what never ran or failed, and what is to be done again."""
    return tuple(name for name in names if record is None or not record.landed(name) or name in redo)


def land_prepared(
    *,
    head: Callable[[], Survey],
    plant: Callable[[Survey], Ready],
    stop: Callable[[Survey], str],
    landing: Landing,
    patience: Patience,
) -> Published[Ready] | Superseded:
    """Plant on the newest head and push, again for every time that the branch moved.

    `stop` says why nothing more is to be landed on a head; what it says comes back as superseded.

    Raises:
        RemoteError: the remote refused (its own words are in the message), or gave no answer.
        TransientError: the branch kept moving until patience ran out.
    """
    deadline = patience.clock() + patience.seconds
    tries = 0
    planted: Ready | None = None
    while True:
        survey = head()
        if planted is not None and survey.landed == planted.tip:
            return Published(planted=planted, tries=tries)
        reason = stop(survey)
        if reason:
            return Superseded(reason=reason)
        planted = plant(survey)
        tries += 1
        result = landing.land(planted.tip, survey.head or None)
        match result:
            case Landed():
                return Published(planted=planted, tries=tries)
            case Moved():
                log.info("branch.moved", tries=tries)
            case Rejected(message=message):
                text = f"the remote refused the night: {message}"
                raise RemoteError(text, way_out="see the remote's hook; nothing has landed, the same command lands it")
            case NoAnswer(message=message):
                log.info("push.unanswered", tries=tries)
                last = message
        if patience.clock() >= deadline:
            text = f"nothing landed in {patience.seconds:.0f} s and {tries} tries: "
            text += "the branch kept moving" if isinstance(result, Moved) else last
            raise TransientError(text, way_out="nothing is lost; run the same command again")
        patience.sleep(patience.jitter(min(patience.longest, patience.shortest * 2 ** min(tries, 10))))
