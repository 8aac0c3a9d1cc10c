from __future__ import annotations

from dream.sources.sessions.values import Change, Command, Failure, Link, Message, Role, Session
from tests.sources.sessions.transcripts import at


def session(*messages: Message) -> Session:
    return Session(id="7c2e91aa", tool="Claude Code", messages=messages, digest="d")


def message(role: Role, text: str, **told: object) -> Message:
    return Message(id="x", at=at(0), role=role, text=text, **told)  # type: ignore[arg-type]  # fields by name


def test_commands_errors_and_diffs_name_the_message_that_tells_of_them() -> None:
    told = session(
        message(Role.PERSON, "go"),
        message(Role.TOOL, "boom", tool="Bash: make", command="make", exit_code=2, failed=True),
        message(Role.TOOL, "", tool="Bash: true", command="true", exit_code=0),
        message(Role.HARNESS, "not found", tool="Edit: a.py", failed=True),
        message(Role.TOOL, "", tool="Edit: a.py", edits="a.py", diff="-a\n+b"),
    )
    assert told.commands == (
        Command(message="m2", text="make", exit_code=2, failed=True),
        Command(message="m3", text="true", exit_code=0),
    )
    assert told.errors == (
        Failure(message="m2", call="Bash: make", text="boom", exit_code=2),
        Failure(message="m4", call="Edit: a.py", text="not found"),
    )
    assert told.diffs == (Change(message="m5", path="a.py", diff="-a\n+b"),)


def test_links_are_those_that_people_agents_and_tools_gave_each_with_its_first_message() -> None:
    told = session(
        message(Role.RECALLED, "http://recalled.example/x"),
        message(Role.HARNESS, "http://harness.example/x"),
        message(Role.PERSON, "See https://acme.example/a."),
        message(Role.AGENT, "(https://acme.example/a) and <https://acme.example/b?x=1#y>, done"),
        message(Role.TOOL, "no link: https:// or ftp://x"),
    )
    assert told.links == (
        Link(message="m3", url="https://acme.example/a", role=Role.PERSON),
        Link(message="m4", url="https://acme.example/b?x=1#y", role=Role.AGENT),
    )


def test_links_without_end_are_bounded() -> None:
    told = session(message(Role.TOOL, "\n".join(f"https://acme.example/{number}" for number in range(3_000))))
    assert len(told.links) == 1_000
    assert told.links[-1].url == "https://acme.example/999"
