"""What is kept of a session, and that every kept character is found again where it came from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.errors import FatalError
from dream.sources.sessions.condensed import Place, passages_in, places_of
from dream.sources.sessions.condensing import CondensingLimits, condense, whole
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Message, Role, Session, SessionSource
from tests.sources.sessions.conversations import START, agent, called, harness, person, ran, session

EVER = datetime(2020, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 12, 1, tzinfo=UTC)
LIMITS = CondensingLimits()
TINY = CondensingLimits(
    person=40,
    agent=30,
    final=50,
    harness=10,
    command=20,
    output_lines=2,
    output=30,
    failed_lines=3,
    failed=60,
    troubles=1,
    line=12,
    diff_lines=2,
    diff=30,
)

lines = st.sampled_from(
    [
        "",
        " ",
        "Error: no such file",
        "[m1:0-5 of 9] person",
        "[m2]",
        "> $ make",
        "see https://ci.example/build/41.",
        "+ added",
        "12 passed in 3.4s",
        "\r",
        "\u2028 \x1b[31mred\U0001f600 İ",
    ]
)
texts = st.one_of(st.text(max_size=80), st.lists(st.one_of(lines, st.text(max_size=30)), max_size=14).map("\n".join))
messages = st.builds(
    Message,
    id=st.just("u"),
    at=st.just(START) | st.just(START + timedelta(days=1)),
    role=st.sampled_from(Role),
    text=texts,
    author=st.sampled_from(["", "ana\nb"]),
    tool=st.sampled_from(["", "Read: a.py", "Bash: make\n[m1:0-3] x"]),
    cut=st.sampled_from([0, 7]),
    command=st.sampled_from(["", "make test", "cat a\n[m1:0-3] x\n\n- b"]) | st.text(max_size=30),
    exit_code=st.sampled_from([None, 0, 2]),
    failed=st.booleans(),
    edits=st.sampled_from(["", "a.py\n[m2:0-1]"]),
    diff=st.sampled_from(["", "@@ -1 +1 @@\n-a\n+b\n[m1:0-9] c"]) | texts,
)
sessions = st.lists(messages, min_size=1, max_size=6).map(
    lambda some: Session(id="7c2e91aa", tool="Claude\n\nCode", messages=tuple(some), digest="0", title="a\n\n[m1:0-9]")
)


@pytest.fixture(scope="module")
def page() -> str:
    return (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")


def shown(*some: Message, limits: CondensingLimits = LIMITS) -> str:
    """The text of a condensed session without what is told of the whole of it."""
    return condense(session(*some), limits=limits).text.partition("\n\n")[2]


@given(talk=sessions, limits=st.sampled_from([LIMITS, TINY]))
def test_every_passage_is_the_messages_own_characters_and_the_text_tells_where(
    talk: Session, limits: CondensingLimits
) -> None:
    condensed = condense(talk, limits=limits)
    for turn, message, number in zip(condensed.turns, talk.messages, range(1, 99), strict=False):
        assert (turn.message, turn.size) == (f"m{number}", len(message.text))
        ends = [edge for passage in turn.passages for edge in (passage.start, passage.end)]
        assert ends == sorted(ends)
        for passage in turn.passages:
            assert (passage.message, passage.text) == (turn.message, message.text[passage.start : passage.end])
    assert passages_in(condensed.text) == condensed.passages
    assert len(condensed.turns) == len(talk.messages)


@given(talk=sessions, data=st.data())
def test_a_quote_out_of_the_text_is_found_in_the_message_it_came_from(talk: Session, data: st.DataObject) -> None:
    passages = passages_in(condense(talk, limits=TINY).text)
    if not passages:
        return
    passage = data.draw(st.sampled_from(passages))
    start = data.draw(st.integers(0, len(passage.text) - 1))
    quote = passage.text[start : data.draw(st.integers(start + 1, len(passage.text)))]
    places = list(places_of(passages, quote))
    assert Place(message=passage.message, start=passage.start + start, end=passage.start + start + len(quote)) in places
    for place in places:
        original = talk.messages[int(place.message[1:]) - 1].text
        assert original[place.start : place.end] == quote


@given(talk=sessions)
def test_the_whole_of_a_session_in_the_same_form_leaves_nothing_out(talk: Session) -> None:
    everything = whole(talk)
    assert [passage.text for passage in everything.passages] == [one.text for one in talk.messages if one.text]
    assert passages_in(everything.text) == everything.passages


def test_a_session_as_it_is_shown() -> None:
    diff = "@@ -1,2 +1,2 @@\n-port = 80\n+port = 8080\n"
    talk = session(
        person("Make it listen on 8080.", author="ana"),
        called("Read: src/server.py", "port = 80\n" * 400),
        called("Grep: port", "src/server.py:1:port = 80\n" * 30),
        called("Edit: src/server.py", "The file src/server.py has been updated.", edits="src/server.py", diff=diff),
        ran("make test", "collecting\n" * 300 + "FAILED test_a\n" + "noise\n" * 90 + "2 failed\n1 passed", exit_code=2),
        agent("It listens on 8080."),
        repository="acme/web",
        branch="main",
        title="Port",
        pull_requests=("acme/web#41",),
        files=("src/server.py",),
    )
    assert condense(talk, limits=CondensingLimits(failed_lines=2)).text == (
        "session: thread_7c2e91aa (7c2e91aa)\n"
        "tool: Claude Code\n"
        "from: 2026-10-21T09:00:00Z to 2026-10-21T09:05:00Z\n"
        "title: Port\n"
        "repository: acme/web\n"
        "branch: main\n"
        "pull requests: acme/web#41\n"
        "edited: src/server.py\n"
        "messages: 6, 1 by people\n"
        "\n"
        "[m1:0-23] person ana 2026-10-21T09:00:00Z\n"
        "Make it listen on 8080.\n"
        "\n"
        "[m2 of 4000] tool 09:01:00 Read: src/server.py\n"
        "[m3 of 780] tool 09:02:00 Grep: port\n"
        "\n"
        "[m4 of 40] tool 09:03:00 edited src/server.py (+1 -1)\n"
        "@@ -1,2 +1,2 @@\n"
        "-port = 80\n"
        "+port = 8080\n"
        "\n"
        "[m5:3300-3313 of 3871] tool 09:04:00 exit 2 $ make test\n"
        "FAILED test_a\n"
        "[m5:3854-3871]\n"
        "2 failed\n"
        "1 passed\n"
        "\n"
        "[m6:0-19] agent 09:05:00\n"
        "It listens on 8080.\n"
    )


def test_what_people_say_is_kept_whole_and_a_page_they_pasted_at_both_ends() -> None:
    said = "Please look.\n" + "a line of a log\n" * 2_000 + "It must be the proxy."
    assert "a" * 7_999 in shown(person("a" * 7_999))
    text = shown(person(said))
    assert "Please look." in text
    assert "It must be the proxy." in text
    assert len(text) < 8_200


def test_the_last_message_of_an_agent_is_kept_longer_than_those_before() -> None:
    long = "\n".join(f"point {number} of the report" for number in range(100))
    first, last = condense(session(agent(long), agent(long)), limits=LIMITS).turns
    assert sum(len(passage.text) for passage in first.passages) <= LIMITS.agent
    assert "".join(passage.text for passage in last.passages) == long


def test_a_failed_command_keeps_more_lines_than_one_that_went_well() -> None:
    output = "\n".join(f"line {number}" for number in range(100))
    well, failed = condense(session(ran("a", output, exit_code=0), ran("b", output, failed=True)), limits=LIMITS).turns
    assert [passage.text.count("\n") + 1 for turn in (well, failed) for passage in turn.passages] == [5, 12]


def test_the_value_that_a_command_printed_last_survives_on_a_line_of_any_length() -> None:
    output = "building\n" * 500 + "pushed " + "x" * 5_000 + " digest sha256:9f2c\n\n\n"
    assert "digest sha256:9f2c" in shown(ran("docker push", output))


def test_a_command_that_prints_a_file_keeps_its_last_two_lines_only() -> None:
    output = "first = 1\n" + "error = 1\n" * 300 + "z = 25\ny = 24"
    assert shown(ran("cat src/a.py", output)).endswith(" $ cat src/a.py\nz = 25\ny = 24\n")


def test_a_command_that_prints_a_file_and_cannot_says_so_first() -> None:
    text = shown(
        ran(
            "ls -A src",
            "error: unexpected argument '-A' found\n\nUsage: ls [OPTION]... [FILE]...\n\nSee --help\nor man 1 ls",
        )
    )
    assert text.endswith("ls -A src\nerror: unexpected argument '-A' found\n[m1:72-94]\nSee --help\nor man 1 ls\n")


@pytest.mark.parametrize("failing", [{"failed": True}, {"exit_code": 1}])
def test_what_a_lookup_gave_is_told_by_its_size_unless_it_failed(failing: dict[str, int]) -> None:
    assert shown(called("Read: a.py", "x = 1\n" * 9)) == "[m1 of 54] tool 2026-10-21T09:00:00Z Read: a.py\n"
    assert "No such file: a.py" in shown(called("Read: a.py", "No such file: a.py", **failing))


def test_a_link_in_what_is_left_out_is_kept_once() -> None:
    link = "https://ci.example/build/41"
    text = shown(agent("x" * 900 + f"\n{link}\n" + "y " * 900), called("Read: b.py", f"# see {link}, and more\n" * 9))
    assert text.count(link) == 1
    assert "https://ci.example/other" in shown(called("Read: b.py", "a\n" * 99 + "https://ci.example/other).\n"))


def test_a_command_of_several_lines_is_kept_and_a_very_long_one_is_cut() -> None:
    assert "$ python - <<E\n> print(1)\n> E\n[m1:0-1]\n1\n" in shown(ran("python - <<E\nprint(1)\nE", "1"))
    text = shown(ran("python - <<E\n" + "print(1)\n" * 500 + "E", "1"))
    assert "lines left out" in text
    assert len(text) < LIMITS.command + 200


def test_a_large_change_is_counted_only() -> None:
    diff = "@@ -0,0 +1,50 @@\n" + "\n".join(f"+line {number}" for number in range(50))
    text = shown(called("Write: a.py", "File created", edits="a.py", diff=diff))
    assert text == "[m1 of 12] tool 2026-10-21T09:00:00Z edited a.py (+50 -0)\n"


def test_what_the_harness_says_is_begun_once_and_its_reminders_never() -> None:
    text = shown(
        harness("<system-reminder>Mind the todo list.</system-reminder>"),
        harness("<command-name>/review</command-name> " + "and so on " * 90),
        harness("<command-name>/review</command-name> " + "and so on " * 90),
    )
    assert "todo list" not in text
    assert text.count("/review") == 1


def test_recalled_memory_is_told_by_its_size() -> None:
    recalled = Message(id="", at=START, role=Role.RECALLED, text="Always squash. https://acme.example/rules")
    assert shown(recalled) == "[m1 of 41] recalled 2026-10-21T09:00:00Z\n"


@pytest.mark.parametrize(
    "change", [lambda text: text[:-3], lambda text: text.replace("Make", "Make all"), lambda _: ""]
)
def test_a_text_that_was_cut_or_changed_is_refused(change: Callable[[str], str]) -> None:
    text = condense(session(person("Make it so.")), limits=LIMITS).text
    with pytest.raises(FatalError):
        passages_in(change(text))


def test_of_a_long_block_of_code_that_an_agent_shows_the_beginning_is_kept() -> None:
    code = "```python\n" + "".join(f"line_{number} = 1\n" for number in range(200)) + "```\n"
    text = shown(agent(f"I changed this:\n{code}and it works."), agent(f"```\nshort\n```\n{code}"))
    assert "I changed this:\n```python\nline_0 = 1\nline_1 = 1\nline_2 = 1\nline_3 = 1\n[m1:" in text
    assert "]\n```\nand it works.\n" in text
    assert "```\nshort\n```\n" in text
    assert "line_4 " not in text


def test_the_condensed_session_that_the_page_shows_is_what_is_made_of_one(page: str) -> None:
    documented = page.partition("```text\nsession: ")[2].partition("```\n")[0]
    diff = "@@ -1,2 +1,2 @@\n-port = 80\n+port = 8080\n"
    talk = session(
        person("Make it listen on 8080.", author="ana"),
        called("Read: src/server.py", "port = 80\n" * 400),
        called("Edit: src/server.py", "The file src/server.py has been updated.", edits="src/server.py", diff=diff),
        ran("make test", "collecting\n" * 300 + "FAILED test_a\n" + "noise\n" * 90 + "2 failed\n1 passed", exit_code=2),
        agent("It listens on 8080."),
        repository="acme/web",
        files=("src/server.py",),
    )
    named = replace(talk, id="7c2e91aa-0000-4000-8000-000000000001")
    assert f"session: {documented}" == condense(named, limits=CondensingLimits(failed_lines=2)).text


def test_every_passage_of_real_sessions_stands_where_it_says(shared_data: Path) -> None:
    folder = shared_data / "transcripts" / "PackmindHub__context-evaluator"
    reading = read_sessions([SessionSource(kind="claude-code", path=str(folder))], since=EVER, now=NOW)
    for talk in reading.sessions:
        texts = {f"m{number}": message.text for number, message in enumerate(talk.messages, 1)}
        passages = passages_in(condense(talk, limits=LIMITS).text)
        assert all(texts[one.message][one.start : one.end] == one.text for one in passages)
        assert len(passages) > 4
