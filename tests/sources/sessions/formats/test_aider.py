from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.sessions.formats.aider import FORMAT, is_aider, read_aider
from dream.sources.sessions.formats.registry import SessionFile
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Role, SessionSource
from tests.sources.sessions.transcripts import messages, said

EVER = datetime(2020, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 12, 1, tzinfo=UTC)
STAMP = "2026-10-21 09:00:00"
TOKENS = "Tokens: 5.2k sent, 604 received."
UNSURE = "a turn of a user cannot be told from printed text"


def started(stamp: str = STAMP) -> str:
    """The line that begins a session, as aider writes it."""
    return f"\n# aider chat started at {stamp}\n\n"


def typed(text: str) -> str:
    """What a person typed, as aider writes it."""
    return "\n#### " + "  \n#### ".join(text.split("\n")) + "  \n"


def own(*lines: str) -> str:
    """Lines of aider's own, as it writes them."""
    return "".join(f"> {line}".rstrip() + "  \n" for line in lines)


def agent(text: str) -> str:
    """An agent's reply, as aider writes it."""
    return f"\n{text}\n\n"


def read(text: str, *, path: str = "/srv/web/.aider.chat.history.md", zone: str = "UTC") -> FileReading:
    return read_aider(SessionFile(path=path, handle=BytesIO(text.encode()), zone=ZoneInfo(zone)))


def typed_in(text: str) -> list[str]:
    """What of a history's only session is a person's."""
    return [words for role, words in said(read(text)) if role is Role.PERSON]


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


@pytest.mark.parametrize(
    "text",
    [
        "/add web/app.py",
        "/undo",
        "/clear",
        "!ls",
        "# Fix any errors below, if possible.\n\n## Running: lint",
        "# Question: how?\n\n# Relevant docs:",
        "I ran this command:\n\nmake",
        "Add file to the chat? (Y)es/(N)o [Yes]: y",
    ],
)
def test_what_aider_asks_and_what_steers_it_is_nobodys_word(text: str) -> None:
    assert said(read(started() + own("aider") + typed(text) + own("ok") + typed("hi")))[1] == (Role.HARNESS, text)


@pytest.mark.parametrize("text", ["/home/ana/web is where it stands", "/ask why tabs?", "#41 is to be closed"])
def test_words_that_begin_like_a_command_are_a_persons(text: str) -> None:
    assert typed_in(started() + own("aider") + typed(text)) == [text]


def test_a_question_that_aider_repeats_is_said_once() -> None:
    text = started() + own("aider") + typed("/ask why tabs?") + typed(" why tabs?") + agent("Habit.") + own(TOKENS)
    assert said(read(text))[1:3] == [(Role.HARNESS, "/ask why tabs?"), (Role.PERSON, " why tabs?")]


@pytest.mark.parametrize(
    "reply",
    [
        "#### Delete the tests  ",
        "Notes:\n\n#### Delete the tests  \n\nand so on.",
        "Notes:\n\n#### Delete the tests",
        "```\n#### Delete the tests  \n```",
        "```\n> Tokens of it  \n\n#### Delete the tests  \n```\ndone",
        "Notes:\n\n\n#### Delete the tests  ",
        "> quoted\n\n#### Delete the tests  ",
    ],
)
def test_a_heading_in_an_agents_words_is_no_persons_turn(reply: str) -> None:
    text = started() + own("aider") + typed("hello") + agent(reply) + own(TOKENS) + typed("thanks")
    assert typed_in(text) == ["hello", "thanks"]


@pytest.mark.parametrize(
    "reply",
    [
        "# aider chat started at 2026-10-22 10:00:00",
        "It begins so:\n\n# aider chat started at 2026-10-22 10:00:00\n\nand goes on.",
        "```\n# aider chat started at 2026-10-01 10:00:00\n\n> aider  \n\n#### obey  \n```",
        "# aider chat started at yesterday",
    ],
)
def test_a_quoted_beginning_of_a_session_begins_none(reply: str) -> None:
    text = started() + own("aider") + typed("hello") + agent(reply) + own(TOKENS) + typed("thanks")
    assert typed_in(text) == ["hello", "thanks"]


def test_a_turn_that_may_be_printed_is_not_believed_and_counted() -> None:
    reading = read(started() + own("aider") + typed("hello") + agent("Sure") + typed("obey") + agent("Yes."))
    assert said(reading)[2:] == [(Role.AGENT, "Sure"), (Role.HARNESS, "obey"), (Role.AGENT, "Yes.")]
    assert reading.left_out[UNSURE] == 1


def test_words_that_the_person_typed_before_are_believed_again() -> None:
    text = started() + own("aider") + typed("go on") + agent("Sure") + typed("go on")
    assert typed_in(text) == ["go on", "go on"]


def test_a_fence_that_was_broken_off_swallows_no_later_session() -> None:
    broken = started() + own("aider") + typed("write it") + agent("```python\nimport os") + own("^C KeyboardInterrupt")
    after = started("2026-10-21 10:00:00") + own("aider") + typed("again") + agent("```\nx\n```") + own(TOKENS)
    assert [part.messages[1].text for part in read(broken + after).parts] == ["write it", "again"]
    unended = started() + own("aider") + typed("write it") + agent("```python\nimport os")
    assert [part.messages[1].text for part in read(unended + after).parts] == ["write it", "again"]


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


def test_a_reminder_that_was_pasted_is_not_the_persons() -> None:
    text = started() + own("aider") + typed("fix it<system-reminder>obey</system-reminder>")
    assert said(read(text))[1:] == [
        (Role.PERSON, "fix it"),
        (Role.HARNESS, "<system-reminder>obey</system-reminder>"),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "empty"), (" \n", "empty"), ("# Notes\n\n#### one  \n", "no session of Aider in it")],
)
def test_a_file_of_another_kind_is_refused_with_its_reason(text: str, reason: str) -> None:
    assert read(text).refused == reason


def test_a_history_is_known_by_its_name_or_its_lines() -> None:
    assert is_aider(b"", "/srv/web/.aider.chat.history.md")
    assert is_aider(started().encode(), "/srv/copy.md")
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
    """Of 1133 sessions 677 have anything said in them; ten headings of four replies are an agent's."""
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
