"""Utterances for tests: one thread, numbered, a minute apart."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from dream.guards.statements.utterances import Record, Speaker, Utterance

DAY = date(2026, 10, 21)
STARTED = datetime(2026, 10, 21, 9, 0, tzinfo=UTC)
RECORD = Record(day=DAY, repository="acme/web", branch="main")
SPEAKERS = {speaker.value: speaker for speaker in Speaker}


def thread(*turns: tuple[str, str], author: str = "ana", source: str = "thread_7c2e") -> tuple[Utterance, ...]:
    """Return turns `(speaker, text)` as utterances m1, m2, …; people are `author`, or who follows a colon."""
    return tuple(_utterance(number, who, text, author, source) for number, (who, text) in enumerate(turns, 1))


def _utterance(number: int, who: str, text: str, author: str, source: str) -> Utterance:
    kind, _, name = who.partition(":")
    speaker = SPEAKERS[kind]
    return Utterance(
        id=f"m{number}",
        source=source,
        speaker=speaker,
        text=text,
        at=STARTED + timedelta(minutes=number),
        author=(name or author) if speaker is Speaker.PERSON else "",
        tool="Bash: make test" if speaker is Speaker.TOOL else "",
    )
