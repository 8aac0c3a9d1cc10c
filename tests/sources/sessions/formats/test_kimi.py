from __future__ import annotations

import json
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest

from dream.sources.sessions.formats.kimi import FORMAT, is_kimi, read_kimi
from dream.sources.sessions.formats.registry import SessionFile
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Reading, Role, SessionSource
from tests.sources.sessions.transcripts import SESSION, START, Record, jsonl, messages, said, stamp, write

EVER = datetime(2020, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 12, 1, tzinfo=UTC)
JOURNAL = f"sessions/wd_web/session_{SESSION}/agents/{{}}/wire.jsonl"


def millis(minute: int) -> int:
    return int(START.timestamp() * 1000) + minute * 60_000


METADATA = {"type": "metadata", "protocol_version": "1.4", "created_at": millis(0)}


def user(minute: int, words: str, kind: str = "user", **origin: object) -> Record:
    message = {"role": "user", "content": [{"type": "text", "text": words}], "origin": {"kind": kind, **origin}}
    return {"type": "context.append_message", "message": message, "time": millis(minute)}


def event(minute: int, kind: str, **fields: object) -> Record:
    return {"type": "context.append_loop_event", "event": {"type": kind, **fields}, "time": millis(minute)}


def agent(minute: int, words: str) -> Record:
    return event(minute, "content.part", uuid=f"u{minute}", part={"type": "text", "text": words})


def call(minute: int, key: str, tool: str, given: Record) -> Record:
    return event(minute, "tool.call", toolCallId=key, name=tool, args=given)


def result(minute: int, key: str, output: str, **fields: object) -> Record:
    return event(minute, "tool.result", toolCallId=key, result={"output": output, **fields})


def read(*records: object, path: str = f"/srv/{JOURNAL.format('main')}") -> FileReading:
    return read_kimi(SessionFile(path=path, handle=BytesIO(jsonl([METADATA, *records]))))


def read_all(folder: Path) -> Reading:
    return read_sessions([SessionSource(kind="kimi", path=str(folder))], since=EVER, now=NOW)


def test_a_person_the_agent_and_a_tool_are_told_apart() -> None:
    reading = read(
        {
            "type": "turn.prompt",
            "input": [{"type": "text", "text": "list"}],
            "origin": {"kind": "user"},
            "time": millis(1),
        },
        user(1, "list"),
        event(2, "content.part", uuid="t", part={"type": "think", "think": "hm"}),
        call(2, "Bash_0", "Bash", {"command": "ls"}),
        result(3, "Bash_0", "README.md"),
        agent(4, "One file."),
    )
    assert said(reading) == [(Role.PERSON, "list"), (Role.TOOL, "README.md"), (Role.AGENT, "One file.")]
    (part,) = reading.parts
    assert (part.id, part.tool) == (SESSION, "Kimi Code")
    assert (part.messages[1].command, part.messages[1].exit_code, part.messages[1].id) == ("ls", 0, "main/Bash_0")


def test_a_command_that_failed_says_with_which_code() -> None:
    told = "cat: x: No such file\nCommand failed with exit code: 1."
    (message,) = messages(
        read(call(1, "Bash_0", "Bash", {"command": "cat x"}), result(2, "Bash_0", told, isError=True))
    )
    assert (message.text, message.exit_code, message.failed) == (told, 1, True)


@pytest.mark.parametrize(
    ("kind", "origin", "role"),
    [
        ("injection", {"variant": "plan_mode"}, Role.HARNESS),
        ("skill_activation", {"trigger": "user-slash"}, Role.HARNESS),
        ("system_trigger", {"name": "subagent"}, Role.AGENT),
        ("system_trigger", {"name": "goal_fork_cleared"}, Role.HARNESS),
        ("background_task", {}, Role.HARNESS),
        ("cron_job", {}, Role.HARNESS),
        ("hook_result", {}, Role.HARNESS),
        ("shell_command", {"phase": "output"}, Role.TOOL),
        ("shell_command", {"phase": "input"}, Role.HARNESS),
        ("compaction_summary", {}, Role.HARNESS),
        ("", {}, Role.HARNESS),
    ],
)
def test_a_turn_is_a_persons_only_where_its_origin_says_so(kind: str, origin: dict[str, object], role: Role) -> None:
    assert said(read(user(1, "obey", kind, **origin))) == [(role, "obey")]


def test_a_turn_of_an_older_journal_is_a_persons_where_a_prompt_said_the_same() -> None:
    older = {
        "type": "context.append_message",
        "message": {"role": "user", "content": [{"type": "text", "text": "hello"}]},
    }
    prompt = {"type": "turn.prompt", "input": [{"type": "text", "text": "hello"}], "time": millis(1)}
    assert said(read(prompt, {**older, "time": millis(1)})) == [(Role.PERSON, "hello")]
    assert said(read({**older, "time": millis(1)})) == [(Role.HARNESS, "hello")]


def test_what_a_compaction_sums_up_is_the_harness_s() -> None:
    summed = {"type": "context.apply_compaction", "summary": "We did it.", "time": millis(1)}
    assert said(read(summed)) == [(Role.HARNESS, "We did it.")]


def test_a_subagents_journal_belongs_to_the_session_and_has_no_person(tmp_path: Path) -> None:
    main = [METADATA, user(1, "count them"), call(2, "Agent_0", "Agent", {"prompt": "count"})]
    other = [METADATA, user(3, "count", "user"), call(4, "Bash_0", "Bash", {"command": "wc"}), result(5, "Bash_0", "7")]
    write(tmp_path, JOURNAL.format("main"), jsonl([*main, result(6, "Agent_0", "There are 7.")]))
    write(tmp_path, JOURNAL.format("agent-0"), jsonl(other))
    state = {"createdAt": stamp(0), "title": "Counting", "workDir": "/srv/web", "agents": {"main": {"type": "main"}}}
    write(tmp_path, f"sessions/wd_web/session_{SESSION}/state.json", json.dumps(state).encode())
    reading = read_all(tmp_path)
    (session,) = reading.sessions
    assert [(message.role, message.text) for message in session.messages] == [
        (Role.PERSON, "count them"),
        (Role.AGENT, "count"),
        (Role.TOOL, "7"),
        (Role.AGENT, "There are 7."),
    ]
    assert (session.title, session.repository, len(session.origin_files)) == ("Counting", "web", 2)
    assert [skipped.expected for skipped in reading.skipped] == [True]


def test_what_a_subagent_is_told_of_the_checkout_names_the_repository() -> None:
    told = "<git-context>\nWorking directory: /srv/web\nRemote: https://git.acme.example/acme/web.git\nBranch: ports\n"
    (part,) = read(user(1, told, "system_trigger", name="subagent")).parts
    assert (part.repositories, part.branch) == (["acme/web"], "ports")
    (part,) = read(user(1, told)).parts
    assert (part.repositories, part.branch) == ([], "")


def test_a_state_behind_a_link_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, JOURNAL.format("main"), jsonl([METADATA, user(1, "hello")]))
    write(tmp_path, "away.json", json.dumps({"title": "Away", "workDir": "/srv/away"}).encode())
    (tmp_path / f"sessions/wd_web/session_{SESSION}/state.json").symlink_to(tmp_path / "away.json")
    (session,) = read_all(tmp_path / "sessions").sessions
    assert (session.title, session.repository) == ("", "")


@pytest.mark.parametrize(("created", "title"), [(stamp(0), "Ports"), (stamp(9), "")])
def test_beside_a_copy_only_a_state_of_the_same_instant_is_its_own(tmp_path: Path, created: str, title: str) -> None:
    home = f"/home/ana/.kimi-code/sessions/wd_web/session_{SESSION}/agents/main"
    state = {"createdAt": created, "title": "Ports", "agents": {"main": {"homedir": home}}}
    write(tmp_path, "state.json", json.dumps(state).encode())
    path = write(tmp_path, "copy.jsonl", jsonl([METADATA, user(1, "hello")]))
    with path.open("rb") as handle:
        (part,) = read_kimi(SessionFile(path=str(path), handle=handle)).parts
    assert (part.title, part.id) == (title, SESSION if title else f"kimi-{millis(0)}")


def test_an_edit_names_its_file_and_what_changed() -> None:
    given = {"path": "/srv/web/app.py", "old_string": "a", "new_string": "b"}
    where = {"type": "config.update", "cwd": "/srv/web", "time": millis(0)}
    reading = read(where, call(1, "Edit_0", "Edit", given), result(2, "Edit_0", "done"))
    (message,) = messages(reading)
    assert (message.edits, message.diff) == ("app.py", "-a\n+b")


@pytest.mark.parametrize(
    ("data", "reason"), [(b"", "empty"), (b"x\n", "not JSON"), (jsonl([METADATA]), "no message of Kimi Code in it")]
)
def test_a_file_that_is_no_session_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    assert read_kimi(SessionFile(path="/srv/x.jsonl", handle=BytesIO(data))).refused == reason


@pytest.mark.parametrize("value", [None, 7, "x", [], {}, [None], {"kind": 7}])
@pytest.mark.parametrize("key", ["message", "event", "time", "type"])
def test_a_value_of_another_shape_never_raises(key: str, value: object) -> None:
    records = [{**record, key: value} for record in (user(2, "a"), call(3, "c", "Bash", {}), result(4, "c", "y"))]
    assert (Role.PERSON, "hello") in said(read(user(1, "hello"), *records))


def test_a_journal_is_known_by_its_first_line() -> None:
    head = jsonl([METADATA])
    assert is_kimi(head, "/srv/wire.jsonl")
    assert not is_kimi(jsonl([user(1, "metadata")]), "/srv/wire.jsonl")
    assert FORMAT.names(head, f"/srv/{JOURNAL.format('main')}") == SESSION
    assert FORMAT.names(head, "/srv/copy.jsonl") == f"kimi-{millis(0)}"
    assert FORMAT.is_companion("/srv/state.json")


def test_real_sessions_are_read(shared_data: Path) -> None:
    folder = shared_data / "transcripts/jazzyalex__agent-sessions/Resources/Fixtures/stage0/agents/kimi"
    reading = read_all(folder)
    assert [(session.id, sum(m.role is Role.PERSON for m in session.messages)) for session in reading.sessions] == [
        ("9eb1bf57-c1af-48a5-b658-0e8d9fe794f5", 3),
        ("1bcbe023-4f7e-4971-9dc9-43b8756045b0", 8),
        ("kimi-1785615359837", 0),
    ]
    exits = [m.exit_code for session in reading.sessions for m in session.messages if m.command]
    assert (len(exits), exits.count(1), exits.count(0)) == (9, 1, 8)
    assert reading.remarks == ()
