"""What there is to be distilled: sessions and ready summaries, each with its evidence and what its record says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from dream.guards.statements.utterances import Record, Speaker, Utterance
from dream.sources.sessions.values import Session, Summary
from tasks.conversation import utterances_of, utterances_of_summary

_SPOKEN = frozenset({Speaker.PERSON, Speaker.TOOL})


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One input: how it is cited, its digest and last instant, everything in it that could be evidence, its record.

    What rests on a ready summary `is_hearsay`: somebody has worded it already, and nobody's own words are left.
    """

    source: str
    digest: str
    last: datetime
    utterances: tuple[Utterance, ...]
    record: Record
    is_hearsay: bool = False

    @property
    def is_silent(self) -> bool:
        """Whether nothing in it could carry a statement."""
        return not any(one.speaker in _SPOKEN and one.text.strip() for one in self.utterances)


def subject_of(session: Session, *, timezone: ZoneInfo) -> Subject:
    """Return the whole of `session` as a subject."""
    record = Record(
        day=session.ended.astimezone(timezone).date(),
        resource=session.repository,
        repository=session.repository,
        branch=session.branch,
        pull_requests=session.pull_requests,
        files=session.files,
        zone=timezone,
    )
    return Subject(
        source=session.source,
        digest=session.digest,
        last=session.ended,
        utterances=utterances_of(session),
        record=record,
    )


def subjects_of(sessions: Iterable[Session], summaries: Iterable[Summary], *, timezone: ZoneInfo) -> Sequence[Subject]:
    """Return all subjects, the one that ended first first, so that what was said last stands.

    A session that is there itself speaks for itself, and its ready summary is left out.
    """
    subjects = [subject_of(session, timezone=timezone) for session in sessions]
    there = {subject.source for subject in subjects}
    for summary in summaries:
        if summary.source in there:
            continue
        record = Record(
            day=summary.ended.astimezone(timezone).date(),
            resource=summary.repository,
            repository=summary.repository,
            pull_requests=summary.pull_requests,
            zone=timezone,
        )
        subjects.append(
            Subject(
                source=summary.source,
                digest=summary.digest,
                last=summary.ended,
                utterances=utterances_of_summary(summary),
                record=record,
                is_hearsay=True,
            )
        )
    return sorted(subjects, key=lambda subject: (subject.last, subject.source))
