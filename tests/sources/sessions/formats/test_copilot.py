from __future__ import annotations

import json

import pytest

from dream.sources.sessions.formats.copilot import FORMAT
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Role
from tests.sources.sessions.formats.told import only_message, only_part, read_as, recognised
from tests.sources.sessions.transcripts import SESSION, Record, at, jsonl, messages, said, stamp

CONTEXT = {"cwd": "/home/ana/web/src", "gitRoot": "/home/ana/web", "branch": "main", "repository": "acme/web"}


def event(minute: int, kind: str, /, **data: object) -> Record:
    return {"type": kind, "data": data, "id": f"e{minute}", "timestamp": stamp(minute), "parentId": None}


def start(**fields: object) -> Record:
    return event(0, "session.start", **{"sessionId": SESSION, "version": 1, "context": CONTEXT, **fields})


def user(minute: int, text: str, /, **data: object) -> Record:
    return event(minute, "user.message", **{"content": text, "transformedContent": f"<now>{text}</now>", **data})


def agent(minute: int, text: str, /, *requests: Record, **data: object) -> Record:
    return event(minute, "assistant.message", **{"content": text, "toolRequests": list(requests), **data})


def request(name: str, given: object, *, key: str = "call-1") -> Record:
    return {"toolCallId": key, "name": name, "arguments": given, "type": "function"}


def done(minute: int, printed: str, *, key: str = "call-1", success: bool = True, **result: object) -> Record:
    return event(
        minute, "tool.execution_complete", toolCallId=key, success=success, result={"content": printed, **result}
    )


def read(*events: object) -> FileReading:
    return read_as("copilot", jsonl([start(), *events]))


def test_a_session_is_what_a_person_an_agent_and_its_tools_say() -> None:
    reading = read(
        user(1, "Why do orders stall?"),
        agent(2, "I look.", request("bash", {"command": "make test", "description": "Test"})),
        event(3, "tool.execution_start", toolCallId="call-1", toolName="bash", arguments={"command": "make test"}),
        done(4, "3 passed\n<exited with exit code 0>"),
        agent(5, "All pass."),
    )
    assert [
        (message.id, message.at, message.role, message.text, message.command, message.exit_code)
        for message in messages(reading)
    ] == [
        ("e1", at(1), Role.PERSON, "Why do orders stall?", "", None),
        ("e2", at(2), Role.AGENT, "I look.", "", None),
        ("call-1", at(4), Role.TOOL, "3 passed", "make test", 0),
        ("e5", at(5), Role.AGENT, "All pass.", "", None),
    ]
    part = only_part(reading)
    assert (part.id, part.cwd, part.branch, part.repositories) == (SESSION, "/home/ana/web", "main", ["acme/web"])


@pytest.mark.parametrize(
    ("data", "role"),
    [
        ({}, Role.PERSON),
        ({"source": "user"}, Role.PERSON),
        ({"source": None, "parentAgentTaskId": "task-1"}, Role.PERSON),
        ({"source": "skill-pdf"}, Role.HARNESS),
        ({"source": ["user"]}, Role.HARNESS),
        ({"source": "schedule-nightly"}, Role.HARNESS),
        ({"parentToolCallId": "call-9"}, Role.AGENT),
    ],
)
def test_a_message_of_a_user_is_a_persons_unless_its_event_says_otherwise(data: Record, role: Role) -> None:
    assert said(read(user(1, "Delete the tests.", **data))) == [(role, "Delete the tests.")]


def test_a_subagents_event_is_an_agents() -> None:
    assert said(read({**user(1, "Look for leaks."), "agentId": "sub-1"})) == [(Role.AGENT, "Look for leaks.")]


@pytest.mark.parametrize(
    ("printed", "text", "code"),
    [
        ("no rule\n<exited with exit code 2>", "no rule", 2),
        ("\n<command with shellId: 0 completed with exit code 0>", "", 0),
        ("I say <exited with exit code 2> and go on", "I say <exited with exit code 2> and go on", None),
        ("3 passed", "3 passed", None),
    ],
)
def test_the_exit_code_is_the_mark_that_ends_the_output(printed: str, text: str, code: int | None) -> None:
    message = messages(read(agent(1, "", request("bash", {"command": "make"})), done(2, printed)))[0]
    assert (message.text, message.exit_code, message.failed) == (text, code, bool(code))


def test_calls_without_ids_are_answered_in_their_order() -> None:
    reading = read(
        event(1, "tool.execution_start", toolName="bash", toolInput={"command": "make"}),
        event(2, "tool.execution_complete", toolName="bash", isError=True, result={"content": "no rule"}),
    )
    message = only_message(reading)
    assert (message.command, message.text, message.failed) == ("make", "no rule", True)


def test_a_call_that_failed_says_why() -> None:
    asked = agent(1, "", request("bash", '{"command": "rm -rf build"}'))
    told = event(2, "tool.execution_complete", toolCallId="call-1", success=False, error={"message": "denied"})
    message = only_message(read(asked, told))
    assert (message.text, message.command, message.failed) == ("denied", "rm -rf build", True)


def test_an_edit_is_told_by_the_diff_that_the_tool_gives_or_by_its_call() -> None:
    given = {"path": "/home/ana/web/a.py", "old_str": "1\n", "new_str": "2\n"}
    shown = "diff --git a/a.py b/a.py\nindex 1..2\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-1\n+2\n"
    reading = read(
        agent(1, "", request("edit", given)),
        done(2, "File updated.\n1: 2", detailedContent=shown),
        agent(3, "", request("create", {"path": "b.py", "file_text": "x\n"}, key="call-2")),
        done(4, "Created b.py", key="call-2"),
        agent(5, "", request("edit", given, key="call-3")),
        done(6, "No match", key="call-3", success=False),
    )
    assert [(message.text, message.edits, message.diff) for message in messages(reading)] == [
        ("File updated.", "a.py", "@@ -1 +1 @@\n-1\n+2"),
        ("Created b.py", "b.py", "+x"),
        ("No match", "", ""),
    ]
    assert only_part(reading).files == {"a.py", "b.py"}


def test_what_the_harness_says_is_its_own() -> None:
    reading = read(
        event(1, "system.message", content="You are a careful agent.", role="system"),
        event(2, "system.notification", content="An agent has ended."),
        event(3, "session.error", errorType="query", message="Overloaded"),
        event(4, "session.compaction_complete", success=True, summaryContent="So far."),
        event(5, "hook.start", hookType="preToolUse", input={"toolArgs": {"command": "ls"}}),
        event(6, "assistant.reasoning", content="thinking"),
        event(7, "session.usage_checkpoint", totalPremiumRequests=1),
    )
    assert {role for role, _ in said(reading)} == {Role.HARNESS}
    assert [(message.text, message.failed) for message in messages(reading)] == [
        ("You are a careful agent.", False),
        ("An agent has ended.", False),
        ("Overloaded", True),
        ("So far.", False),
    ]


@pytest.mark.parametrize(("freeform", "role"), [(True, Role.PERSON), (False, Role.HARNESS), ("yes", Role.HARNESS)])
def test_an_answer_to_an_agent_is_a_persons_where_it_was_typed(freeform: object, role: Role) -> None:
    told = event(1, "user_input.completed", requestId="r", answer="only on Mondays", wasFreeform=freeform)
    assert said(read(told)) == [(role, "only on Mondays")]


def test_what_was_rewound_is_left_out_and_counted() -> None:
    reading = read(
        user(1, "use tabs"),
        user(2, "use spaces"),
        agent(3, "Done."),
        event(4, "session.snapshot_rewind", upToEventId="e2", eventsRemoved=2),
        user(5, "leave it"),
    )
    assert [text for _, text in said(reading)] == ["use tabs", "leave it"]
    assert reading.left_out == {"a message was taken back": 2}


def test_a_title_and_a_later_branch_are_kept() -> None:
    reading = read(
        user(1, "hi"),
        event(2, "session.title_changed", title="Queues"),
        event(3, "session.resume", context={**CONTEXT, "branch": "fix-queues"}),
    )
    part = only_part(reading)
    assert (part.title, part.branch, part.repositories) == ("Queues", "fix-queues", ["acme/web"])


def test_a_session_without_a_start_is_named_by_its_folder_or_its_file() -> None:
    folder = f"/home/ana/.copilot/session-state/{SESSION}/events.jsonl"
    assert only_part(read_as("copilot", [user(1, "hi")], path=folder)).id == SESSION
    assert only_part(read_as("copilot", [user(1, "hi")], path="/srv/one.jsonl")).id == "one"
    assert only_part(read_as("copilot", [user(1, "hi")], path=f"/srv/jb/{SESSION}/partition-2.jsonl")).id == SESSION
    assert FORMAT.names(jsonl([start()]), "/srv/one.jsonl") == SESSION
    assert FORMAT.names(b"", folder) == SESSION


def test_a_snapshot_taken_earlier_gives_the_same_messages() -> None:
    told = [start(), user(1, "hi"), agent(2, "", request("bash", {"command": "ls"})), done(3, "a"), agent(4, "Done.")]
    whole = [message.id for message in messages(read_as("copilot", told))]
    early = [message.id for message in messages(read_as("copilot", told[:3]))]
    assert whole == ["e1", "call-1", "e4"]
    assert early == ["e1", "call-1"]


def test_events_are_recognised() -> None:
    assert recognised([start()]) == "copilot"
    assert recognised([user(1, json.dumps({"type": "session.start"}))]) == "copilot"
    assert recognised([{"note": "session.start"}]) == ""
