"""Which format each real transcript is of, told by its beginning alone."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest

from dream.sources.sessions.formats.registry import HEAD_BYTES, SessionFile, format_of, formats

# The folders of the collection name the tool; a file that is in none of them is no session.
_FOLDERS = (
    (r"agents/claude/.*\.jsonl", "claude-code"),
    (r"PackmindHub__context-evaluator/.*/full\.jsonl", "claude-code"),
    (r"(?:daaain__claude-code-log|simonw__claude-code-transcripts)/.*\.jsonl?", "claude-code"),
    (r"agents/(codex|copilot|cursor|droid|gemini|hermes|openclaw|pi|qwen)/.*\.jsonl?", r"\1"),
    (r"agents/(antigravity|grok|kimi)/.*\.jsonl", r"\1"),
    (r"agents/opencode/storage_[a-z0-9]+/session/.*\.json", "opencode"),
    (r"Fixtures/(?:codex_|session_)[a-z0-9_]+\.jsonl", "codex"),
    (r"Fixtures/Cursor/.*\.jsonl", "cursor"),
    (r"Fixtures/Cursor/.*\.db", "cursor-store"),
    (r"pi-mono/.*\.jsonl", "pi"),
    (r"\.specstory/history/.*\.md", "specstory"),
    (r"Aider-AI__aider/.*\.md", "aider"),
)


_NO_SESSIONS = (
    b"",
    b"\n",
    b"{}\n",
    b"[]",
    b"null",
    b"hello\n",
    b"# Notes\n\n- one\n",
    b"\xff\xfe\x00",
    b"{" * 50_000,
    b'{"name": "web", "type": "module", "version": "1.0.0"}\n',
)


def expected(path: Path) -> str | None:
    for pattern, kind in _FOLDERS:
        found = re.search(pattern, path.as_posix())
        if found:
            return found.expand(kind)
    return None


def head_of(path: Path) -> bytes:
    with path.open("rb") as handle:
        return handle.read(HEAD_BYTES)


@pytest.fixture(scope="module")
def files(shared_data: Path) -> list[Path]:
    return sorted(path for path in (shared_data / "transcripts").rglob("*") if path.is_file())


def test_each_transcript_is_recognised_as_what_it_is_and_nothing_else_is_taken_for_one(files: list[Path]) -> None:
    told = {path: format_of(head_of(path), str(path)) for path in files}
    wrong = [
        (path.as_posix(), form.kind if form else None)
        for path, form in told.items()
        if (form.kind if form else None) != expected(path)
    ]
    assert wrong == []
    assert len({form.kind for form in told.values() if form}) >= 17


def test_no_transcript_is_recognised_by_two_formats_unless_one_tool_is_built_on_the_other(files: list[Path]) -> None:
    for path in files:
        head = head_of(path)
        kinds = [kind for kind, form in formats().items() if form.recognises(head, str(path))]
        alike = {other for kind in kinds for other in formats()[kind].written_like}
        assert len(set(kinds) - alike) <= 1, f"{path}: {kinds}"


def test_whatever_a_format_recognises_it_reads_or_refuses_for_a_reason(files: list[Path]) -> None:
    for path in files:
        data = path.read_bytes()
        form = format_of(data[:HEAD_BYTES], str(path))
        if form is not None:
            reading = form.reads(SessionFile(path=str(path), handle=BytesIO(data)))
            assert bool(reading.parts) != bool(reading.refused), path


@pytest.mark.parametrize("kind", sorted(formats()))
def test_no_format_recognises_what_is_no_session(kind: str) -> None:
    form = formats()[kind]
    for suffix in {*form.suffixes, ".jsonl", ".json", ".md", ".db"}:
        for head in (
            b"",
            b"\n",
            b"{}\n",
            b"[]",
            b"null",
            b"hello\n",
            b"# Notes\n\n- one\n",
            b"\xff\xfe\x00",
            b"{" * 50_000,
        ):
            assert not form.recognises(head, f"/srv/notes/x{suffix}"), (suffix, head[:20])
