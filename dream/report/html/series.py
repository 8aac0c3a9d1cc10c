"""Figures over nights: what was spent, what was looked at, how much there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from dream.memory.allowance import VERIFICATION
from dream.memory.records import NightRecord
from dream.report.spend import night_spend
from dream.report.story import Story

NIGHTS = 60
"""How many nights a chart goes back."""

COVERED_NIGHTS = 30
"""A note counts as looked at if it was in so many nights."""


@dataclass(frozen=True, slots=True)
class Point:
    """A value of one night, and how it is written out."""

    night: date
    value: float
    shown: str


def tokens_over(story: Story) -> list[Point]:
    """Return the tokens of each night, with what is known of their price."""
    spent = [(record.night, night_spend(record)) for record in _upto(story)]
    return [Point(night, one.tokens, str(one)) for night, one in spent]


def topics_over(story: Story) -> list[Point]:
    """Return how many topic notes each night began with."""
    sizes = [(record.night, record.loss.topic_notes) for record in _upto(story) if record.loss.topic_notes]
    return [Point(night, count, f"{count:,}") for night, count in sizes]


def statements_over(story: Story) -> list[Point]:
    """Return how many statements each night began with."""
    sizes = [(record.night, record.loss.statement_count) for record in _upto(story) if record.loss.topic_notes]
    return [Point(night, count, f"{count:,}") for night, count in sizes]


def coverage_over(story: Story) -> list[Point]:
    """Return the share of topic notes that verification had looked at in the nights before and up to each, in percent.

    By the records, which know a note by the path of its night: a share above 100 is shown as 100. Of the newest night
    it is what the state says, which follows renames and deletions.
    """
    points = []
    for record in _upto(story):
        if not record.loss.topic_notes:
            continue
        seen = len(_looked_at(story.records, record.night))
        if story.standing and story.standing.checked and record is story.records[-1]:
            seen = story.standing.looked_at(record.night, COVERED_NIGHTS)
            points.append(_share(record.night, seen, len(story.standing.checked)))
        else:
            points.append(_share(record.night, seen, record.loss.topic_notes))
    return points


def _share(night: date, seen: int, notes: int) -> Point:
    share = min(100 * seen / notes, 100)
    return Point(night, share, f"{share:.0f} % ({min(seen, notes):,} of {notes:,} notes)")


def _looked_at(records: Sequence[NightRecord], night: date) -> set[str]:
    first = night - timedelta(days=COVERED_NIGHTS - 1)
    looks = [record.tasks.get(VERIFICATION) for record in records if first <= record.night <= night]
    return {done.id for task in looks if task for done in task.done}


def _upto(story: Story) -> Sequence[NightRecord]:
    return [record for record in story.records if record.night <= story.night][-NIGHTS:]
