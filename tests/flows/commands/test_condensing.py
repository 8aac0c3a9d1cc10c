"""`dream condense` on files of every sort."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from config.limits import Condensing
from dream.sources.sessions.condensed import passages_in
from dream.sources.sessions.condensing import CondensingLimits
from tests.sources.sessions.transcripts import agent, call, jsonl, result, user
from tests.support.commands import Commands

PASSWORD = "hunter2-" + "Tr0ub4dor"


@pytest.fixture
def dream(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Commands]:
    yield Commands(tmp_path, capsys, monkeypatch)
    structlog.reset_defaults()


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "one.jsonl"
    path.write_bytes(
        jsonl(
            [
                user(1, "Please run the tests, password: " + PASSWORD),
                call(2, "Bash", {"command": "make test"}),
                result(3, 2, "collecting\n" * 200 + "\x1b[31m1 failed\x1b[0m, 12 passed"),
                agent(4, "One fails."),
            ]
        )
    )
    return path


def test_a_transcript_is_shown_condensed_and_nothing_in_it_acts_on_the_terminal(
    dream: Commands, transcript: Path
) -> None:
    ended = dream("condense", str(transcript))
    assert ended.exit == 0
    assert "Please run the tests, password: *****************\n" in ended.out
    assert "\u241b[31m1 failed\u241b[0m, 12 passed\n" in ended.out
    assert "\x1b" not in ended.out
    assert PASSWORD not in ended.out


def test_the_document_holds_the_text_of_each_session_and_where_its_passages_stand(
    dream: Commands, transcript: Path
) -> None:
    ended = dream("condense", "--json", str(transcript))
    assert ended.exit == 0
    assert (ended.document["format"], ended.document["refused"], ended.document["left_out"]) == ("claude-code", "", {})
    (session,) = ended.document["sessions"]
    assert session["source"] == "thread_7c2e91aa"
    assert session["passages"] == [
        {"message": one.message, "start": one.start, "end": one.end} for one in passages_in(session["text"])
    ]
    assert PASSWORD not in ended.out


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "none of the formats known"),
        (b"\x00\x01\x02", "none of the formats known"),
        (b"# Notes\n\nNobody spoke.\n", "none of the formats known"),
    ],
)
def test_what_no_tool_wrote_is_refused_with_the_reason(
    dream: Commands, tmp_path: Path, data: bytes, reason: str
) -> None:
    path = tmp_path / "notes"
    path.write_bytes(data)
    ended = dream("condense", str(path))
    assert ended.exit == 1
    assert f"{path}: refused: {reason}" in ended.out
    document = dream("condense", "--json", str(path)).document
    assert (document["sessions"], document["refused"].startswith(reason)) == ([], True)


def test_no_file_and_a_folder_are_wrong_usage(dream: Commands, tmp_path: Path) -> None:
    for path, why in ((tmp_path / "none", f"there is no {tmp_path}/none"), (tmp_path, f"{tmp_path} is no file")):
        ended = dream("condense", str(path))
        assert (ended.exit, ended.out) == (2, "")
        assert why in ended.err


def test_what_is_configured_is_what_the_condenser_does_by_itself() -> None:
    assert CondensingLimits(**Condensing().model_dump()) == CondensingLimits()
