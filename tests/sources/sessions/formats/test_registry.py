from __future__ import annotations

from dream.sources.sessions.formats.registry import format_of, formats
from tests.sources.sessions.transcripts import jsonl, user


def test_a_module_with_a_format_is_all_that_a_format_takes() -> None:
    found = formats()
    assert {"claude-code", "specstory", "summaries"} <= set(found)
    assert list(found) == sorted(found)
    assert all(kind == one.kind for kind, one in found.items())


def test_a_file_is_told_by_its_beginning_and_not_by_a_word_in_it() -> None:
    line = jsonl([user(1, "What does <!-- Claude Code Session 7c2e (2026-10-21 09:00:00) --> mean?")])
    found = format_of(line, "/srv/sessions/one.jsonl")
    assert found is not None
    assert found.kind == "claude-code"


def test_a_file_of_no_format_is_told_as_none() -> None:
    assert format_of(b"hello\n", "/srv/notes.txt") is None
    assert format_of(b"", "/srv/empty.jsonl") is None
