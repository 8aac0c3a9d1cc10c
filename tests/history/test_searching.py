from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from dream.history.searching import Query, hits_in, told_by, told_in
from dream.sources.sessions.condensed import passages_in
from dream.sources.sessions.condensing import CondensingLimits, condense, whole
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Role, SessionSource
from tests.history.sessions import condensed, message, session
from tests.history.test_lines import LINE

EVER, NOW = datetime(2020, 1, 1, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC)
TEXT = "The queue is called orders.\nIt was renamed.\n\nSomething else."


def found(query: Query, text: str = TEXT, *, most: int = 200) -> list[str]:
    return [hit.text for hit in hits_in(LINE, [("m1", text)], query, most=most)]


def test_words_are_found_in_whatever_case_on_the_lines_that_hold_all_of_them() -> None:
    assert found(Query(["QUEUE", "orders"])) == ["The queue is called orders."]


def test_words_that_stand_on_several_lines_of_a_message_give_each_of_these_lines() -> None:
    assert found(Query(["queue", "renamed"])) == ["The queue is called orders.", "It was renamed."]
    assert found(Query(["queue", "nowhere"])) == []


def test_a_pattern_is_found_line_by_line_together_with_the_words() -> None:
    assert found(Query([], pattern=re.compile("^(the|some)", re.IGNORECASE))) == [
        "The queue is called orders.",
        "Something else.",
    ]
    assert found(Query(["queue"], pattern=re.compile("orders"))) == ["The queue is called orders."]


def test_of_a_long_line_the_part_around_what_was_looked_for_is_shown() -> None:
    text = "a " * 500 + "needle" + " b" * 500
    (shown,) = found(Query(["needle"]), text, most=100)
    assert ("needle" in shown, len(shown), shown[0], shown[-1]) == (True, 102, "…", "…")


def test_what_acts_on_a_terminal_is_shown_and_not_done() -> None:
    assert found(Query(["danger"]), "\x1b[2Jdanger\u202e\tx") == ["\\x1b[2Jdanger\\u202e x"]


def test_of_a_whole_session_calls_edits_and_changes_are_searched_as_well() -> None:
    call = message(1, Role.TOOL, "ok", command="make test", edits="src/a.py", diff="@@\n-old\n+new")
    assert list(told_by([call])) == [("m1", "make test\nsrc/a.py\n@@\n-old\n+new\nok")]


def test_a_condensed_session_is_told_message_by_message() -> None:
    told = dict(told_in(condensed(session())))
    assert list(told) == ["", "m1", "m2", "m3", "m4"]
    assert told[""].startswith("session: thread_7c2e91aa")
    assert "Please rename the queue orders to orders-v2." in told["m1"]
    assert "2 failed, 3 passed" in told["m3"]


@given(
    st.lists(st.tuples(st.sampled_from(Role), st.text() | st.just("[m1:0-9] x\n[m2 of 4]\n")), min_size=1, max_size=8)
)
def test_no_text_is_taken_for_the_head_of_another_message(said: list[tuple[Role, str]]) -> None:
    one = session(said=said)
    for text in (condense(one, limits=CondensingLimits()).text, whole(one).text):
        told = list(told_in(text))
        assert [name for name, _ in told] == ["", *(f"m{number}" for number in range(1, len(said) + 1))]
        by_name = dict(told)
        assert all(passage.text in by_name[passage.message] for passage in passages_in(text))


def test_every_passage_of_real_sessions_is_found_in_its_own_message(shared_data: Path) -> None:
    folder = shared_data / "transcripts" / "PackmindHub__context-evaluator"
    reading = read_sessions([SessionSource(kind="claude-code", path=str(folder))], since=EVER, now=NOW)
    assert len(reading.sessions) > 10
    for one in reading.sessions:
        text = condense(one, limits=CondensingLimits()).text
        told = dict(told_in(text))
        assert [passage for passage in passages_in(text) if passage.text not in told[passage.message]] == []
