"""What people taught: what they said again and again about how work is to be done, as skill files for agents.

Stretches that people typed are observed session by session and remembered until they are used. A candidate is written
only if each of its lines was typed in several sessions, every time passes every gate by itself, and an independent
reviewer approves. A session is done when it has been observed; a candidate that got no answer waits, its words with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import accumulate
from zoneinfo import ZoneInfo

from dream.guards.statements.gates import Gates
from dream.memory.outcomes import Item, Plan
from dream.memory.tree import Tree
from dream.models.port import Model, Unanswered
from dream.sources.sessions.values import Session
from prompts.loading import MOST_CHARACTERS
from tasks.candidates import told
from tasks.conversation import Screen
from tasks.observations import (
    TASK,
    Observation,
    Spent,
    observation_item,
    read_observations,
    unspent,
    with_words,
)
from tasks.observing import OBSERVED, Heard, observe
from tasks.subjects import Subject
from tasks.teaching import LearningsLimits, Past, Teaching, went_unanswered
from tasks.unanswered import blamed_on_whom, waits_for

NO_REVIEWER = "no reviewer other than the dreamer is configured"
NOTHING_TYPED = "nothing-typed"
NOTHING_TO_SAY = "nothing-to-say"
_LONGEST_ID = len("o9999 \n")


def propose(
    *,
    tree: Tree,
    sessions: Sequence[Session],
    past: Past,
    night: date,
    since: datetime,
    timezone: ZoneInfo,
    dreamer: Model,
    reviewer: Model,
    gates: Callable[[Subject], Gates],
    unfit: Callable[[], str],
    screen: Screen,
    people: Collection[str] = (),
    limits: LearningsLimits | None = None,
) -> Plan:
    """Return an item for each of `sessions` that is not done with its digest, and one for each candidate.

    Only what was typed from `since` on is observed, and of `people`, where they are named, nobody else's words count.
    `gates` are those of one session and admit people's words alone; `unfit` says why tonight's judge is not to be
    believed, and is asked only where there is a candidate.
    """
    if reviewer.name == dreamer.name:
        return Plan(skipped=NO_REVIEWER)
    known = limits or LearningsLimits()
    words_of = frozenset(people)
    heard = {
        one.source: Heard(session=one, since=since, people=words_of, timezone=timezone, limits=known.observing)
        for one in sessions
    }
    observing = _Observing(past, night=night, dreamer=dreamer, screen=screen)
    waiting = [one for one in sessions if past.done.get(one.source) != one.digest]
    items = [observing.item(heard[one.source]) for one in waiting]
    asks = not observing.is_mute and (bool(waiting) or went_unanswered(past.records))
    live = observing.live(days=known.observation_days, people=words_of)[-known.shown :] if asks else ()
    readable = with_words(live, sessions, past.words)
    teaching = Teaching(
        tree,
        _shown(readable),
        past,
        night=night,
        heard=heard,
        dreamer=dreamer,
        reviewer=reviewer,
        gates=gates,
        limits=known,
    )
    if observing.is_mute:
        items = [replace(item, reason=blamed_on_whom(item.reason)) for item in items]
    if asks:
        items += teaching.items(unfit)
    return Plan(
        items=tuple(items),
        findings=(
            *_account("stretch", "stretches", "marked", observing.ends),
            *_account("candidate", "candidates", "proposed", teaching.ends),
            *teaching.told,
            *observing.cut,
            *_unread(len(live) - len(readable)),
        ),
        declined=tuple(teaching.declined),
        observed=tuple(map(observation_item, observing.fresh)),
    )


class _Observing:
    """The observing of one night: what is remembered already, what is `fresh`, and how each marked stretch ended."""

    def __init__(self, past: Past, *, night: date, dreamer: Model, screen: Screen) -> None:
        self._night = night
        self._dreamer = dreamer
        self._screen = screen
        self._spent = Spent(past.records, past.tombstones)
        self._known = read_observations(past.observations)
        self._answered = 0
        self._unanswered = 0
        self.ends: Counter[str] = Counter()
        self.fresh: list[Observation] = []
        self.cut: list[str] = []

    @property
    def is_mute(self) -> bool:
        """Whether the dreamer answered on none of several sessions, so that none of them is the cause."""
        return self._unanswered > 1 and not self._answered

    def item(self, heard: Heard) -> Item:
        """Return what becomes of a session, whose observations are `fresh` from now on."""
        excerpts, most = len(heard.excerpts(self._screen)), heard.limits.excerpts
        if not excerpts:
            return _session_item(heard.session, NOTHING_TYPED)
        if excerpts > most:
            self.cut.append(f"{heard.session.source}: the last {most} of {excerpts} excerpts were looked at")
        found = observe(
            heard,
            dreamer=self._dreamer,
            screen=self._screen,
            night=self._night,
            known=[*self._known, *self.fresh],
            spent=self._spent,
        )
        if isinstance(found, Unanswered):
            self._unanswered += 1
            return _session_item(heard.session, waits_for("model", found.reason.value), pending=True)
        self._answered += 1
        self.ends.update(found.ends)
        self.fresh += found.observations
        return _session_item(heard.session, OBSERVED if found.observations else NOTHING_TO_SAY)

    def live(self, *, days: int, people: frozenset[str]) -> tuple[Observation, ...]:
        """Return every observation that may be used tonight, of `people` alone where they are named, oldest first."""
        live = unspent([*self._known, *self.fresh], spent=self._spent, night=self._night, days=days)
        named = (one for one in live if not people or one.person in people)
        return tuple(sorted(named, key=lambda one: (one.at, one.mark)))


def _shown(readable: Sequence[Observation]) -> dict[str, Observation]:
    """Return the newest observations, oldest first, by the ids under which a model is shown them.

    They are as many as a question shows whole: what is cut off of one is the end, where the newest stand.
    """
    newest = readable[::-1]
    lengths = accumulate(len(told(one)) + _LONGEST_ID for one in newest)
    held = [one for one, length in zip(newest, lengths, strict=True) if length <= MOST_CHARACTERS][::-1]
    return {f"o{number}": one for number, one in enumerate(held, 1)}


def _unread(count: int) -> tuple[str, ...]:
    noun = "observation" if count == 1 else "observations"
    return (f"{TASK}: {count} {noun} could not be read: neither tonight nor in the history",) if count else ()


def _session_item(session: Session, reason: str, *, pending: bool = False) -> Item:
    return Item(id=session.source, digest=session.digest, last=session.ended, reason=reason, pending=pending)


def _account(one: str, many: str, verb: str, ends: Counter[str]) -> tuple[str, ...]:
    count = ends.total()
    if not count:
        return ()
    ordered = sorted(ends.items(), key=lambda end: (-end[1], end[0]))
    listed = ", ".join(f"{number} {end}" for end, number in ordered)
    return (f"{TASK}: {count} {one if count == 1 else many} {verb}: {listed}",)
