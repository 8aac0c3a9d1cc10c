from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.sessions.formats.aider import FORMAT, is_aider
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Role, SessionSource
from tests.sources.sessions.formats.aider_history import TOKENS, UNSURE, agent, own, read, started, typed
from tests.sources.sessions.transcripts import messages, said, specstory

EVER = datetime(2020, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 12, 1, tzinfo=UTC)


def test_a_person_the_agent_and_aider_itself_are_told_apart() -> None:
    text = started() + own("/usr/bin/aider", "Aider v0.47.2") + typed("use tabs\nplease") + agent("Done.") + own(TOKENS)
    assert said(read(text)) == [
        (Role.HARNESS, "/usr/bin/aider\nAider v0.47.2"),
        (Role.PERSON, "use tabs\nplease"),
        (Role.AGENT, "Done."),
        (Role.HARNESS, TOKENS),
    ]


def test_everything_is_said_when_its_session_began_in_local_time() -> None:
    reading = read(started("2026-10-21 23:50:00") + own("aider") + typed("hello"), zone="Europe/Vienna")
    assert {message.at for message in messages(reading)} == {datetime(2026, 10, 21, 21, 50, tzinfo=UTC)}


def test_the_folder_of_the_file_is_where_the_work_was_done() -> None:
    (part,) = read(started() + own("aider") + typed("hello")).parts
    assert (part.folder, part.tool) == ("web", "Aider")
    (part,) = read(started() + own("aider") + typed("hello"), path="/srv/copies/of-history.md").parts
    assert part.folder == ""


def test_an_edit_that_was_applied_names_its_file_and_what_changed() -> None:
    block = "web/app.py\n```python\n<<<<<<< SEARCH\nport = 80\n=======\nport = 8080\n>>>>>>> REPLACE\n```"
    text = started() + own("aider") + typed("other port") + agent(block)
    reading = read(text + own(TOKENS, "Applied edit to web/app.py", "Commit 1a2b3c4 feat: other port"))
    (part,) = reading.parts
    (edit,) = [message for message in part.messages if message.edits]
    assert (edit.role, edit.text, edit.edits) == (Role.TOOL, "Applied edit to web/app.py", "web/app.py")
    assert edit.diff == "-port = 80\n+port = 8080"
    assert part.files == {"web/app.py"}
    assert said(reading)[-1] == (Role.HARNESS, "Commit 1a2b3c4 feat: other port")


def test_what_a_command_of_the_person_printed_is_a_tools() -> None:
    printed = "> == starts ==\n#### not a turn\n\n# aider chat started at 2026-10-01 00:00:00\n\n1 failed  \n"
    reading = read(
        started() + own("aider") + typed("/run pytest -q") + printed + own("Add 1k tokens?") + typed("go on")
    )
    assert [(message.role, message.command) for message in messages(reading)] == [
        (Role.HARNESS, ""),
        (Role.HARNESS, ""),
        (Role.TOOL, "pytest -q"),
        (Role.PERSON, ""),
    ]
    assert messages(reading)[2].text.split("\n")[1] == "#### not a turn"


def test_a_command_that_the_person_agreed_to_is_a_tools_and_says_with_which_code_it_ended() -> None:
    agreed = own(
        "make test", "Run shell command? [Y/n] y", "Running make test", "Command 'make test' exited with status 2"
    )
    reading = read(started() + own("Running late") + typed("test it") + agent("Sure.") + own(TOKENS) + agreed)
    assert [(m.command, m.exit_code, m.failed, m.text) for m in messages(reading) if m.role is Role.TOOL] == [
        ("make test", 2, True, "Running make test")
    ]


def test_a_session_keeps_its_id_when_the_file_grows_or_is_cut_at_its_front() -> None:
    first = started() + own("aider") + typed("one") + agent("1") + own(TOKENS)
    second = started("2026-10-22 09:00:00") + own("aider") + typed("two")
    (alone,), (grown, other) = read(first).parts, read(first + typed("more") + second).parts
    assert alone.id == grown.id
    assert [message.id for message in alone.messages] == [message.id for message in grown.messages][
        : len(alone.messages)
    ]
    assert [part.id for part in read(second).parts] == [other.id]


def test_sessions_of_one_stamp_are_two() -> None:
    first, second = started() + own("aider") + typed("one"), started() + own("aider") + typed("two")
    ids = [part.id for part in read(first + second).parts]
    assert len(set(ids)) == 2
    twice = [part.id for part in read(first + first).parts]
    assert twice == [ids[0], f"{ids[0]}-2"]
    assert all(one.startswith("aider-20261021090000-") for one in ids)


def test_a_stamp_that_goes_back_is_a_session_all_the_same() -> None:
    text = started("2026-10-25 02:30:00") + own("aider") + typed("one") + started("2026-10-25 02:10:00") + own("aider")
    assert [part.messages[-1].text for part in read(text + typed("two")).parts] == ["one", "two"]


def test_a_stamp_that_is_no_time_is_left_out_and_counted() -> None:
    reading = read(started("2026-99-99 09:00:00") + own("aider") + typed("one") + started() + own("a") + typed("two"))
    assert [part.messages[-1].text for part in reading.parts] == ["two"]
    assert reading.left_out["a session has no instant"] == 1


def test_a_session_in_which_aider_alone_speaks_is_none() -> None:
    reading = read(
        started() + own("aider --commit", "Commit 1a2b3c4 fix") + started("2026-10-21 10:00:00") + typed("hi")
    )
    assert [part.messages[-1].text for part in reading.parts] == ["hi"]
    assert reading.left_out["a session in which nobody says anything"] == 1


def test_a_cut_last_line_is_left_out_and_counted() -> None:
    reading = read(started() + own("aider") + typed("hello") + "\n#### and the")
    assert said(reading)[-1] == (Role.PERSON, "hello")
    assert reading.left_out == {"the last line is cut off": 1}


def test_lines_of_windows_read_the_same() -> None:
    text = started() + own("aider") + typed("hello\nyou") + agent("Hi.") + own(TOKENS)
    assert said(read(text.replace("\n", "\r\n"))) == said(read(text))


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "empty"), (" \n", "empty"), ("# Notes\n\n#### one  \n", "no session of Aider in it")],
)
def test_a_file_of_another_kind_is_refused_with_its_reason(text: str, reason: str) -> None:
    assert read(text).refused == reason


def test_a_history_is_known_by_its_name_or_its_lines() -> None:
    assert is_aider(b"", "/srv/web/.aider.chat.history.md")
    assert is_aider(started().encode(), "/srv/copy.md")
    assert not is_aider(specstory(("User", started())), "/srv/copy.md")
    assert not is_aider(b"see # aider chat started at 2026-10-21 09:00:00\n", "/srv/copy.md")
    assert FORMAT.suffixes == (".md",)


LINES = st.sampled_from(
    [
        "",
        "#### a  ",
        "#### ",
        "> b  ",
        "> b",
        "word",
        "```",
        "```py",
        "<source>",
        "</source>",
        "# aider chat started at ",
    ]
)


@given(st.lists(st.one_of(LINES, st.text(max_size=20)), max_size=40))
def test_no_lines_raise_and_what_was_read_stays_when_more_is_written(lines: Sequence[str]) -> None:
    text = started() + own("aider") + typed("hello") + "\n".join(lines)
    reading = read(text)
    (first, *_) = reading.parts
    assert first.messages[1].text.startswith("hello")
    (again, *_) = read(text + "\n" + started("2026-10-23 09:00:00") + own("aider") + typed("later")).parts
    assert again.id == first.id


@pytest.mark.parametrize(
    "text", ["#### " * 20_000, "> " * 50_000, "`" * 100_000, "<source>\n" * 10_000, "\n" * 100_000]
)
def test_long_and_repeated_lines_are_read(text: str) -> None:
    assert read(started() + own("aider") + typed("hello") + "\n" + text).parts


def test_the_real_history_is_read_whole(shared_data: Path) -> None:
    """Of 1132 sessions 677 have anything said in them; headings in replies are an agent's."""
    folder = shared_data / "transcripts" / "Aider-AI__aider"
    reading = read_sessions([SessionSource(kind="aider", path=str(folder))], since=EVER, now=NOW)
    remarks = {remark.what: remark.count for remark in reading.remarks}
    assert len(reading.sessions) + remarks["a session in which nobody says anything"] == 1132
    assert len(reading.sessions) == 677
    assert remarks[UNSURE] <= 30
    heads = [
        message.role
        for session in reading.sessions
        for message in session.messages
        if "\n#### `" in message.text or "\n#### /help" in message.text
    ]
    assert set(heads) == {Role.AGENT}
    typed_words = [
        message.text for session in reading.sessions for message in session.messages if message.role is Role.PERSON
    ]
    assert 850 <= len(typed_words) <= 890
    assert [text for text in typed_words if text.startswith(("# Fix", "# Question", "/run", "/add", "<blank>"))] == []
    assert sum(bool(message.diff) for session in reading.sessions for message in session.messages) >= 400
