from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.pull_requests.agents import KNOWN_AGENTS
from dream.sources.pull_requests.classification import classify
from dream.sources.pull_requests.recorded import read_pull_requests
from dream.sources.pull_requests.records import read_record
from dream.sources.pull_requests.values import (
    Actor,
    ActorKind,
    Comment,
    Commit,
    Event,
    Fate,
    FileEdit,
    PullRequest,
    PullRequestReading,
    PullRequestSource,
    Review,
    SkippedRecord,
    Thread,
)
from tests.sources.pull_requests.records import BOT, commit, event, pull_request, record

ANA = Actor(login="ana", kind=ActorKind.PERSON)
AGENT = Actor(login=BOT, kind=ActorKind.BOT)
TEN = datetime(2026, 10, 21, 10, tzinfo=UTC)


def read(*paths: Path) -> PullRequestReading:
    reading = read_pull_requests([PullRequestSource(path=str(path)) for path in paths])
    assert reading.records == len(reading.pull_requests) + len(reading.skipped)
    return reading


def test_a_record_is_read_as_it_is_documented() -> None:
    recorded = record(
        "merged",
        commit(1, BOT, date="2026-10-20T12:00:00Z", parents=["a" * 40], files=[{"path": "x"}]),
        reviews=[{"id": 7, "user": "ana", "state": "approved", "submitted_at": "", "body": None}],
        comments=[
            {"id": "8", "user": {"login": "ci", "type": "Bot"}, "body": "ok", "created_at": "2026-10-21T10:00:00Z"}
        ],
        timeline=[event("merged", "ana", commit_id="b" * 40)],
        merged_by="ana",
        html_url="https://git.acme.example/acme/web/pull/41",
        labels=["queue"],
        branch="devin/queue",
        agent="Devin",
        body="It fixes.",
        _derived={"category": "x"},
    )
    made = pull_request(recorded)
    assert made == PullRequest(
        repository="acme/web",
        number=41,
        title="Fix the queue",
        author=AGENT,
        state="merged",
        digest=made.digest,
        agent="Devin",
        url="https://git.acme.example/acme/web/pull/41",
        body="It fixes.",
        branch="devin/queue",
        labels=("queue",),
        created_at=datetime(2026, 10, 20, 10, tzinfo=UTC),
        closed_at=TEN,
        merged_at=TEN,
        merged_by=ANA,
        commits=(
            Commit(
                sha=f"{1:040x}",
                author=AGENT,
                committer=AGENT,
                message="fix",
                parents=("a" * 40,),
                at=datetime(2026, 10, 20, 12, tzinfo=UTC),
            ),
        ),
        reviews=(Review(id="7", actor=ANA, state="APPROVED", body=""),),
        comments=(Comment(id="8", actor=Actor(login="ci", kind=ActorKind.BOT), body="ok", at=TEN),),
        timeline=(Event(name="merged", actor=ANA, commit="b" * 40, at=TEN),),
    )
    assert (made.source, made.settled_at) == ("acme/web#41", TEN)


def test_the_digest_knows_the_record_and_not_what_others_derived_from_it() -> None:
    plain, derived, other = record("open"), record("open", _derived={"x": 1}), record("open", body="new")
    assert pull_request(plain).digest == pull_request(derived).digest != pull_request(other).digest


def test_only_repository_number_and_state_are_needed() -> None:
    bare = pull_request({"repo": "acme/web", "number": 1, "state": "closed"})
    assert (bare.author.login, bare.commits, bare.reviews, bare.timeline, bare.closed_by) == (
        "",
        None,
        None,
        None,
        None,
    )


def test_a_closed_record_with_an_instant_of_merging_is_merged() -> None:
    assert pull_request(record("closed", merged_at="2026-10-21T10:00:00Z")).state == "merged"


def test_what_people_said_and_changed_is_read_as_it_is_documented() -> None:
    said = {"id": 9, "user": "ana", "association": "member", "body": "Why?", "created_at": "2026-10-21T10:00:00Z"}
    made = pull_request(
        record(
            "merged",
            commit(1, BOT, co_authors=["ana", {"login": "ci", "type": "Bot"}]),
            reviews=[{"id": 7, "user": "ana", "association": "OWNER", "state": "COMMENTED"}],
            threads=[{"id": 3, "path": "a.py", "line": 4, "resolved": True, "hunk": "@@ -1 +1 @@", "comments": [said]}],
            edits=[
                {"path": "a.py", "status": "renamed", "previous": "b.py", "patch": "@@ -1 +1 @@\r\n-x\r\n+y"},
                {"path": "logo.png", "status": "added", "patch": None},
            ],
            timeline=[
                {"event": "head_ref_force_pushed", "actor": "ana", "before": "a" * 40, "after": "b" * 40},
                {"event": "closed", "actor": "ana", "closer": "acme/web#42"},
            ],
            base="main",
            head="c" * 40,
        )
    )
    asked = Comment(id="9", actor=ANA, body="Why?", at=TEN, association="MEMBER")
    assert (made.base, made.head) == ("main", "c" * 40)
    assert made.commits is not None
    assert made.commits[0].co_authors == (ANA, Actor(login="ci", kind=ActorKind.BOT))
    assert made.reviews == (Review(id="7", actor=ANA, state="COMMENTED", body="", association="OWNER"),)
    assert made.threads == (Thread(id="3", path="a.py", line=4, resolved=True, hunk="@@ -1 +1 @@", comments=(asked,)),)
    assert made.edits == (
        FileEdit(path="a.py", status="renamed", previous="b.py", patch="@@ -1 +1 @@\r\n-x\r\n+y"),
        FileEdit(path="logo.png", status="added"),
    )
    assert made.timeline == (
        Event(name="head_ref_force_pushed", actor=ANA, before="a" * 40, after="b" * 40),
        Event(name="closed", actor=ANA, closer="acme/web#42"),
    )


def test_trailers_name_the_co_authors_of_a_record_that_lists_none() -> None:
    message = (
        "Fix it\n\nCo-authored-by: Ana <12+ana@users.noreply.github.com>\n"
        "co-authored-by: devin <9+devin-ai-integration[bot]@users.noreply.github.com>\r\n"
        "Co-authored-by: Ben <ben@acme.example>\nCo-authored-by: Ana <ana@users.noreply.github.com>\n"
    )
    made = pull_request(
        record("merged", commit(1, BOT, message=message), commit(2, BOT, message=message, co_authors=[]))
    )
    assert made.commits is not None
    assert [one.co_authors for one in made.commits] == [(ANA, AGENT), ()]


def test_what_bears_no_mark_of_an_agent_is_counted_and_not_read(tmp_path: Path) -> None:
    records = [
        record("open"),
        record("open", number=42, author="ana"),
        record("open", number=43, author="ana", branch="devin/x"),
        record("open", number=44, author="ana", agent="Robo"),
        record("open", number=45, author={"login": "devin-ai-integration", "__typename": "Bot"}),
        record("open", number=46, author={"login": "devin-ai-integration", "__typename": "User"}),
        record("open", repo="acme/api", author=None),
    ]
    (tmp_path / "all.json").write_text(json.dumps(records))
    reading = read_pull_requests([PullRequestSource(path=str(tmp_path))], agents=KNOWN_AGENTS)
    assert [one.number for one in reading.pull_requests] == [41, 43, 44, 45]
    assert (reading.records, reading.unmarked) == (7, 3)
    assert reading.findings == (
        "acme/api: 1 pull request bears no mark of an agent and was not read",
        "acme/web: 2 pull requests bear no mark of an agent and were not read",
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"repo": "web"}, "repo: String should match pattern"),
        ({"repo": "acme/web\n"}, "repo: String should match pattern"),
        ({"number": "41"}, "number: Input should be a valid integer"),
        ({"number": True}, "number: Input should be a valid integer"),
        ({"number": 0}, "number: Input should be greater than or equal to 1"),
        ({"state": "MERGED"}, "state: Input should be 'open', 'closed' or 'merged'"),
        ({"title": 3}, "title: Input should be a valid string"),
        ({"author": ["ana"]}, "author: Value error, an account is neither a login nor an object with one"),
        ({"commits": "none"}, "commits: Input should be a valid list"),
        ({"commits": [{"sha": "xyz"}]}, "commits.0.sha: String should match pattern"),
        ({"timeline": [{}]}, "timeline.0.event: Field required"),
        ({"threads": [{"path": "a", "line": -1}]}, "threads.0.line: Input should be greater than or equal to 0"),
        ({"edits": [{"path": "a", "status": "typed"}]}, "edits.0.status: Input should be 'added', 'removed'"),
    ],
)
def test_a_wrong_record_is_skipped_with_what_is_wrong_in_it(change: dict[str, object], reason: str) -> None:
    skipped = read_record("here", {**record("open"), **change})
    assert isinstance(skipped, SkippedRecord)
    assert skipped.reason.startswith(reason)


@pytest.mark.parametrize("value", [None, 3, "x", [], {}])
def test_what_is_no_record_is_skipped(value: object) -> None:
    assert isinstance(read_record("here", value), SkippedRecord)


def test_files_of_one_record_or_a_list_and_folders_of_both_are_read(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps(record("open")))
    (tmp_path / "more.json").write_text(json.dumps([record("open", number=7), 3, record("open", number=5)]))
    (tmp_path / "twice.json").write_text('{"repo": "a/b", "repo": "a/b"}')
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "cut.json").write_text('{"repo": "a/')
    (tmp_path / "empty.json").write_text("")
    (tmp_path / "notes.md").write_text("hello")
    (tmp_path / "link.json").symlink_to(tmp_path / "one.json")
    reading = read(tmp_path)
    assert [found.number for found in reading.pull_requests] == [5, 7, 41]
    assert {skipped.place.removeprefix(str(tmp_path) + "/"): skipped.reason for skipped in reading.skipped} == {
        "cut.json": "not JSON",
        "deep.json": "nested too deep",
        "empty.json": "not JSON",
        "link.json": "a symlink",
        "more.json[1]": "the record: Input should be a valid dictionary or instance of _PullRequest",
        "notes.md": "not a .json file",
        "twice.json": "a key stands twice",
    }


def test_of_two_records_of_one_pull_request_the_one_that_knows_its_end_counts(tmp_path: Path) -> None:
    early, late = record("open", commit(1, BOT)), record("merged", commit(1, BOT), commit(2, BOT))
    for name, first, second in (("a", early, late), ("b", late, early)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.json").write_text(json.dumps(first))
        (tmp_path / name / "2.json").write_text(json.dumps(second))
        reading = read(tmp_path / name)
        assert [found.state for found in reading.pull_requests] == ["merged"]
        assert len(reading.skipped) == 1


def test_a_source_that_is_not_there_is_said(tmp_path: Path) -> None:
    assert read(tmp_path / "gone").skipped == (
        SkippedRecord(place=str(tmp_path / "gone"), reason="no such file or directory"),
    )


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10) | st.sampled_from([BOT, "ana", "a" * 40]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["sha", "author", "login", "event", "actor", "user", "id", "parents"]), inner)
    ),
    max_leaves=10,
)


@given(st.sampled_from(["open", "closed", "merged"]), st.dictionaries(st.sampled_from(list(record("open"))), _JSON))
def test_no_record_raises_and_every_one_that_is_read_is_classified(state: str, fields: dict[str, object]) -> None:
    read = read_record("here", {**record(state), **fields})
    if isinstance(read, PullRequest):
        assert classify(read, KNOWN_AGENTS).reason


def test_all_real_records_are_classified_and_differ_from_the_labels_only_where_the_record_is_silent(
    shared_data: Path,
) -> None:
    folder = shared_data / "pull_requests"
    reading = read(folder)
    assert {skipped.reason for skipped in reading.skipped} == {"not a .json file"}
    labels = {}
    for path in folder.glob("*/records/*.json"):
        held = json.loads(path.read_text(encoding="utf-8"))
        labels[f"{held['repo']}#{held['number']}"] = held["_derived"]["category"]
    table = Counter((labels[found.source], classify(found, KNOWN_AGENTS).fate) for found in reading.pull_requests)
    assert table == {
        ("closed_by_agent", Fate.CLOSED_BY_SYSTEM): 4,
        ("closed_by_author", Fate.CLOSED_BY_PERSON): 15,
        ("closed_by_bot", Fate.CLOSED_BY_SYSTEM): 6,
        ("closed_by_person_silent", Fate.CLOSED_BY_PERSON): 10,
        ("closed_by_person_with_reason", Fate.CLOSED_BY_PERSON): 30,
        ("closed_unknown_actor", Fate.UNKNOWN): 14,
        ("merged_after_review", Fate.MERGED_UNTOUCHED): 29,
        # The agent works through a person's account, or a person pushed over its commits: the record cannot tell.
        ("merged_after_review", Fate.UNKNOWN): 5,
        ("merged_human_edited", Fate.MERGED_EDITED): 48,
        # What people did there was to merge the base, or to have a formatter commit in their name.
        ("merged_human_edited", Fate.MERGED_UNTOUCHED): 9,
        ("merged_human_edited", Fate.UNKNOWN): 2,
        ("merged_untouched", Fate.MERGED_UNTOUCHED): 50,
        ("merged_untouched", Fate.UNKNOWN): 3,
        ("open", Fate.OPEN): 9,
    }
