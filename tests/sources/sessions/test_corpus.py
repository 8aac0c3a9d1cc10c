"""Facts about real transcripts; the counts are of the data as it was collected."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dream.sources.sessions.findings import findings_of
from dream.sources.sessions.formats.claude_code import read_claude_code
from dream.sources.sessions.formats.registry import SessionFile, formats
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Message, Reading, Role, SessionSource

EVER = datetime(2020, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 12, 1, tzinfo=UTC)
PLAN = "Implement the following plan:\n\n"
INTERRUPTED = "[Request interrupted by user"


@pytest.fixture(scope="session")
def transcripts(shared_data: Path) -> Path:
    return shared_data / "transcripts"


@pytest.fixture(scope="session")
def checkpoints(transcripts: Path) -> list[Path]:
    return sorted(transcripts.glob("PackmindHub__context-evaluator/**/full.jsonl"))


def read(folder: Path, kind: str) -> Reading:
    return read_sessions([SessionSource(kind=kind, path=str(folder))], since=EVER, now=NOW)


def messages_of(path: Path) -> list[Message]:
    with path.open("rb") as handle:
        (part,) = read_claude_code(SessionFile(path=str(path), handle=handle)).parts
    return part.messages


@pytest.mark.parametrize("kind", sorted(formats()))
def test_every_file_is_in_a_session_or_skipped_with_a_reason(transcripts: Path, kind: str) -> None:
    reading = read(transcripts, kind)
    used = {path for session in reading.sessions for path in session.origin_files}
    skipped = {skipped.path for skipped in reading.skipped}
    assert used.isdisjoint(skipped)
    assert used | skipped == {str(path) for path in transcripts.rglob("*") if path.is_file()}
    assert all(skipped.reason for skipped in reading.skipped)
    assert len({session.source for session in reading.sessions}) == len(reading.sessions)


def test_all_formats_over_one_folder_read_each_its_own_and_each_file_is_told_once(transcripts: Path) -> None:
    sources = [SessionSource(kind=kind, path=str(transcripts)) for kind in sorted(formats())]
    reading = read_sessions(sources, since=EVER, now=NOW)
    used = {path for session in reading.sessions for path in session.origin_files}
    skipped = [skipped.path for skipped in reading.skipped]
    files = {str(path) for path in transcripts.rglob("*") if path.is_file()}
    assert (len(skipped), reading.files) == (len(set(skipped)), len(files))
    assert (used.isdisjoint(skipped), used | set(skipped)) == (True, files)
    assert len({session.source for session in reading.sessions}) == len(reading.sessions)
    assert len({session.tool for session in reading.sessions}) >= 16
    assert len(findings_of(reading)) < 30


def test_what_people_typed_is_what_the_record_of_prompts_says(checkpoints: list[Path]) -> None:
    """Beside each transcript stands what was prompted: typed words, accepted plans, and notes of interruptions."""
    assert len(checkpoints) == 23
    for path in checkpoints:
        prompted = (path.parent / "prompt.txt").read_text(encoding="utf-8")
        messages = messages_of(path)
        plans = [message.text for message in messages if message.role is Role.AGENT and message.text.startswith(PLAN)]
        typed = [message.text for message in messages if message.role is Role.PERSON]
        interrupted = [message.text for message in messages if message.text.startswith(INTERRUPTED)]
        # The record ends where its checkpoint was made; the transcript beside it may go on.
        for text in [*plans, *typed, *interrupted]:
            if text.strip() in prompted:
                prompted = prompted.replace(text.strip(), "", 1)
            else:
                assert text not in typed, f"{path}: nobody was recorded to type {text[:60]!r}"
        assert prompted.replace("---", "").strip() == ""


def test_of_624_lines_that_say_user_people_typed_21(checkpoints: list[Path]) -> None:
    said_user = 0
    for path in checkpoints:
        with path.open("rb") as handle:
            said_user += sum(json.loads(line)["type"] == "user" for line in handle)
    typed = [message for path in checkpoints for message in messages_of(path) if message.role is Role.PERSON]
    assert (said_user, len(typed), len({message.id for message in typed})) == (624, 21, 20)


def test_sessions_of_specstory_are_united_and_their_people_told_apart(transcripts: Path) -> None:
    reading = read(transcripts / "specstoryai__getspecstory", "specstory")
    roles = Counter(message.role for session in reading.sessions for message in session.messages)
    assert (reading.files, len(reading.sessions)) == (146, 114)
    assert [skipped.reason for skipped in reading.skipped] == ["no message in it"]
    assert max(len(session.origin_files) for session in reading.sessions) == 3
    assert 450 <= roles[Role.PERSON] <= 490
    people = [
        message.text for session in reading.sessions for message in session.messages if message.role is Role.PERSON
    ]
    posing = ("<command-", "<local-", "<task-", "[Request", "## Context", PLAN)
    assert [text for text in people if text.startswith(posing)] == []


def test_a_session_that_shows_another_transcript_does_not_take_its_user_for_a_person(transcripts: Path) -> None:
    reading = read(transcripts / "specstoryai__getspecstory", "specstory")
    (session,) = [session for session in reading.sessions if session.id.startswith("c2d509ef")]
    shown = "Tell me about what files are here!"
    showing = [message for message in session.messages if f"_**User**_\n\n{shown}" in message.text]
    assert [message.role for message in showing] == [Role.TOOL]
    assert shown not in {message.text.strip() for message in session.messages}


def test_reading_twice_or_the_same_folder_under_two_sources_gives_the_same(transcripts: Path) -> None:
    folder = transcripts / "PackmindHub__context-evaluator"
    source = SessionSource(kind="claude-code", path=str(folder))
    twice = read_sessions([source, source], since=EVER, now=NOW)
    assert twice.sessions == read(folder, "claude-code").sessions
    assert len(twice.sessions) == 22
