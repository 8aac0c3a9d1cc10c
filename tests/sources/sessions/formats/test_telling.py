from __future__ import annotations

from io import BytesIO

import pytest

from dream.sources.sessions.formats.diffs import Edit
from dream.sources.sessions.formats.registry import SessionFile
from dream.sources.sessions.formats.telling import (
    Call,
    Gathering,
    Output,
    Telling,
    command_of,
    repository_named,
)
from dream.sources.sessions.values import Role
from tests.sources.sessions.transcripts import at, stamp


@pytest.fixture
def gathering() -> Gathering:
    return Gathering(SessionFile(path="/srv/one.jsonl", handle=BytesIO()), tool="Any")


@pytest.fixture
def telling(gathering: Gathering) -> Telling:
    return gathering.of("s")


def told(telling: Telling) -> list[tuple[Role, str, str]]:
    return [(message.role, message.text, message.command) for message in telling.part.messages]


def test_what_nobody_answered_stands_where_it_was_asked(telling: Telling) -> None:
    telling.call("a", Call(tool="Bash", command="one"), stamp(1))
    telling.call("b", Call(tool="Bash", command="two"), stamp(1))
    telling.call("c", Call(tool="Read", details="x.py"), stamp(1))
    telling.say(Role.AGENT, "I wait.", stamp(2))
    telling.call("d", Call(tool="Bash", command="three"), stamp(3))
    telling.finish()
    assert told(telling) == [
        (Role.TOOL, "", "one"),
        (Role.TOOL, "", "two"),
        (Role.AGENT, "I wait.", ""),
        (Role.TOOL, "", "three"),
    ]


def test_a_call_is_answered_once_and_an_answer_to_none_is_a_tools(telling: Telling) -> None:
    telling.call("a", Call(tool="Bash", command="one"), stamp(1))
    telling.answer("a", Output(text="1", exit_code=0), stamp(2))
    telling.answer("a", Output(text="again"), stamp(3))
    telling.finish()
    assert told(telling) == [(Role.TOOL, "1", "one"), (Role.TOOL, "again", "")]


def test_an_output_of_nothing_is_kept_where_its_call_tells_something(telling: Telling) -> None:
    telling.call("a", Call(tool="Bash", command="true"), stamp(1))
    telling.answer("a", Output(text="", exit_code=0), stamp(2))
    telling.call("b", Call(tool="Read", details="x.py"), stamp(3))
    telling.answer("b", Output(text=" "), stamp(4))
    assert told(telling) == [(Role.TOOL, "", "true")]


def test_what_agents_are_told_to_remember_is_recalled_however_it_is_read(telling: Telling) -> None:
    telling.call("a", Call(tool="Bash", command="cat AGENTS.md"), stamp(1))
    telling.answer("a", Output(text="Use tabs."), stamp(2))
    assert told(telling) == [(Role.RECALLED, "Use tabs.", "cat AGENTS.md")]


def test_a_subagents_session_has_no_person_but_keeps_what_is_the_harnesss(telling: Telling) -> None:
    telling.is_subagent = True
    telling.say(Role.PERSON, "Look for leaks.<system-reminder>Be brief.</system-reminder>", stamp(1))
    assert told(telling) == [
        (Role.AGENT, "Look for leaks.", ""),
        (Role.HARNESS, "<system-reminder>Be brief.</system-reminder>", ""),
    ]


def test_a_message_without_an_instant_takes_the_one_before_it(gathering: Gathering, telling: Telling) -> None:
    telling.say(Role.AGENT, "zero", None)
    telling.say(Role.AGENT, "one", stamp(1))
    telling.say(Role.AGENT, "two", "soon")
    assert [(message.text, message.at) for message in telling.part.messages] == [("one", at(1)), ("two", at(1))]
    assert gathering.reading.left_out == {
        "a message has no instant": 1,
        "a message has no instant: the one before it stands for it": 1,
    }


def test_an_edit_of_a_failed_call_is_none_and_a_told_one_goes_before_the_calls(telling: Telling) -> None:
    call = Call(tool="edit", edits=(Edit("/w/a.py", "+guess"),))
    telling.part.cwd = "/w"
    telling.call("a", call, stamp(1))
    telling.answer("a", Output(text="no", failed=True), stamp(1))
    telling.call("b", call, stamp(2))
    telling.answer("b", Output(text="ok\n+fact", edits=(Edit("/w/a.py", "+fact"),)), stamp(2))
    assert [(one.text, one.edits, one.diff, one.failed) for one in telling.part.messages] == [
        ("no", "", "", True),
        ("ok", "a.py", "+fact", False),
    ]
    assert telling.part.files == {"a.py"}


def test_what_is_taken_back_takes_its_open_calls_along(gathering: Gathering, telling: Telling) -> None:
    telling.say(Role.PERSON, "one", stamp(1))
    telling.call("a", Call(tool="Bash", command="kept"), stamp(1))
    telling.say(Role.PERSON, "two", stamp(2))
    telling.call("b", Call(tool="Bash", command="gone"), stamp(2))
    telling.cut_at(1)
    telling.cut_at(1)
    telling.finish()
    assert told(telling) == [(Role.PERSON, "one", ""), (Role.TOOL, "", "kept")]
    assert gathering.reading.left_out == {"a message was taken back": 1}


@pytest.mark.parametrize(
    ("given", "command"),
    [
        ("make test", "make test"),
        (["bash", "-lc", "make test | tail"], "make test | tail"),
        (["/usr/bin/zsh", "-c", "ls"], "ls"),
        (["powershell.exe", "-Command", "dir"], "dir"),
        (["cmd", "/c", "dir"], "dir"),
        (["git", "commit", "two words"], "git commit 'two words'"),
        (["ls"], "ls"),
        ([], ""),
        (["ls", 1], ""),
        (None, ""),
    ],
)
def test_a_command_is_one_text(given: object, command: str) -> None:
    assert command_of(given) == command


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://git.example/acme/web.git", "acme/web"),
        ("https://ana:hush@git.example/acme/web", "acme/web"),
        ("git@git.example:acme/web.git", "acme/web"),
        ("ssh://git@git.example:2222/group/acme/web.git/", "acme/web"),
        ("https://git.example/web", ""),
        ("/srv/git/acme/web", ""),
        ("", ""),
        ("https://git.example/acme/web?token=hush", ""),
    ],
)
def test_a_repository_is_named_by_its_owner_and_name_alone(url: str, name: str) -> None:
    assert repository_named(url) == name
