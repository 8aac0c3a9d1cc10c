"""Questions come from all of a session, and a text that does not hold the answer does not answer them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.condense.__main__ import main
from bench.condense.answering import Searched
from bench.condense.corpus import collections
from bench.condense.measuring import measured
from bench.condense.questions import Kind, Question, questions_of
from dream.sources.sessions.condensing import CondensingLimits, whole
from dream.sources.sessions.values import Session
from tests.sources.sessions.conversations import agent, called, person, ran, session
from tests.sources.sessions.transcripts import agent as agent_line
from tests.sources.sessions.transcripts import call, jsonl, result, user


@pytest.fixture
def talk() -> Session:
    return session(
        person("Look at https://ci.example/41."),
        ran("make test\nmake lint", "error: no rule\nSeed 7\n2 failed, 12 passed in 3.41s\n", exit_code=2),
        called("Edit: src/a.py", "updated", edits="src/a.py", diff="@@ -1 +1 @@\n-a\n+b"),
        agent("Done."),
        files=("src/a.py",),
        pull_requests=("acme/web#41",),
    )


def test_there_is_a_question_for_each_thing_that_one_would_look_up(talk: Session) -> None:
    assert [(one.kind, one.search, one.expected) for one in questions_of(talk)] == [
        (Kind.LINK, "https://ci.example/41", "https://ci.example/41"),
        (Kind.COMMAND, "make test", "make test\nmake lint"),
        (Kind.EXIT_CODE, "make test", " exit 2 "),
        (Kind.ERROR, "error: no rule", "error: no rule"),
        (Kind.ERROR, "2 failed, 12 passed in 3.41s", "2 failed, 12 passed in 3.41s"),
        (Kind.VALUE, "2 failed, 12 passed in", "3.41s"),
        (Kind.EARLIER, "Seed", "7"),
        (Kind.PATH, "a.py", "src/a.py"),
        (Kind.PULL_REQUEST, "#41", "acme/web#41"),
    ]


def test_all_of_a_session_answers_each_and_a_text_without_it_does_not(talk: Session) -> None:
    text = whole(talk).text
    for question in questions_of(talk):
        assert Searched(text).answers(question)
        lines = [line for line in question.expected.split("\n") if line.strip()]
        assert not Searched(text.replace(lines[-1].strip(), "…")).answers(question)


def test_what_stands_in_another_message_is_no_answer(talk: Session) -> None:
    searched = Searched(whole(talk).text)
    assert not searched.answers(Question(kind=Kind.EXIT_CODE, search="make test", expected=" exit 0 "))
    assert not searched.answers(Question(kind=Kind.EXIT_CODE, search="Done.", expected=" exit 2 "))
    assert not searched.answers(Question(kind=Kind.VALUE, search="error: no rule", expected="3.41s", is_near=True))


def test_the_tables_are_printed_for_whatever_transcripts_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.jsonl").write_bytes(
        jsonl(
            [
                user(1, "Run it."),
                call(2, "Bash", {"command": "make test"}),
                result(3, 2, "collecting\n" * 900 + "12 passed in 3.41s"),
                agent_line(4, "It passes."),
            ]
        )
    )
    assert main([str(tmp_path), "--lost", "2"]) == 0
    printed = capsys.readouterr().out
    assert "| Claude Code (claude-code) | 1 | 1 |" in printed
    assert "| last values printed | 1 | 1 | 100.00 |" in printed


def test_real_sessions_get_as_small_as_is_wanted_and_still_answer(shared_data: Path) -> None:
    (found,) = collections(shared_data / "transcripts" / "PackmindHub__context-evaluator")
    units = [measured(unit, CondensingLimits()) for unit in found.units]
    condensed = sum(unit.condensed for unit in units)
    assert sum(unit.raw for unit in units) >= 15 * condensed
    assert sum(unit.full for unit in units) >= 5 * condensed
    asked = sum(unit.answers.count for unit in units)
    assert asked > 500
    assert sum(unit.answers.share * unit.answers.count for unit in units) >= 95 * asked
