"""What holds for every format, whatever its files hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.sessions.limits import ReadingLimits
from tests.sources.sessions.formats.told import read_as

KINDS = ("codex", "copilot", "cursor", "droid", "gemini", "qwen")
STAMP = "<timestamp>Wednesday, Oct 21, 2026, 9:00 AM (UTC)</timestamp>"
AT = "2026-10-21T09:00:00Z"
PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-1\n+2\n*** End Patch"
CHANGES = {"a.py": {"type": "update", "unified_diff": "@@\n-1\n+2"}, "b.py": {"add": {"content": "x"}}}
QUESTIONS = {"questions": [{"options": [{"label": "no"}]}]}


def wrapped(kind: str, /, **payload: object) -> dict[str, Any]:
    """A record of a rollout of Codex."""
    return {"timestamp": AT, "type": kind, "payload": payload}


def event(kind: str, /, **data: object) -> dict[str, Any]:
    """An event of Copilot CLI."""
    return {"type": kind, "data": data, "id": kind, "timestamp": AT}


def qwen(kind: str, /, *parts: object, **fields: object) -> dict[str, Any]:
    """A record of Qwen Code."""
    return {
        "uuid": kind,
        "sessionId": "s",
        "timestamp": AT,
        "type": kind,
        "message": {"role": "user", "parts": [*parts]},
        **fields,
    }


def droid(role: str, /, *blocks: object, **fields: object) -> dict[str, Any]:
    """A message of Factory Droid."""
    return {"type": "message", "id": role, "timestamp": AT, "message": {"role": role, "content": [*blocks], **fields}}


SEEDS: Mapping[str, Sequence[dict[str, Any]]] = {
    "codex": [
        wrapped(
            "session_meta",
            id="own",
            session_id="root",
            cwd="/w",
            source={"subagent": {"thread_spawn": {"parent_thread_id": "root"}}},
            git={"repository_url": "https://git.example/acme/web.git", "branch": "main"},
        ),
        wrapped("turn_context", cwd="/w"),
        wrapped("event_msg", type="user_message", message="go", kind="plain"),
        wrapped("response_item", type="message", role="user", id="u", content=[{"type": "input_text", "text": "go"}]),
        wrapped("response_item", type="function_call", name="shell", call_id="c", arguments={"command": ["ls", "-l"]}),
        wrapped("response_item", type="function_call_output", call_id="c", output={"content": "x", "success": True}),
        wrapped("response_item", type="custom_tool_call", name="apply_patch", call_id="p", input=PATCH),
        wrapped("response_item", type="custom_tool_call_output", call_id="p", output=[{"type": "text", "text": "ok"}]),
        wrapped("response_item", type="local_shell_call", call_id="l", action={"command": ["bash", "-lc", "ls"]}),
        wrapped("response_item", type="function_call", name="request_user_input", call_id="q", arguments=QUESTIONS),
        wrapped(
            "response_item", type="function_call_output", call_id="q", output='{"answers": {"a": {"answers": ["yes"]}}}'
        ),
        wrapped("response_item", type="function_call", name="write_stdin", call_id="w", arguments={"session_id": 7}),
        wrapped("event_msg", type="exec_command_end", call_id="e", command=["ls"], stdout="x", exit_code=1),
        wrapped("event_msg", type="patch_apply_end", call_id="d", success=True, stdout="ok", changes=CHANGES),
        wrapped(
            "event_msg",
            type="mcp_tool_call_end",
            call_id="m",
            invocation={"server": "s", "tool": "t"},
            result={"Ok": {"content": [{"text": "x"}], "isError": False}},
        ),
        wrapped("event_msg", type="item_completed", item={"type": "UserMessage", "content": [{"text": "hi"}]}),
        wrapped("event_msg", type="error", message="x", error={"message": "y"}),
        wrapped("event_msg", type="thread_rolled_back", num_turns=1),
        wrapped("compacted", message="so far"),
        {"id": "old", "timestamp": AT, "instructions": "x", "git": {}},
        {"created_at": AT, "role": "user", "message": "hello"},
    ],
    "copilot": [
        event("session.start", sessionId="s", context={"cwd": "/w", "repository": "acme/web", "branch": "main"}),
        event("user.message", content="go", source="user", parentAgentTaskId=None),
        event(
            "assistant.message",
            content="ok",
            toolRequests=[{"toolCallId": "c", "name": "edit", "arguments": {"path": "a", "old_str": "1"}}],
        ),
        event("tool.execution_start", toolCallId="d", toolName="bash", arguments='{"command": "ls"}'),
        event(
            "tool.execution_complete", toolCallId="c", success=True, result={"content": "x", "detailedContent": "@@"}
        ),
        event("tool.execution_complete", toolCallId="d", success=False, error={"message": "no"}),
        event("user_input.completed", answer="blue", wasFreeform=True),
        event("session.snapshot_rewind", upToEventId="user.message"),
        event("session.title_changed", title="t"),
    ],
    "cursor": [
        {"role": "user", "message": {"content": [{"type": "text", "text": f"{STAMP}\n<user_query>go</user_query>"}]}},
        {
            "role": "assistant",
            "message": {
                "content": [
                    {"type": "text", "text": "ok"},
                    {"type": "tool_use", "name": "Write", "input": {"path": "a", "contents": "x"}},
                ]
            },
        },
        {
            "role": "user",
            "message": {"content": [{"type": "tool_result", "tool_use_id": "t", "content": [{"text": "x"}]}]},
        },
    ],
    "droid": [
        {"type": "session_start", "id": "s", "title": "t", "cwd": "/w", "owner": "ana", "callingSessionId": ""},
        droid("user", {"type": "text", "text": "go"}, visibility="", userMessageSource=""),
        droid(
            "assistant", {"type": "tool_use", "id": "t", "name": "Edit", "input": {"file_path": "a", "old_str": "1"}}
        ),
        droid("user", {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "x"}]}),
        {
            "type": "tool_call",
            "timestamp": AT,
            "toolCallId": "c",
            "toolName": "Execute",
            "parameters": {"command": "l"},
        },
        {"type": "tool_result", "timestamp": AT, "toolCallId": "c", "value": {"stdout": "x", "exitCode": 1}},
        {"type": "completion", "timestamp": AT, "finalText": "done"},
        {"type": "compaction_state", "timestamp": AT, "summaryText": "so far"},
    ],
    "gemini": [
        {"sessionId": "s", "projectHash": "h", "startTime": AT, "kind": "main", "summary": "t"},
        {"id": "u", "timestamp": AT, "type": "user", "content": [{"text": "go"}], "displayContent": [{"text": "go"}]},
        {
            "id": "g",
            "timestamp": AT,
            "type": "gemini",
            "content": "ok",
            "toolCalls": [
                {
                    "id": "t",
                    "name": "replace",
                    "args": {"file_path": "a", "old_string": "1", "new_string": "2"},
                    "status": "success",
                    "result": [{"functionResponse": {"id": "t", "response": {"output": "x"}}}],
                    "resultDisplay": {"fileDiff": "@@\n-1\n+2", "fileName": "a"},
                }
            ],
        },
        {"$set": {"messages": [{"id": "z", "type": "user", "content": "x"}]}},
        {"$rewindTo": "g"},
    ],
    "qwen": [
        qwen("user", {"text": "go"}, cwd="/w", gitBranch="main", systemPayload={"displayText": "go"}, provenance="x"),
        qwen("assistant", {"text": "ok"}, {"functionCall": {"id": "t", "name": "edit", "args": {"file_path": "a"}}}),
        qwen(
            "tool_result",
            {"functionResponse": {"id": "t", "response": {"output": "x"}}},
            toolCallResult={"status": "success", "resultDisplay": {"fileDiff": "@@", "fileName": "a"}},
        ),
        qwen("system", subtype="custom_title", systemPayload={"customTitle": "t"}),
        qwen("system", subtype="rewind", parentUuid="user"),
    ],
}
ODD: Sequence[object] = (None, 0, -1, 1e300, 10**30, True, "", "x", [], {}, [[]], [{}], {"a": [1]}, "\x00" * 300)


def variants(value: object) -> Iterator[object]:
    """Yield a JSON value with each of the values in it replaced by each odd one, and with each left out."""
    yield from ODD
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        for odd in variants(value[key]):  # type: ignore[index]  # a key of this very value
            copy = value.copy()  # type: ignore[attr-defined]
            copy[key] = odd
            yield copy
        if isinstance(value, dict):
            yield {name: held for name, held in value.items() if name != key}


@pytest.mark.parametrize("kind", KINDS)
def test_no_odd_value_anywhere_in_a_record_raises(kind: str) -> None:
    seeds = SEEDS[kind]
    for number, seed in enumerate(seeds):
        for variant in variants(seed):
            reading = read_as(kind, [*seeds[:number], variant, *seeds[number + 1 :]])
            for part in reading.parts:
                assert part.messages
                assert len({message.id for message in part.messages}) == len(part.messages)
                assert {message.at.tzinfo for message in part.messages} == {UTC}


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.binary(max_size=200))
def test_nothing_that_bytes_hold_raises(kind: str, data: bytes) -> None:
    reading = read_as(kind, data)
    assert bool(reading.parts) != bool(reading.refused)


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_file_is_refused_as_empty(kind: str) -> None:
    assert read_as(kind, b"").refused == "empty"
    assert read_as(kind, b"\n \n").refused == "empty"


@pytest.mark.parametrize("kind", KINDS)
def test_a_line_too_long_is_left_out_and_counted(kind: str) -> None:
    reading = read_as(kind, b'{"x": "' + b"y" * 500 + b'"}\n', limits=ReadingLimits(line_bytes=100))
    assert (reading.refused, reading.left_out) == ("a line is too long", {"a line is too long": 1})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("opening", [b"[", b"{\n", b'[\n{"type":'])
def test_a_document_that_is_cut_off_is_refused(kind: str, opening: bytes) -> None:
    assert read_as(kind, opening).refused == "not JSON"
