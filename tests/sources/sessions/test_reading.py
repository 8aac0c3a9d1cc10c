from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from dream.sources.sessions.limits import ReadingLimits
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Reading, Remark, Role, SessionSource, SkippedFile
from tests.sources.sessions.transcripts import (
    SESSION,
    START,
    agent,
    at,
    jsonl,
    model,
    person,
    specstory,
    stamp,
    user,
    uuid,
    write,
)

NOW = datetime(2026, 10, 22, 4, 0, tzinfo=UTC)


def read(
    path: Path,
    kind: str = "claude-code",
    *,
    since: datetime = START - timedelta(days=13),
    now: datetime = NOW,
) -> Reading:
    reading = read_sessions([SessionSource(kind=kind, path=str(path))], since=since, now=now)
    assert_accounted(reading)
    return reading


def assert_accounted(reading: Reading) -> None:
    used = {path for session in reading.sessions for path in session.origin_files}
    skipped = [skipped.path for skipped in reading.skipped]
    assert len(set(skipped)) == len(skipped)
    assert used.isdisjoint(skipped)
    assert len(used) + len(skipped) == reading.files or reading.summaries


def reasons(reading: Reading, folder: Path) -> dict[str, str]:
    return {os.path.relpath(skipped.path, folder): skipped.reason for skipped in reading.skipped}


def test_one_bad_file_never_stops_the_others(tmp_path: Path) -> None:
    write(tmp_path, "a/empty.jsonl", b"")
    write(tmp_path, "a/document.jsonl", b'{\n "loglines": []\n}\n')
    write(tmp_path, "a/long.jsonl", b"x" * 4_000_001)
    write(tmp_path, "b/utf16.jsonl", "hello".encode("utf-16") + b"\n")
    write(tmp_path, "b/deep.jsonl", b"[" * 100_000 + b"\n")
    write(tmp_path, "b/digits.jsonl", b'{"a": ' + b"1" * 5_000 + b"}\n")
    write(tmp_path, "b/twice.jsonl", b'{"type": "user", "type": "user"}\n')
    write(tmp_path, "b/nan.jsonl", b'{"a": NaN}\n')
    write(tmp_path, "b/notes.txt", b"hello")
    write(tmp_path, "c/tomorrow.jsonl", jsonl([user(1, "hi", timestamp="2026-10-23T09:00:00Z", sessionId="later")]))
    write(tmp_path, "c/old.jsonl", jsonl([user(1, "hi", timestamp="2026-01-01T09:00:00Z", sessionId="old")]))
    good = write(tmp_path, "d/good.jsonl", jsonl([user(1, "hi"), agent(2, "yes")]))
    (tmp_path / "d/link.jsonl").symlink_to(good)
    (tmp_path / "d/folder").symlink_to(tmp_path / "a", target_is_directory=True)
    os.mkfifo(tmp_path / "d/pipe.jsonl")
    reading = read(tmp_path)
    assert reasons(reading, tmp_path) == {
        "a/empty.jsonl": "empty",
        "a/document.jsonl": "no message of Claude Code in it",
        "a/long.jsonl": "a line is too long",
        "b/utf16.jsonl": "not UTF-8",
        "b/deep.jsonl": "nested too deep",
        "b/digits.jsonl": "a number of thousands of digits",
        "b/twice.jsonl": "a key stands twice",
        "b/nan.jsonl": "NaN is not JSON",
        "b/notes.txt": "not a .jsonl or .json file",
        "c/tomorrow.jsonl": "only from the future",
        "c/old.jsonl": "before the window",
        "d/link.jsonl": "a symlink",
        "d/folder": "a symlink",
        "d/pipe.jsonl": "not a regular file",
    }
    (session,) = reading.sessions
    assert (session.id, session.source, session.origin_files) == (SESSION, "thread_7c2e91aa", (str(good),))
    assert (reading.files, reading.remarks) == (15, ())
    expected = {os.path.relpath(skipped.path, tmp_path) for skipped in reading.skipped if skipped.expected}
    assert expected == {"b/notes.txt", "c/old.jsonl"}


def test_a_cut_off_file_keeps_what_is_whole_and_says_so(tmp_path: Path) -> None:
    path = write(tmp_path, "cut.jsonl", jsonl([user(1, "one"), user(2, "two")])[:-9])
    reading = read(tmp_path)
    assert [message.text for message in reading.sessions[0].messages] == ["one"]
    assert reading.remarks == (Remark(path=str(path), what="the last line is cut off", count=1),)


def test_messages_from_after_now_are_left_out_and_counted(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", jsonl([user(1, "one"), user(2, "two"), user(3, "three")]))
    reading = read(tmp_path, now=at(2))
    assert [message.text for message in reading.sessions[0].messages] == ["one", "two"]
    assert reading.remarks == (Remark(path=str(path), what="dated in the future", count=1),)
    assert read(tmp_path).sessions[0].digest != reading.sessions[0].digest


def test_what_was_said_after_the_window_waits_and_is_nobodys_fault(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", jsonl([user(1, "one"), user(2, "two"), user(3, "three")]))
    write(tmp_path, "b.jsonl", jsonl([user(4, "four", sessionId="later")]))
    source = SessionSource(kind="claude-code", path=str(tmp_path))
    reading = read_sessions([source], since=START, until=at(2), now=NOW)
    assert [message.text for message in reading.sessions[0].messages] == ["one"]
    assert reading.remarks == ()
    assert reading.skipped == (
        SkippedFile(path=str(tmp_path / "b.jsonl"), reason="only after the window", expected=True),
    )


def test_a_session_that_went_on_in_the_window_keeps_what_its_earlier_files_say(tmp_path: Path) -> None:
    early = [user(1, "long ago", timestamp="2026-09-01T09:00:00Z")]
    write(tmp_path, "early.jsonl", jsonl(early))
    write(tmp_path, "late.jsonl", jsonl([user(2, "today")]))
    reading = read(tmp_path)
    assert [message.text for message in reading.sessions[0].messages] == ["long ago", "today"]
    document = specstory((person(0), "long ago")).replace(b"2026-10-21", b"2026-09-01")
    write(tmp_path / "web/.specstory", "early.md", document)
    write(tmp_path / "web/.specstory", "late.md", specstory((person(0), "today")))
    reading = read(tmp_path / "web", "specstory")
    assert [message.text for message in reading.sessions[0].messages] == ["long ago", "today"]


def test_a_window_takes_sessions_by_the_instant_of_their_last_message(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", jsonl([user(1, "one"), user(5, "five")]))
    assert len(read(tmp_path, since=at(5)).sessions) == 1
    assert reasons(read(tmp_path, since=at(5) + timedelta(microseconds=1)), tmp_path) == {
        "a.jsonl": "before the window"
    }


def test_dates_inside_texts_move_no_session_into_the_window(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", jsonl([user(1, "until 2026-12-24 00:00")]))
    assert reasons(read(tmp_path, since=NOW), tmp_path) == {"a.jsonl": "before the window"}


def test_instants_in_other_zones_count_by_their_moment(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", jsonl([user(1, "late", timestamp="2026-10-20T23:30:00-11:00")]))
    (session,) = read(tmp_path, since=datetime(2026, 10, 21, 10, 30, tzinfo=UTC)).sessions
    assert session.ended == datetime(2026, 10, 21, 10, 30, tzinfo=UTC)
    assert read(tmp_path, since=datetime(2026, 10, 21, 10, 31, tzinfo=UTC)).sessions == ()


def test_one_session_under_three_names_is_one_session(tmp_path: Path) -> None:
    data = specstory((person(0), "fix it"), (model(1), "done"))
    for name in ("2026-10-21_09-00-00Z.md", "2026-10-21_09-00-00Z-fix-it.md", "2026-10-21_09-00-00Z-command.md"):
        write(tmp_path, f"web/.specstory/history/{name}", data)
    reading = read(tmp_path, "specstory")
    (session,) = reading.sessions
    assert (len(session.messages), len(session.origin_files), session.repository) == (2, 3, "web")


def test_a_session_in_two_formats_is_one_session(tmp_path: Path) -> None:
    write(tmp_path, "claude/a.jsonl", jsonl([user(1, "fix it")]))
    write(tmp_path, "web/.specstory/history/a.md", specstory((person(0), "fix it"), (model(1), "done")))
    sources = [
        SessionSource(kind="specstory", path=str(tmp_path / "web")),
        SessionSource(kind="claude-code", path=str(tmp_path / "claude"), person="ana", repository="acme/web"),
    ]
    reading = read_sessions(sources, since=START, now=NOW)
    assert_accounted(reading)
    (session,) = reading.sessions
    assert [(message.id, message.author) for message in session.messages] == [(uuid(1), "ana")]
    assert session.repository == "acme/web"


def test_a_file_given_by_its_name_is_read_whatever_it_is_called(tmp_path: Path) -> None:
    path = write(tmp_path, "transcript", jsonl([user(1, "hi", sessionId=None)]))
    assert [session.id for session in read(path).sessions] == ["transcript"]


def test_a_source_that_is_not_there_is_said(tmp_path: Path) -> None:
    reading = read(tmp_path / "gone")
    assert reading.skipped == (SkippedFile(path=str(tmp_path / "gone"), reason="no such file or directory"),)


def test_what_may_not_be_read_is_said() -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        write(folder, "closed/a.jsonl", jsonl([user(1, "hi")]))
        write(folder, "b.jsonl", jsonl([user(1, "hi")])).chmod(0)
        (folder / "closed").chmod(0)
        is_root = os.geteuid() == 0
        if is_root:
            os.seteuid(65_534)
        try:
            reading = read(folder)
        finally:
            if is_root:
                os.seteuid(0)
            (folder / "closed").chmod(0o700)
    assert reasons(reading, folder) == {"closed": "permission denied", "b.jsonl": "permission denied"}


def test_files_over_the_limit_are_not_opened(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", jsonl([user(1, "hi")]))
    source = SessionSource(kind="claude-code", path=str(tmp_path))
    reading = read_sessions([source], since=START, now=NOW, limits=ReadingLimits(file_bytes=10))
    assert reasons(reading, tmp_path) == {"a.jsonl": "the file is too large"}


def test_nothing_of_one_reading_is_left_for_the_next(tmp_path: Path) -> None:
    write(tmp_path, "a/a.jsonl", jsonl([user(1, "canary-5f1c")]))
    write(tmp_path, "b/b.jsonl", jsonl([user(2, "hello", sessionId="other")]))
    assert "canary-5f1c" in repr(read(tmp_path / "a"))
    assert "canary-5f1c" not in repr(read(tmp_path / "b"))


def test_a_copy_under_another_session_is_said(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", jsonl([user(1, "hi")]))
    write(tmp_path, "b.jsonl", jsonl([user(1, "hi", sessionId="zz")]))
    reading = read(tmp_path)
    assert [session.id for session in reading.sessions] == [SESSION]
    assert [skipped.reason for skipped in reading.skipped] == ["nothing of its own: another session's messages"]


def test_stamps_of_the_builder_are_what_the_window_sees() -> None:
    assert stamp(1) == "2026-10-21T09:01:00.000Z"


def test_two_sources_over_one_folder_read_each_its_own_and_tell_of_a_stray_file_once(tmp_path: Path) -> None:
    own = write(tmp_path, "a.jsonl", jsonl([user(1, "hi")]))
    document = write(tmp_path, "web/.specstory/a.md", specstory((person(0), "fix it"), session="other"))
    ready = '{"id":"r","started":"2026-10-21T09:00:00Z","ended":"2026-10-21T09:40:00Z","title":"t","lasting":"x"}\n'
    write(tmp_path, "ready.jsonl", ready.encode())
    write(tmp_path, "stray.txt", b"hello")
    write(tmp_path, "broken.jsonl", b"hello\n")
    kinds = ("claude-code", "specstory", "summaries")
    for order in (kinds, kinds[::-1]):
        sources = [SessionSource(kind=kind, path=str(tmp_path)) for kind in order]
        reading = read_sessions(sources, since=START, now=NOW)
        assert {session.origin_files for session in reading.sessions} == {(str(own),), (str(document),)}
        assert len(reading.summaries) == 1
        assert reading.files == 5
        assert [os.path.relpath(skipped.path, tmp_path) for skipped in reading.skipped] == ["broken.jsonl", "stray.txt"]
        assert [skipped.expected for skipped in reading.skipped] == [False, True]


def test_of_a_folder_that_holds_another_tools_sessions_too_these_are_nobodys_fault(tmp_path: Path) -> None:
    write(tmp_path, "ready.jsonl", b'{"id":"r","started":"x","ended":"y","title":"t"}\n')
    write(tmp_path, "web/metadata.json", b'{"session_id": "7c2e91aa"}\n')
    write(tmp_path, "web/broken.jsonl", b'{"session_id": "7c2e91aa"}\n')
    assert {(os.path.relpath(one.path, tmp_path), one.reason, one.expected) for one in read(tmp_path).skipped} == {
        ("ready.jsonl", "of another format: summaries", True),
        ("web/metadata.json", "no message of Claude Code in it", True),
        ("web/broken.jsonl", "no message of Claude Code in it", False),
    }
    alone = read(tmp_path / "web/metadata.json")
    assert [skipped.expected for skipped in alone.skipped] == [False]


def test_a_session_of_the_tools_that_is_broken_is_told_whatever_it_is_called(tmp_path: Path) -> None:
    whole = json.dumps({"loglines": [user(1, "hi"), agent(2, "yes")]}, indent=2).encode()
    write(tmp_path, "whole.json", whole)
    write(tmp_path, "cut.json", whole[:-40])
    reading = read(tmp_path)
    assert [session.id for session in reading.sessions] == [SESSION]
    assert reading.skipped == (SkippedFile(path=str(tmp_path / "cut.json"), reason="not JSON"),)


def test_a_file_of_many_sessions_is_one_file_and_those_from_before_the_window_are_no_matter(tmp_path: Path) -> None:
    old = [user(1, "long ago", timestamp="2026-09-01T09:00:00Z", sessionId="old", uuid="o")]
    path = write(tmp_path, "many.jsonl", jsonl([*old, user(2, "two", sessionId="a"), user(3, "three", sessionId="b")]))
    reading = read(tmp_path)
    assert [(session.id, session.origin_files) for session in reading.sessions] == [
        ("a", (str(path),)),
        ("b", (str(path),)),
    ]
    assert (reading.files, reading.skipped) == (1, ())
    assert reasons(read(tmp_path, since=NOW), tmp_path) == {"many.jsonl": "before the window"}


def test_a_file_that_grew_or_came_late_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", jsonl([user(1, "one")]))
    first = read(tmp_path).sessions[0]
    write(tmp_path, "a.jsonl", jsonl([user(1, "one"), agent(900, "past midnight")]))
    write(tmp_path, "b.jsonl", jsonl([user(2, "late", sessionId="late")]))
    late, grown = sorted(read(tmp_path).sessions, key=lambda session: session.id != "late")
    assert (grown.id, grown.digest == first.digest) == (first.id, False)
    assert [message.at.day for message in grown.messages] == [21, 22]
    assert late.id == "late"


def test_a_subagents_file_belongs_to_the_session_whose_folder_it_lies_in(tmp_path: Path) -> None:
    alone = {"isSidechain": True, "agentId": "a1", "sessionId": "agent-a1"}
    write(tmp_path, f"{SESSION}.jsonl", jsonl([user(1, "look around")]))
    write(tmp_path, f"{SESSION}/subagents/agent-a1.jsonl", jsonl([user(2, "Search", **alone), agent(3, "ok", **alone)]))
    write(tmp_path, f"{SESSION}/subagents/agent-a1.meta.json", b'{"agentType": "general-purpose"}')
    reading = read(tmp_path)
    (session,) = reading.sessions
    assert [(message.role, message.text) for message in session.messages] == [
        (Role.PERSON, "look around"),
        (Role.AGENT, "Search"),
        (Role.AGENT, "ok"),
    ]
    assert [skipped.expected for skipped in reading.skipped] == [True]
