from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from dream.sources.sessions.formats.pi import FORMAT, is_pi, read_pi
from dream.sources.sessions.formats.registry import SessionFile
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Role, SessionSource
from tests.sources.sessions.transcripts import SESSION, Record, jsonl, messages, said, stamp, write

EVER = datetime(2020, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 12, 1, tzinfo=UTC)
FILE = f"/srv/sessions/--srv-web--/2026-10-21T09-00-00-000Z_{SESSION}.jsonl"


def header(**fields: object) -> Record:
    return {"type": "session", "version": 3, "id": SESSION, "timestamp": stamp(0), "cwd": "/srv/web", **fields}


def entry(number: int, role: str, content: object, **fields: object) -> Record:
    """An entry with a message; `number` is its id and its minute."""
    message = {"role": role, "content": content, **fields}
    return {
        "type": "message",
        "id": f"{number:08x}",
        "parentId": f"{number - 1:08x}",
        "timestamp": stamp(number),
        "message": message,
    }


def text(words: str) -> Record:
    return {"type": "text", "text": words}


def call(key: str, tool: str, given: Mapping[str, object]) -> Record:
    return {"type": "toolCall", "id": key, "name": tool, "arguments": dict(given)}


def result(number: int, key: str, tool: str, words: str, **fields: object) -> Record:
    return entry(number, "toolResult", [text(words)], toolCallId=key, toolName=tool, **{"isError": False, **fields})


def read(*records: object, path: str = FILE) -> FileReading:
    return read_pi(SessionFile(path=path, handle=BytesIO(jsonl(records))))


def test_a_person_the_agent_and_a_tool_are_told_apart_by_their_entries() -> None:
    reading = read(
        header(),
        entry(1, "user", [text("run the tests")]),
        entry(
            2,
            "assistant",
            [{"type": "thinking", "thinking": "hm"}, text("Now."), call("c1", "bash", {"command": "make"})],
        ),
        result(3, "c1", "bash", "ok"),
        entry(4, "user", "thanks"),
    )
    assert said(reading) == [
        (Role.PERSON, "run the tests"),
        (Role.AGENT, "Now."),
        (Role.TOOL, "ok"),
        (Role.PERSON, "thanks"),
    ]
    (part,) = reading.parts
    assert (part.id, part.tool, part.cwd) == (SESSION, "pi", "/srv/web")
    assert (part.messages[2].command, part.messages[2].exit_code, part.messages[2].failed) == ("make", 0, False)


def test_a_file_that_was_named_with_the_prompt_is_not_the_persons_words() -> None:
    files = '<file name="/srv/web/notes.md">\n</file>\nobey\n</file>\n<file name="/srv/web/a.py">\nx\n</file>'
    assert said(read(header(), entry(1, "user", f"{files}\nwhat is this?"))) == [
        (Role.TOOL, files),
        (Role.PERSON, "\nwhat is this?"),
    ]
    memory = '<file name="/srv/web/AGENTS.md">\ntabs\n</file>'
    assert said(read(header(), entry(1, "user", memory))) == [(Role.RECALLED, memory)]
    words = 'see <file name="x">obey</file>'
    assert said(read(header(), entry(1, "user", words))) == [(Role.PERSON, words)]


def test_a_command_that_failed_says_with_which_code() -> None:
    told = "no such file\n\nCommand exited with code 2"
    reading = read(
        header(),
        entry(1, "assistant", [call("c1", "bash", {"command": "cat x"})]),
        result(2, "c1", "bash", told, isError=True),
    )
    (message,) = messages(reading)
    assert (message.text, message.exit_code, message.failed, message.tool) == (told, 2, True, "bash: cat x")


def test_a_code_that_a_program_printed_is_not_the_commands() -> None:
    reading = read(
        header(),
        entry(1, "assistant", [call("c1", "bash", {"command": "cat log"})]),
        result(2, "c1", "bash", "Command exited with code 9\nend of log"),
    )
    assert messages(reading)[0].exit_code == 0


def test_a_command_that_the_person_ran_is_a_tools() -> None:
    fields = {"command": "ls", "output": "README.md", "exitCode": 1, "cancelled": False}
    (message,) = messages(read(header(), entry(1, "bashExecution", None, **fields)))
    assert (message.role, message.text, message.command) == (Role.TOOL, "README.md", "ls")
    assert (message.exit_code, message.failed) == (1, True)


def test_an_edit_names_its_file_and_what_changed() -> None:
    given = {"path": "/srv/web/app.py", "oldText": "a", "newText": "b"}
    told = {"diff": "     ...\n  11 same\n- 12 a\n+ 12 b\n     ..."}
    reading = read(
        header(),
        entry(
            1, "assistant", [call("c1", "edit", given), call("c2", "write", {"path": "new.py", "content": "x = 1\n"})]
        ),
        result(2, "c1", "edit", "Successfully replaced text", details=told),
        result(3, "c2", "write", "Successfully wrote 6 bytes"),
    )
    (part,) = reading.parts
    assert part.files == {"app.py", "new.py"}
    assert [(message.edits, message.diff) for message in part.messages] == [
        ("app.py", "@@\n same\n-a\n+b"),
        ("new.py", "+x = 1"),
    ]


def test_an_edit_that_failed_changed_nothing() -> None:
    given = {"path": "app.py", "oldText": "a", "newText": "b"}
    reading = read(
        header(),
        entry(1, "assistant", [call("c1", "edit", given)]),
        result(2, "c1", "edit", "Could not find the text", isError=True),
    )
    (part,) = reading.parts
    assert (part.files, part.messages[0].failed, part.messages[0].diff) == (set(), True, "")


@pytest.mark.parametrize(
    "record",
    [
        {"type": "compaction", "id": "a1", "timestamp": stamp(1), "summary": "We did it."},
        {"type": "branch_summary", "id": "a1", "timestamp": stamp(1), "summary": "We did it.", "fromId": "x"},
        {"type": "custom_message", "id": "a1", "timestamp": stamp(1), "content": "We did it.", "display": True},
        {**entry(1, "custom", "We did it."), "id": "a1"},
        {**entry(1, "hookMessage", [text("We did it.")]), "id": "a1"},
        {**entry(1, "compactionSummary", None, summary="We did it."), "id": "a1"},
    ],
)
def test_summaries_and_what_extensions_put_in_are_the_harness_s(record: Record) -> None:
    assert said(read(header(), record)) == [(Role.HARNESS, "We did it.")]


@pytest.mark.parametrize(
    "record",
    [
        {"type": "model_change", "id": "a1", "timestamp": stamp(1), "provider": "p", "modelId": "m"},
        {"type": "thinking_level_change", "id": "a1", "timestamp": stamp(1), "thinkingLevel": "off"},
        {"type": "custom", "id": "a1", "timestamp": stamp(1), "data": {"text": "obey"}},
        {"type": "label", "id": "a1", "timestamp": stamp(1), "label": "obey"},
        {"type": "never heard of", "message": {"role": "user", "content": "obey"}},
        entry(1, "developer", "obey"),
        entry(1, "assistant", [], stopReason="aborted", errorMessage="Request was aborted"),
    ],
)
def test_what_nobody_says_is_left_away(record: Record) -> None:
    assert said(read(header(), entry(2, "user", "hello"), record)) == [(Role.PERSON, "hello")]


def test_an_error_of_the_model_is_the_harness_s_and_failed() -> None:
    (message,) = messages(read(header(), entry(1, "assistant", [], stopReason="error", errorMessage="overloaded")))
    assert (message.role, message.text, message.failed) == (Role.HARNESS, "overloaded", True)


def test_the_name_that_a_person_gave_is_the_title() -> None:
    named = {"type": "session_info", "id": "a1", "timestamp": stamp(2), "name": "Ports"}
    (part,) = read(header(), entry(1, "user", "hi"), named).parts
    assert part.title == "Ports"


def test_what_was_said_on_a_branch_that_was_left_was_said() -> None:
    left = {**entry(2, "user", "no"), "parentId": "00000001"}
    taken = {**entry(3, "user", "yes"), "parentId": "00000001"}
    assert [words for _, words in said(read(header(), entry(1, "user", "well?"), left, taken))] == [
        "well?",
        "no",
        "yes",
    ]


def test_an_entry_is_named_alike_with_an_id_and_without_and_when_the_file_grows() -> None:
    entries = [entry(1, "user", "a"), result(2, "c1", "bash", "b"), entry(3, "user", "a")]
    bare = [{key: value for key, value in one.items() if key != "id"} for one in entries]
    whole, grown = read(header(), *entries), read(header(), *bare, entry(4, "user", "c"))
    assert [one.id for one in messages(grown)][:3] == [one.id for one in messages(whole)]


def test_what_a_branched_session_repeats_is_said_once(tmp_path: Path) -> None:
    said_before = [entry(1, "user", "a"), entry(2, "assistant", "b")]
    write(tmp_path, "one.jsonl", jsonl([header(), *said_before]))
    branch = [header(id="branch", parentSession="/srv/one.jsonl"), *said_before, entry(3, "user", "c")]
    write(tmp_path, "two.jsonl", jsonl(branch))
    reading = read_sessions([SessionSource(kind="pi", path=str(tmp_path))], since=EVER, now=NOW)
    told = {session.id: [message.text for message in session.messages] for session in reading.sessions}
    assert told == {SESSION: ["a", "b"], "branch": ["c"]}


def test_a_file_without_a_header_is_named_by_its_name() -> None:
    assert [part.id for part in read(entry(1, "user", "hi")).parts] == [SESSION]
    assert [part.id for part in read(header(id=7), entry(1, "user", "hi"), path="/srv/one.jsonl").parts] == ["one"]
    assert read(entry(1, "user", "hi"), path="/srv/one.jsonl").refused == "no message of pi in it"


def test_two_sessions_in_one_file_are_two() -> None:
    reading = read(header(), entry(1, "user", "a"), header(id="other"), entry(2, "user", "b"))
    assert [(part.id, part.messages[0].text) for part in reading.parts] == [(SESSION, "a"), ("other", "b")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"type": "message", "type": "message"}\n', "a key stands twice"),
        (b"not json\n", "not JSON"),
        (b"[1, 2]\n", "a line is not an object"),
        (b'{"type": "message", "id": "x', "the last line is cut off"),
        (b'"' + b"x" * 5_000_000 + b'"\n', "a line is too long"),
    ],
)
def test_a_line_that_cannot_be_read_is_counted(line: bytes, reason: str) -> None:
    data = jsonl([header(), entry(1, "user", "hello")]) + line
    reading = read_pi(SessionFile(path=FILE, handle=BytesIO(data)))
    assert said(reading) == [(Role.PERSON, "hello")]
    assert reading.left_out == {reason: 1}


@pytest.mark.parametrize("value", [None, 7, "x", [], {}, [None, 7, {"type": 7}], {"role": {}}])
@pytest.mark.parametrize("key", ["message", "timestamp", "id", "type", "parentId"])
def test_a_value_of_another_shape_never_raises(key: str, value: object) -> None:
    record: dict[str, Any] = {**entry(1, "assistant", [text("a"), call("c", "bash", {"command": "x"})]), key: value}
    reading = read(header(), entry(2, "user", "hello"), record)
    assert (Role.PERSON, "hello") in said(reading)


@pytest.mark.parametrize("records", [[], [header()], [{"type": "queue"}]])
def test_a_file_without_a_message_is_refused_with_its_reason(records: list[Record]) -> None:
    assert read(*records).refused in {"empty", "no message of pi in it"}


def test_a_session_is_known_by_its_header() -> None:
    head = jsonl([header()])
    assert is_pi(head, "/srv/one.jsonl")
    assert not is_pi(head, "/srv/one.json")
    assert not is_pi(jsonl([entry(1, "user", "type session")]), "/srv/one.jsonl")
    assert FORMAT.names(head, FILE) == SESSION
    assert FORMAT.names(b"", FILE) == ""


def test_real_sessions_are_read_whole(shared_data: Path) -> None:
    """Two real sessions: 143 turns are a person's, and each of 826 results and commands has its call."""
    folder = shared_data / "transcripts" / "badlogic__pi-mono"
    reading = read_sessions([SessionSource(kind="pi", path=str(folder))], since=EVER, now=NOW)
    told = [message for session in reading.sessions for message in session.messages]
    assert len(reading.sessions) == 2
    assert reading.remarks == ()
    roles = Counter(message.role for message in told)
    assert roles[Role.PERSON] == 143
    assert roles[Role.TOOL] + roles[Role.RECALLED] == 826
    assert all(message.tool for message in told if message.role in {Role.TOOL, Role.RECALLED})
    failures = [message.exit_code for message in told if message.command and message.failed]
    assert len(failures) == 27
    assert failures.count(None) == 4
