"""Whatever records and runs there are, alarms are told, the same ones each time, and each with a command."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import TypeVar

from hypothesis import given
from hypothesis import strategies as st

from dream.memory.records import Change, Effect, Figures, LeftOut, LossRecord, NightRecord, RoleSpend, TaskRecord
from dream.memory.windows import current_night
from dream.report.alarms.limits import AlarmLimits
from dream.report.alarms.raising import alarms_of
from dream.report.attempts import Attempt
from tests.report.records import NIGHT, record

T = TypeVar("T")

TASKS = ("daily_note", "distil", "production_verification", "tidy")
REASONS = ("secret", "undone", "judge-unfit", "deferred-night-notes", "quote-not-found", "", "\u00e9\x00")
WORDS = ("", "- 2026-10-20: Rows stay. [thread_1, 2026-10-20]", "# A", "a.md", "daily/a.md", "\ufeff- x")
COUNTS = (0, 0, 1, 3, 25, 40, 10**9, -1, 10**400, -(10**400))
FINDINGS = ("distil: 30 statements proposed: 29 secret, 1 admitted", "x: 1 statement proposed: ,", "")
OUTCOMES = ("changed", "unchanged", "skipped", "failed")
DAYS = st.integers(-9, 1).map(lambda days: NIGHT + timedelta(days=days)) | st.sampled_from((date(1, 1, 2), date.max))
AT_FIVE = datetime(2026, 10, 22, 5, tzinfo=UTC)
INSTANTS = st.datetimes(timezones=st.just(UTC)) | st.just(AT_FIVE - timedelta(days=1))
MANY = 60


def some(random: Random, values: Sequence[T], most: int = 3) -> tuple[T, ...]:
    """A few of `values`, each as often as chance has it."""
    return tuple(random.choices(values, k=random.randint(0, most)))


def damaged_task(random: Random) -> TaskRecord:
    """What a task came to, or so a record says that anybody may have written."""
    pick = random.choice
    left = (pick(WORDS), pick(REASONS), pick(WORDS))
    spend = RoleSpend(model="m", calls=pick(COUNTS), input=pick(COUNTS), output=pick(COUNTS))
    return TaskRecord(
        outcome=pick(OUTCOMES),
        inputs=pick(COUNTS),
        written=pick(COUNTS),
        pending=pick(COUNTS),
        not_written={reason: pick(COUNTS) for reason in some(random, REASONS)},
        refusals={reason: pick(COUNTS) for reason in some(random, REASONS)},
        left_out=(LeftOut(input=left[0], reason=left[1], operation=left[2]),) * random.randint(0, 30),
        findings=some(random, FINDINGS),
        spend=dict.fromkeys(some(random, ("dreamer", "judge")), spend),
    )


def damaged_effect(random: Random) -> Effect:
    """What an operation did, or so a record says."""
    pick = random.choice
    change = Change(path=pick(WORDS), added=some(random, WORDS), removed=some(random, WORDS))
    return Effect(
        id=pick(WORDS),
        task=pick(TASKS),
        kind="add",
        changes=(change,) * random.randint(0, 2),
        created=some(random, WORDS, 1),
        deleted=dict.fromkeys(some(random, WORDS, 1), ""),
        reverted=pick((False, False, True)),
    )


CHANCE = Random(28)  # noqa: S311 - damaged records, no secrets
TOLD = st.sampled_from([damaged_task(CHANCE) for _ in range(MANY)])
EFFECTS = st.sampled_from([damaged_effect(CHANCE) for _ in range(MANY)])
SIZES = st.sampled_from(COUNTS)
RECORDS = st.builds(
    record,
    st.dictionaries(st.sampled_from(TASKS), TOLD, max_size=2),
    night=DAYS,
    consuming=st.just(TASKS[:2]),
    effects=st.tuples(EFFECTS) | st.just(()),
    loss=st.builds(LossRecord, topic_notes=SIZES, statement_count=SIZES),
    figures=st.none() | st.builds(Figures, unchecked=SIZES),
)
STATUSES = st.sampled_from(("landed", "not-landed", "paused", ""))
RUNS = st.builds(Attempt, at=INSTANTS, status=STATUSES, reason=st.sampled_from(WORDS))
LIMITS = st.builds(AlarmLimits, nights=st.integers(2, 9), refused_least=st.integers(1, 20))


@given(
    records=st.lists(RECORDS, max_size=9),
    attempts=st.dictionaries(DAYS, st.lists(RUNS, max_size=2), max_size=2),
    limits=LIMITS,
    now=st.just(AT_FIVE) | INSTANTS.filter(lambda at: at.year > 1),
    seed=st.randoms(use_true_random=False),
)
def test_whatever_there_is_is_told_alike_and_with_a_command(
    records: Sequence[NightRecord],
    attempts: Mapping[date, Sequence[Attempt]],
    limits: AlarmLimits,
    now: datetime,
    seed: Random,
) -> None:
    by_night = list({one.night: one for one in records}.values())
    told = alarms_of("acme", by_night, attempts, limits=limits, now=now)
    seed.shuffle(by_night)
    assert alarms_of("acme", by_night, attempts, limits=limits, now=now) == told
    for alarm in told:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", alarm.kind)
        assert alarm.way_out.startswith(
            ("dream report acme", "dream log acme", "dream revert acme", "dream run acme", "dream doctor acme")
        )
        assert alarm.since <= current_night(now)
        assert alarm.why
