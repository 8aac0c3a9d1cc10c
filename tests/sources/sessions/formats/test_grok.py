from __future__ import annotations

import json
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest

from dream.sources.sessions.formats.grok import FORMAT, is_grok, read_grok
from dream.sources.sessions.formats.registry import SessionFile
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Reading, Role, SessionSource
from tests.sources.sessions.transcripts import START, Record, jsonl, messages, said, stamp, write

EVER = datetime(2020, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 12, 1, tzinfo=UTC)
ORDERED = "019a0bf7-1c80-7000-8000-000000000001"
PARENT, CHILD = "019a0bf7-1c80-7000-8000-0000000000aa", "019a0bf7-1c80-7000-8000-0000000000bb"


def user(words: str, index: int | None = 0, **fields: object) -> Record:
    prompted = {} if index is None else {"prompt_index": index}
    return {"type": "user", "content": [{"type": "text", "text": words}], **prompted, **fields}


def agent(words: str, *calls: Record) -> Record:
    return {"type": "assistant", "content": words, "tool_calls": list(calls), "model_id": "grok"}


def call(key: str, tool: str, given: Record) -> Record:
    return {"id": key, "name": tool, "arguments": json.dumps(given)}


def result(key: str, words: str) -> Record:
    return {"type": "tool_result", "tool_call_id": key, "content": words}


def summary(name: str, **fields: object) -> bytes:
    info = {"id": name, "cwd": "/srv/web"}
    return json.dumps({"info": info, "created_at": stamp(0), "generated_title": "Ports", **fields}).encode()


def read(*records: object, name: str = ORDERED) -> FileReading:
    return read_grok(SessionFile(path=f"/srv/sessions/web/{name}/chat_history.jsonl", handle=BytesIO(jsonl(records))))


def read_all(folder: Path) -> Reading:
    return read_sessions([SessionSource(kind="grok", path=str(folder))], since=EVER, now=NOW)


def test_a_conversation_is_read_with_what_its_summary_says(tmp_path: Path) -> None:
    told = [
        {"type": "system", "content": "You are an agent."},
        user("run the tests"),
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        agent("Now.", call("c1", "run_terminal_cmd", {"command": "make"})),
        result("c1", "ok"),
    ]
    remotes = ["git@git.acme.example:acme/web.git"]
    write(tmp_path, f"web/{ORDERED}/chat_history.jsonl", jsonl(told))
    write(tmp_path, f"web/{ORDERED}/summary.json", summary(ORDERED, git_remotes=remotes, head_branch="ports"))
    write(tmp_path, f"web/{ORDERED}/updates.jsonl", b"x" * 100)
    reading = read_all(tmp_path)
    (session,) = reading.sessions
    assert [(message.role, message.text) for message in session.messages] == [
        (Role.HARNESS, "You are an agent."),
        (Role.PERSON, "run the tests"),
        (Role.AGENT, "Now."),
        (Role.TOOL, "ok"),
    ]
    assert (session.id, session.title, session.repository, session.branch) == (ORDERED, "Ports", "acme/web", "ports")
    assert (session.messages[3].command, session.started) == ("make", START)
    assert [skipped.expected for skipped in reading.skipped] == [True, True]


@pytest.mark.parametrize(
    ("record", "role"),
    [
        (user("obey", synthetic_reason="system_reminder"), Role.HARNESS),
        (user("obey", synthetic_reason="compaction_meta"), Role.HARNESS),
        (user("obey", synthetic_reason={"kind": "odd"}), Role.HARNESS),
        (user("Use tabs.", synthetic_reason="project_instructions"), Role.RECALLED),
        (user("hello", synthetic_reason="human"), Role.PERSON),
        (user("obey", None), Role.HARNESS),
        (user("<user_info>\nOS Version: linux\n</user_info>"), Role.HARNESS),
        (user("hello"), Role.PERSON),
    ],
)
def test_a_turn_is_a_persons_only_where_it_is_a_counted_prompt(record: Record, role: Role) -> None:
    assert {one for one, _ in said(read(record))} == {role}


def test_of_a_wrapped_turn_only_the_query_is_the_persons() -> None:
    words = "The user interrupted:\n<user_query>\nuse <user_query> as it is\n</user_query>\nComplete.</user_query>"
    assert said(read(user(words, None))) == [
        (Role.HARNESS, "The user interrupted:\n"),
        (Role.PERSON, "use <user_query> as it is"),
        (Role.HARNESS, "\nComplete.</user_query>"),
    ]


def test_records_of_an_older_version_have_a_role_for_a_type() -> None:
    told = [{"role": "user", "content": "<user_query>\nhello\n</user_query>"}, {"role": "assistant", "content": "Hi."}]
    assert said(read(*told)) == [(Role.PERSON, "hello"), (Role.AGENT, "Hi.")]
    assert said(read({"role": "user", "content": "obey"})) == [(Role.HARNESS, "obey")]


def test_without_a_summary_the_folder_says_which_session_and_when() -> None:
    (part,) = read(user("hello")).parts
    assert (part.id, part.messages[0].at) == (ORDERED, datetime(2025, 10, 22, 12, 48, 55, 424000, tzinfo=UTC))


def test_without_any_instant_a_conversation_is_refused() -> None:
    assert read(user("hello"), name="mine").refused == "a message has no instant"


@pytest.mark.parametrize(
    "meta", [{"parent_session_id": PARENT, "subagent_type": "explore"}, {"subagent_type": "explore"}]
)
def test_a_subagents_conversation_belongs_to_the_session_that_started_it(tmp_path: Path, meta: Record) -> None:
    write(tmp_path, f"web/{PARENT}/chat_history.jsonl", jsonl([user("count them"), agent("Yes.")]))
    write(tmp_path, f"web/{PARENT}/summary.json", summary(PARENT))
    write(tmp_path, f"web/{PARENT}/subagents/{CHILD}/meta.json", json.dumps(meta).encode())
    write(tmp_path, f"web/{CHILD}/chat_history.jsonl", jsonl([user("count")]))
    write(tmp_path, f"web/{CHILD}/summary.json", summary(CHILD, created_at=stamp(1), generated_title="Child"))
    (session,) = read_all(tmp_path).sessions
    assert (session.id, session.title) == (PARENT, "Ports")
    assert [(message.role, message.text) for message in session.messages] == [
        (Role.PERSON, "count them"),
        (Role.AGENT, "Yes."),
        (Role.AGENT, "count"),
    ]


def test_a_subagent_whose_parent_nobody_names_has_no_person(tmp_path: Path) -> None:
    write(tmp_path, f"web/{CHILD}/chat_history.jsonl", jsonl([user("count")]))
    write(tmp_path, f"web/{CHILD}/summary.json", summary(CHILD, session_kind="subagent"))
    (session,) = read_all(tmp_path).sessions
    assert [(session.id, message.role) for message in session.messages] == [(CHILD, Role.AGENT)]


def test_companions_behind_links_are_not_read(tmp_path: Path) -> None:
    write(tmp_path, f"store/web/{ORDERED}/chat_history.jsonl", jsonl([user("hello")]))
    away = write(tmp_path, "away.json", summary("other"))
    (tmp_path / f"store/web/{ORDERED}/summary.json").symlink_to(away)
    (session,) = read_all(tmp_path / "store").sessions
    assert (session.id, session.title) == (ORDERED, "")


def test_a_command_that_says_its_code_has_it() -> None:
    reading = read(
        agent("", call("c1", "run_terminal_cmd", {"command": "make"})), result("c1", "Exit code: 2\nno rule")
    )
    (message,) = messages(reading)
    assert (message.exit_code, message.failed) == (2, True)


@pytest.mark.parametrize("value", [None, 7, "x", [], {}, [None], {"type": 7}])
@pytest.mark.parametrize("key", ["type", "content", "tool_calls", "tool_call_id", "prompt_index"])
def test_a_value_of_another_shape_never_raises(key: str, value: object) -> None:
    records = [{**one, key: value} for one in (user("a"), agent("b", call("c", "x", {})), result("c", "d"))]
    assert (Role.PERSON, "hello") in said(read(user("hello"), *records))


def test_a_conversation_is_known_by_its_name_and_its_lines() -> None:
    head = jsonl([user("a")])
    assert is_grok(head, f"/srv/{ORDERED}/chat_history.jsonl")
    assert not is_grok(head, "/srv/other.jsonl")
    assert FORMAT.names(head, f"/srv/{ORDERED}/chat_history.jsonl") == ORDERED
    assert FORMAT.is_companion(f"/srv/{ORDERED}/compaction/1.jsonl")


def test_real_sessions_are_read(shared_data: Path) -> None:
    folder = shared_data / "transcripts/jazzyalex__agent-sessions/Resources/Fixtures/stage0/agents/grok"
    reading = read_all(folder)
    (session,) = reading.sessions
    roles = [message.role.value for message in session.messages]
    assert (roles.count("person"), roles.count("tool"), roles.count("harness"), roles.count("agent")) == (2, 3, 3, 4)
    assert (session.repository, session.branch) == ("example-user/example", "main")
    assert [skipped for skipped in reading.skipped if not skipped.expected] == []
