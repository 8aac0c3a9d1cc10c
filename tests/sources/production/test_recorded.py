"""Recorded answers: said again as they were, and no file that is broken ends a night."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.production.answers import BadAnswersError
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Down, Found, Line, Nothing, Operation, Proof, Refused
from dream.sources.production.recorded import RecordedAnswer, RecordedProbe, read_answers, write_answers

_FOUND = Found(
    lines=(Line(text='name="orders-api" replicas=7', fields=(("name", "orders-api"), ("replicas", "7"))),),
    values=("7",),
    names=("orders-api",),
    cut=True,
)
_ANSWERS = (
    RecordedAnswer(operation="get", text="/services/orders-api", answer=_FOUND),
    RecordedAnswer(operation="get", text="/gone", answer=Nothing("it is empty")),
    RecordedAnswer(operation="status", text="/a", answer=Down("no answer in 10 s")),
    RecordedAnswer(operation="status", text="", answer=Refused("no")),
)

_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_PAIRS = st.tuples(_TEXTS, _TEXTS)
_LINES = st.builds(Line, text=_TEXTS, fields=st.lists(_PAIRS, max_size=3).map(tuple))
_FOUNDS = st.builds(
    Found,
    lines=st.lists(_LINES, max_size=3).map(tuple),
    values=st.lists(_TEXTS, max_size=3).map(tuple),
    names=st.lists(_TEXTS, max_size=3).map(tuple),
    cut=st.booleans(),
)
_ANY = _FOUNDS | st.builds(Nothing, _TEXTS) | st.builds(Down, _TEXTS) | st.builds(Refused, _TEXTS)


def _probe(folder: Path, data: bytes, limits: ProbeLimits | None = None) -> RecordedProbe:
    path = folder / "answers.json"
    path.write_bytes(data)
    return RecordedProbe("status", path, limits=limits)


def test_a_recorded_answer_is_given_again_as_it_was(tmp_path: Path) -> None:
    probe = _probe(tmp_path, write_answers(_ANSWERS))
    assert [probe.ask(item.operation, item.text) for item in _ANSWERS] == [item.answer for item in _ANSWERS]
    assert (probe.name, probe.objection("drop", "everything")) == ("status", "")
    assert probe.operations == (
        Operation(name="get", form="/services/orders-api", meaning="what was recorded"),
        Operation(name="status", form="/a", meaning="what was recorded"),
    )
    assert probe.examine() == (Proof(tried="read the file", sound=True, seen="4 answers"),)


def test_what_was_not_recorded_is_not_known(tmp_path: Path) -> None:
    probe = _probe(tmp_path, write_answers(_ANSWERS))
    assert probe.ask("get", "/services/orders-api ") == Nothing("no answer to that was recorded")


def test_an_answer_of_the_file_is_kept_within_the_limits(tmp_path: Path) -> None:
    lines = (Line(text="a" * 81, fields=(("a", "b"),)), Line(text="b"), Line(text="c"))
    item = RecordedAnswer(operation="get", text="", answer=Found(lines=lines))
    probe = _probe(tmp_path, write_answers([item]), ProbeLimits(lines=2, line_characters=80))
    assert probe.ask("get", "") == Found(lines=(Line(text="a" * 78 + " …"), Line(text="b")), cut=True)


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"{", b"{}", b"7", b"null", b"\xff", b"[" * 100_000, b"[1]", b"[{}]", b"[NaN]"),
        b'[{"operation": "get", "text": "", "answer": {}}]',
        b'[{"operation": "get", "text": "", "answer": {"nothing": "a", "down": "b"}}]',
        b'[{"operation": "get", "text": "", "answer": {"nothing": 7}}]',
        b'[{"operation": "get", "text": "", "answer": {"nothing": "a"}, "more": 1}]',
        b'[{"operation": 7, "text": "", "answer": {"nothing": "a"}}]',
        b'[{"operation": "get", "text": "", "answer": {"found": {"lines": [{"text": "a", "fields": [["a"]]}]}}}]',
        b'[{"operation": "get", "text": "", "answer": {"found": {"lines": [], "cut": "no"}}}]',
        b'[{"operation": "get", "answer": {"nothing": "a"}}, {"operation": "get", "answer": {"nothing": "b"}}]',
    ],
)
def test_a_broken_file_makes_the_probe_down_and_says_why(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(BadAnswersError):
        read_answers(data)
    probe = _probe(tmp_path, data)
    answer = probe.ask("get", "")
    assert isinstance(answer, Down)
    assert answer.reason.startswith("its file of answers is broken: ")
    assert (probe.operations, probe.examine()) == (
        (),
        (Proof(tried="read the file", sound=False, seen=answer.reason),),
    )


def test_a_file_that_is_none_makes_the_probe_down(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "gone.json", tmp_path, tmp_path / "pipe", tmp_path / "a\0b"):
        assert isinstance(RecordedProbe("status", path).ask("get", ""), Down)
    gone = tmp_path / "none\n.json"
    shown = f"{tmp_path}/none\\n.json"
    assert RecordedProbe("status", gone).ask("get", "") == Down(f"its file of answers is not there: {shown}")


@given(st.lists(st.tuples(_TEXTS, _TEXTS, _ANY), max_size=4, unique_by=lambda item: item[:2]))
def test_answers_are_read_as_they_were_written_and_written_as_they_were_read(
    items: list[tuple[str, str, Found | Nothing | Down | Refused]],
) -> None:
    answers = tuple(RecordedAnswer(operation=name, text=text, answer=answer) for name, text, answer in items)
    data = write_answers(answers)
    assert read_answers(data) == answers
    assert write_answers(read_answers(data)) == data
