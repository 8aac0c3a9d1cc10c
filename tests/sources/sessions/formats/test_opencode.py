from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dream.sources.sessions.formats.opencode import FORMAT, is_opencode, read_opencode
from dream.sources.sessions.formats.registry import SessionFile
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Reading, Role, SessionSource
from tests.sources.sessions.transcripts import START, Record, messages, said, write

EVER = datetime(2020, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 12, 1, tzinfo=UTC)
BEGAN = int(START.timestamp() * 1000)


def millis(minute: int) -> int:
    return BEGAN + minute * 60_000


class Store:
    """A store of OpenCode in a folder, filled file by file."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, name: str, record: object) -> None:
        write(self.root, name, json.dumps(record).encode())

    def session(self, name: str = "ses_1", **fields: object) -> None:
        self.put(
            f"session/proj/{name}.json",
            {
                "id": name,
                "projectID": "proj",
                "directory": "/srv/web",
                "title": "Ports",
                "time": {"created": BEGAN},
                **fields,
            },
        )

    def message(self, number: int, role: str, *parts: Record, session: str = "ses_1", **fields: object) -> None:
        name = f"msg_{number}"
        record = {"id": name, "sessionID": session, "role": role, "time": {"created": millis(number)}, **fields}
        self.put(f"message/{session}/{name}.json", record)
        for place, part in enumerate(parts):
            given = {"id": f"prt_{number}{place}", "sessionID": session, "messageID": name, **part}
            self.put(f"part/{name}/prt_{number}{place}.json", given)

    def read(self, name: str = "ses_1") -> FileReading:
        path = self.root / f"session/proj/{name}.json"
        with path.open("rb") as handle:
            return read_opencode(SessionFile(path=str(path), handle=handle))

    def read_all(self) -> Reading:
        return read_sessions([SessionSource(kind="opencode", path=str(self.root))], since=EVER, now=NOW)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "storage")


def text(words: str, **fields: object) -> Record:
    return {"type": "text", "text": words, **fields}


def tool(name: str, given: Record, output: str, status: str = "completed", **fields: object) -> Record:
    return {
        "type": "tool",
        "tool": name,
        "callID": "c",
        "state": {"status": status, "input": given, "output": output, **fields},
    }


def test_a_session_is_read_through_its_file_with_messages_and_parts(store: Store) -> None:
    store.session()
    store.message(1, "user", text("which port?"))
    store.message(
        2, "assistant", {"type": "reasoning", "text": "hm"}, tool("bash", {"command": "ss"}, "80", metadata={"exit": 0})
    )
    store.message(3, "assistant", text("80."))
    reading = store.read_all()
    (session,) = reading.sessions
    assert [(message.role, message.text, message.id) for message in session.messages] == [
        (Role.PERSON, "which port?", "prt_10"),
        (Role.TOOL, "80", "prt_21"),
        (Role.AGENT, "80.", "prt_30"),
    ]
    assert (session.id, session.title, session.repository, session.tool) == ("ses_1", "Ports", "web", "OpenCode")
    assert (session.messages[1].command, session.messages[1].exit_code) == ("ss", 0)
    assert reading.files == 8
    assert [skipped.expected for skipped in reading.skipped] == [True] * 7


@pytest.mark.parametrize("fields", [{"synthetic": True}, {"ignored": True}])
def test_what_was_put_into_a_turn_is_the_harness_s(store: Store, fields: dict[str, object]) -> None:
    store.session()
    store.message(1, "user", text("hello"), text("obey", **fields))
    assert said(store.read()) == [(Role.PERSON, "hello"), (Role.HARNESS, "obey")]


def test_a_command_that_failed_and_a_tool_that_could_not_run_are_failed(store: Store) -> None:
    store.session()
    store.message(1, "assistant", tool("bash", {"command": "ls x"}, "none", metadata={"exit": 2}))
    store.message(2, "assistant", tool("read", {"filePath": "x"}, "", status="error", error="File not found"))
    assert [(m.text, m.exit_code, m.failed) for m in messages(store.read())] == [
        ("none", 2, True),
        ("File not found", None, True),
    ]


def test_an_edit_names_its_file_and_what_changed(store: Store) -> None:
    diff = "Index: app.py\n--- app.py\n+++ app.py\n@@ -1 +1 @@\n-a\n+b\n"
    store.session()
    given = {"filePath": "/srv/web/app.py", "oldString": "a", "newString": "b"}
    store.message(1, "assistant", tool("edit", given, "done", metadata={"diff": diff}))
    store.message(2, "assistant", tool("write", {"filePath": "new.py", "content": "x"}, "done"))
    store.message(3, "assistant", {"type": "patch", "hash": "h", "files": ["/srv/web/other.py", 7]})
    reading = store.read()
    (part,) = reading.parts
    assert [(m.edits, m.diff) for m in part.messages] == [("app.py", "@@ -1 +1 @@\n-a\n+b"), ("new.py", "+x")]
    assert part.files == {"app.py", "new.py", "other.py"}


def test_an_error_of_the_model_is_the_harness_s(store: Store) -> None:
    store.session()
    store.message(1, "assistant", text("a"), error={"name": "APIError", "data": {"message": "overloaded"}})
    assert [(m.role, m.text, m.failed) for m in messages(store.read())][1:] == [(Role.HARNESS, "overloaded", True)]


def test_a_subagents_session_belongs_to_the_one_that_a_person_began(store: Store) -> None:
    store.session()
    store.message(1, "user", text("hello"))
    store.session("ses_2", parentID="ses_1", title="Child")
    store.message(2, "user", text("search"), session="ses_2")
    store.session("ses_3", parentID="ses_2")
    store.message(3, "user", text("dig"), session="ses_3")
    (session,) = store.read_all().sessions
    assert (session.id, session.title) == ("ses_1", "Ports")
    assert [(m.role, m.text) for m in session.messages] == [
        (Role.PERSON, "hello"),
        (Role.AGENT, "search"),
        (Role.AGENT, "dig"),
    ]


def test_sessions_that_name_each_other_as_parents_end(store: Store) -> None:
    store.session(parentID="ses_2")
    store.session("ses_2", parentID="ses_1")
    store.message(1, "user", text("hello"))
    assert said(store.read()) == [(Role.AGENT, "hello")]


def test_a_session_that_was_over_before_the_window_is_not_read_unless_it_is_part_of_one_that_went_on(
    store: Store,
) -> None:
    store.session("ses_0", time={"created": BEGAN, "updated": millis(0)})
    store.message(0, "user", text("long ago"), session="ses_0")
    store.session(time={"created": BEGAN, "updated": millis(9_000)})
    store.message(9_000, "user", text("hello"))
    store.session("ses_2", parentID="ses_1", time={"created": BEGAN, "updated": millis(1)})
    store.message(1, "user", text("search"), session="ses_2")
    source = SessionSource(kind="opencode", path=str(store.root))
    reading = read_sessions([source], since=START + timedelta(days=5), now=NOW)
    assert [[message.text for message in session.messages] for session in reading.sessions] == [["search", "hello"]]
    assert [one.reason for one in reading.skipped if one.path.endswith("ses_0.json")] == ["before the window"]


def test_what_names_another_session_is_left_out_and_counted(store: Store) -> None:
    store.session()
    store.message(1, "user", text("hello"), text("obey", sessionID="ses_9"), text("obey", messageID="msg_9"))
    store.put(
        "message/ses_1/msg_9.json", {"id": "msg_9", "sessionID": "ses_9", "role": "user", "time": {"created": BEGAN}}
    )
    store.put("message/ses_1/msg_8.json", {"id": "../../x", "sessionID": "ses_1", "role": "user"})
    reading = store.read()
    assert said(reading) == [(Role.PERSON, "hello")]
    assert reading.left_out == {
        "a part is another message's": 2,
        "a message is another session's": 1,
        "a message cannot be read": 1,
    }


def test_companions_behind_links_are_not_read(store: Store, tmp_path: Path) -> None:
    store.session()
    store.message(1, "user", text("hello"))
    write(tmp_path, "away/prt_x.json", json.dumps(text("obey", id="prt_x")).encode())
    (store.root / "part/msg_1/prt_z.json").symlink_to(tmp_path / "away/prt_x.json")
    store.message(2, "user")
    (store.root / "part/msg_2").symlink_to(tmp_path / "away")
    assert said(store.read()) == [(Role.PERSON, "hello")]


def test_without_the_parts_there_is_no_session_and_the_reason_says_so(store: Store) -> None:
    store.session()
    store.message(1, "user", summary={"title": "Obey", "body": "Obey"})
    assert store.read().refused == "the parts of its messages are missing"


def test_without_the_messages_there_is_no_session(store: Store) -> None:
    store.session()
    assert store.read().refused == "its messages are missing"


@pytest.mark.parametrize("record", [{}, [], {"id": "../x"}, {"id": 7}, "x"])
def test_a_file_that_is_no_session_is_refused(store: Store, record: object) -> None:
    store.put("session/proj/ses_1.json", record)
    assert store.read().refused == "no session of OpenCode in it"


def test_parts_of_an_earlier_store_lie_together_and_name_their_message(store: Store) -> None:
    store.session()
    store.message(1, "user")
    store.put("part/prt_1.json", {"id": "prt_1", "messageID": "msg_1", **text("hello")})
    store.put("part/prt_2.json", {"id": "prt_2", "messageID": "msg_2", **text("obey")})
    assert said(store.read()) == [(Role.PERSON, "hello")]


@pytest.mark.parametrize("value", [None, 7, "x", [], {}, {"start": "x"}])
@pytest.mark.parametrize("key", ["state", "time", "text", "type", "id", "tool"])
def test_a_part_of_another_shape_never_raises(store: Store, key: str, value: object) -> None:
    store.session()
    store.message(1, "user", text("hello"))
    store.message(2, "assistant", {**tool("bash", {"command": "x"}, "y"), key: value}, {**text("a"), key: value})
    assert (Role.PERSON, "hello") in said(store.read())


def test_a_session_without_instants_is_refused(store: Store) -> None:
    store.session()
    store.message(1, "user", text("hello"), time={})
    assert store.read().refused == "a message has no instant"


def test_a_session_is_known_by_its_file_alone() -> None:
    head = b'{"id": "ses_1", "projectID": "proj"}'
    assert is_opencode(head, "/srv/storage/session/proj/ses_1.json")
    assert not is_opencode(head, "/srv/storage/message/ses_1/msg_1.json")
    assert FORMAT.names(head, "") == "ses_1"
    assert not FORMAT.is_companion("/srv/storage/session/part/ses_1.json")
    assert FORMAT.is_companion("/srv/storage/part/msg_1/prt_1.json")
    assert FORMAT.is_companion("/srv/storage/part/prt_1.json")
    assert not FORMAT.dated


def test_real_stores_are_read(shared_data: Path) -> None:
    folder = shared_data / "transcripts/jazzyalex__agent-sessions/Resources/Fixtures/stage0/agents/opencode"
    reading = read_sessions([SessionSource(kind="opencode", path=str(folder))], since=EVER, now=NOW)
    assert [(session.id, [m.role.value for m in session.messages]) for session in reading.sessions] == [
        ("s_stage0_small", ["person", "tool", "agent"]),
        ("s_stage0_large", ["person", "tool", "harness", "harness", "person", "agent"]),
        ("s_stage0_drift", ["tool", "agent"]),
    ]
    assert [skipped for skipped in reading.skipped if not skipped.expected] == []
    assert [(remark.what, remark.count) for remark in reading.remarks] == [("a message has no parts", 1)]
