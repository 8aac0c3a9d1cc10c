"""What becomes of real files of each tool, of several generations and with drifted schemas; counts are of the data."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dream.sources.sessions.formats.registry import HEAD_BYTES, SessionFile, format_of, formats
from dream.sources.sessions.parts import FileReading

FOLDER = "transcripts/jazzyalex__agent-sessions"
AGENTS = "Resources/Fixtures/stage0/agents"
WHERE = {
    "codex": ("Resources/Fixtures/*.jsonl", f"{AGENTS}/codex/*"),
    "copilot": (f"{AGENTS}/copilot/*.jsonl", f"{AGENTS}/copilot/*/*/*"),
    "cursor": (f"{AGENTS}/cursor/*.jsonl", f"{AGENTS}/cursor/subagent/**/*.jsonl", "*/Fixtures/Cursor/*.jsonl"),
    "cursor-store": ("*/Fixtures/Cursor/*.db",),
    "droid": (f"{AGENTS}/droid/*",),
    "gemini": (f"{AGENTS}/gemini/*",),
    "qwen": (f"{AGENTS}/qwen/*",),
}
FILES = {"codex": 10, "copilot": 4, "cursor": 7, "cursor-store": 1, "droid": 6, "gemini": 4, "qwen": 6}
# Three hold no word of anybody, of one the stamps were taken out, and one is a store of which only the head is there.
REFUSED = {
    "codex_050_legacy.jsonl": "no message of Codex in it",
    "codex_051_usage.jsonl": "no message of Codex in it",
    "codex_052_raw.jsonl": "no message of Codex in it",
    "system_telemetry.jsonl": "a message has no instant",
    "test-store.db": "its messages are not in the store",
}
PEOPLE = {"codex": 11, "copilot": 5, "cursor": 10, "droid": 7, "gemini": 5, "qwen": 6}


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> Path:
    return shared_data / FOLDER


def files(folder: Path, kind: str) -> list[Path]:
    return sorted({path for pattern in WHERE[kind] for path in folder.glob(pattern) if path.is_file()})


def read(kind: str, path: Path) -> FileReading:
    with path.open("rb") as handle:
        return formats()[kind].reads(SessionFile(path=str(path), handle=handle))


@pytest.mark.parametrize("kind", WHERE)
def test_every_file_is_parsed_or_refused_with_its_reason(folder: Path, kind: str) -> None:
    found = files(folder, kind)
    assert len(found) == FILES[kind]
    refused = {path.name: reading.refused for path in found if (reading := read(kind, path)).refused}
    assert refused == {path.name: REFUSED[path.name] for path in found if path.name in REFUSED}


@pytest.mark.parametrize("kind", WHERE)
def test_every_file_is_recognised_and_its_session_named_by_its_beginning(folder: Path, kind: str) -> None:
    for path in files(folder, kind):
        head = path.read_bytes()[:HEAD_BYTES]
        found = format_of(head, str(path))
        assert found is not None, path
        assert found.kind == kind, path
        for part in read(kind, path).parts[:1]:
            assert found.names(head, str(path)) == part.id


@pytest.mark.parametrize("kind", PEOPLE)
def test_what_is_a_persons_was_typed_and_stands_under_an_id_of_its_own(folder: Path, kind: str) -> None:
    roles: Counter[str] = Counter()
    for path in files(folder, kind):
        for part in read(kind, path).parts:
            roles.update(message.role.value for message in part.messages if "[trimmed" not in message.text)
            assert len({message.id for message in part.messages}) == len(part.messages)
    assert roles["person"] == PEOPLE[kind]
    assert roles["agent"] > 0
    assert roles["tool"] > 0
