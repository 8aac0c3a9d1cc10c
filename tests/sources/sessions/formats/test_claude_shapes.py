from __future__ import annotations

import json

import pytest

from dream.sources.sessions.formats.claude_shapes import is_claude_code, names_session, session_of
from dream.sources.sessions.formats.registry import HEAD_BYTES
from dream.sources.sessions.values import Role
from tests.sources.sessions.transcripts import SESSION, agent, call, jsonl, messages, read, result, said, user

RECORDS = [user(1, "hi"), call(2, "Bash", {"command": "make"}), result(3, 2, "ok"), agent(4, "done")]
SAID = [(Role.PERSON, "hi"), (Role.TOOL, "ok"), (Role.AGENT, "done")]
BARE = {"type": "user", "timestamp": "2026-10-21T09:00:00Z", "message": {"role": "user", "content": "hi"}}
QWEN = {"uuid": "u", "parentUuid": None, "sessionId": "s", "type": "user", "message": {"role": "user", "parts": []}}


@pytest.mark.parametrize(
    "data",
    [
        jsonl(RECORDS),
        jsonl(RECORDS)[:-1],
        json.dumps(RECORDS).encode(),
        json.dumps(RECORDS, indent=2).encode(),
        json.dumps({"loglines": RECORDS}).encode(),
        json.dumps({"session": "x", "loglines": RECORDS}, indent=1).encode(),
        "\n".join(json.dumps(record, indent=4) for record in RECORDS).encode(),
        b"\xef\xbb\xbf" + jsonl(RECORDS),
        jsonl(RECORDS[:2]) + b"".join(jsonl(RECORDS[2:]).split(b"\n")),
        jsonl(RECORDS).replace(b"\n", b"\r\n"),
    ],
)
def test_records_are_read_whether_they_stand_on_lines_or_in_a_document(data: bytes) -> None:
    reading = read(data)
    assert said(reading) == SAID
    assert (messages(reading)[1].command, dict(reading.left_out)) == ("make", {})


def test_a_call_and_its_output_were_once_records_of_their_own() -> None:
    older = [
        user(1, "open it"),
        {"type": "tool_use", "sessionId": SESSION, "name": "bash", "input": {"command": "cat a"}, "uuid": "t"},
        {**user(2, ""), "type": "tool_result", "name": "bash", "output": "# A", "message": None},
    ]
    told = messages(read(jsonl(older)))
    assert [(one.role, one.text, one.command) for one in told] == [
        (Role.PERSON, "open it", ""),
        (Role.TOOL, "# A", "cat a"),
    ]


@pytest.mark.parametrize(
    ("data", "path", "answer"),
    [
        (jsonl(RECORDS), "a.jsonl", True),
        (jsonl([{"type": "mode", "sessionId": "s"}, *RECORDS]), "a.jsonl", True),
        (jsonl([{"type": "summary", "summary": "x", "leafUuid": "u"}]), "a.jsonl", True),
        (json.dumps({"loglines": [BARE]}, indent=2).encode(), "a.json", True),
        (json.dumps(RECORDS, indent=2).encode(), "a.json", True),
        (jsonl([user(1, "x" * 100_000)]), "a.jsonl", True),
        (jsonl(RECORDS), "a.md", False),
        (jsonl([QWEN]), "a.jsonl", False),
        (jsonl([{"role": "user", "message": {"content": []}}]), "a.jsonl", False),
        (jsonl([{"type": "message", "id": "x", "message": {"role": "user", "content": "hi"}}]), "a.jsonl", False),
        (jsonl([{"type": "message", "content": 'see "parentUuid": and "type":"user"'}]), "a.jsonl", False),
        (b'{"session_id": "s"}', "metadata.json", False),
        (b"", "a.jsonl", False),
        (b"hello\n", "a.jsonl", False),
    ],
)
def test_a_file_of_claude_code_is_told_by_the_form_of_its_records(data: bytes, path: str, answer: bool) -> None:  # noqa: FBT001
    assert is_claude_code(data[:HEAD_BYTES], path) is answer


def test_a_session_is_named_by_its_records_else_by_its_file_and_a_subagents_by_its_folder() -> None:
    assert names_session(jsonl(RECORDS), "/srv/x.jsonl") == SESSION
    assert names_session(b"{}", "/srv/x.jsonl") == "x"
    assert session_of("agent-a1", "/srv/parent/subagents/agent-a1.jsonl") == "parent"
    assert session_of("", "/srv/parent/subagents/agent-a1.jsonl") == "parent"
    assert session_of("other", "/srv/parent/subagents/agent-a1.jsonl") == "other"
    assert session_of("agent-a1", "/srv/parent/agent-a1.jsonl") == "agent-a1"
