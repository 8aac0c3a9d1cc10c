from __future__ import annotations

import pytest

from dream.sources.pull_requests.actors import with_machines
from dream.sources.pull_requests.agents import KNOWN_AGENTS, agent_of
from dream.sources.pull_requests.classification import classify
from dream.sources.pull_requests.values import Classification, Fate
from tests.sources.pull_requests.records import BOT, commit, event, fate, pull_request, record


def shas(*numbers: int) -> tuple[str, ...]:
    return tuple(f"{number:040x}" for number in numbers)


def test_an_agents_commits_and_a_formatters_are_untouched() -> None:
    assert fate(record("merged", commit(1, BOT), commit(2, "autofix-ci[bot]", "web-flow"))) == Classification(
        fate=Fate.MERGED_UNTOUCHED, reason="every commit is the agent's", commits=shas(1)
    )


def test_a_persons_commit_below_a_bots_is_an_edit() -> None:
    merged = record("merged", commit(1, BOT), commit(2, "ana"), commit(3, "autofix-ci[bot]"), commit(4, BOT))
    assert fate(merged) == Classification(fate=Fate.MERGED_EDITED, reason="1 of 4 commits are by ana", commits=shas(2))


def test_what_a_formatter_commits_in_a_persons_name_is_no_edit() -> None:
    assert fate(record("merged", commit(1, BOT), commit(2, "ana", "github-actions[bot]"))).fate is Fate.MERGED_UNTOUCHED


def test_what_a_person_writes_in_the_browser_is_an_edit() -> None:
    assert fate(record("merged", commit(1, BOT), commit(2, "ana", "web-flow", "Update README.md"))).commits == shas(2)


@pytest.mark.parametrize(
    ("message", "parents"),
    [
        ("Merge branch 'main' into devin/1", None),
        ("Merge remote-tracking branch 'origin' into devin/1\n\n> Conflicts:", None),
        ("Merge pull request #3 from acme/other", None),
        ("Merge from main", None),
        ("update", ["1" * 40, "2" * 40]),
    ],
)
def test_a_merge_from_the_base_is_no_edit(message: str, parents: list[str] | None) -> None:
    merged = record("merged", commit(1, BOT), commit(2, "ana", message=message, parents=parents))
    assert fate(merged).fate is Fate.MERGED_UNTOUCHED


@pytest.mark.parametrize(
    ("message", "parents"), [("Merge branch 'main'", ["1" * 40]), ("Merge issue.", None), ("resolve conflicts", None)]
)
def test_what_only_reads_like_a_merge_is_an_edit(message: str, parents: list[str] | None) -> None:
    merged = record("merged", commit(1, BOT), commit(2, "ana", message=message, parents=parents))
    assert fate(merged).fate is Fate.MERGED_EDITED


def test_a_person_who_wrote_everything_in_an_agents_pull_request_edited_it() -> None:
    assert fate(record("merged", commit(1, "ana"))).fate is Fate.MERGED_EDITED


def test_what_a_person_had_before_the_agent_began_is_no_edit_of_its_work() -> None:
    through = record("merged", commit(1, "ana"), commit(2, "cursoragent"), author="ana")
    assert fate(through).fate is Fate.MERGED_UNTOUCHED
    on_top = record("merged", commit(1, "cursoragent"), commit(2, "ana"), author="ana")
    assert fate(on_top).commits == shas(2)


def test_a_trailer_tells_the_agents_commits_from_those_of_the_account_it_works_through() -> None:
    written = commit(1, "ana", message="Add it\n\nCo-Authored-By: Claude <noreply@anthropic.com>")
    assert fate(record("merged", written, author="ana")) == Classification(
        fate=Fate.MERGED_UNTOUCHED, reason="every commit is the agent's", commits=shas(1)
    )
    assert fate(record("merged", written, commit(2, "ana", message="Lint"), author="ana")).commits == shas(2)


def test_where_people_and_agent_share_an_account_the_record_cannot_tell() -> None:
    one = record("merged", commit(1, "ana"), author="ana")
    assert fate(one).fate is Fate.MERGED_UNTOUCHED
    two = record("merged", commit(1, "ana"), commit(2, "ana"), author="ana")
    assert fate(two) == Classification(
        fate=Fate.UNKNOWN, reason="people and the agent share an account", commits=shas(1, 2)
    )
    other = record("merged", commit(1, "ana"), commit(2, "ben"), author="ana")
    assert fate(other).commits == shas(2)


def test_commits_of_the_agent_that_a_person_rewrote_cannot_tell() -> None:
    assert fate(record("merged", commit(1, BOT, "ana"))).fate is Fate.UNKNOWN
    pushed = record("merged", commit(1, BOT), timeline=[event("head_ref_force_pushed", "ana")])
    assert fate(pushed).reason == "a person rewrote the agent's commits, and what changed was not recorded"
    assert fate(record("merged", commit(1, BOT, "web-flow"))).fate is Fate.MERGED_UNTOUCHED


@pytest.mark.parametrize("author", ["", None, "release-bot", {"login": "imported", "type": "Mannequin"}])
def test_a_commit_whose_author_is_not_known_cannot_tell(author: object) -> None:
    assert fate(record("merged", commit(1, BOT), commit(2, author, "web-flow"))) == Classification(
        fate=Fate.UNKNOWN, reason="the record does not tell whose commits these are", commits=shas(2)
    )


def test_without_commits_a_merge_cannot_tell() -> None:
    assert fate(record("merged")).reason == "its commits were not recorded"
    assert fate(record("merged", commit(1, "autofix-ci[bot]"))).reason == "no commit of the agent was recorded"


@pytest.mark.parametrize(
    ("closed_by", "expected", "reason"),
    [
        ("ana", Fate.CLOSED_BY_PERSON, "closed by ana"),
        ({"login": "ana", "type": "User"}, Fate.CLOSED_BY_PERSON, "closed by ana"),
        ({"login": "stale", "__typename": "Bot"}, Fate.CLOSED_BY_SYSTEM, "closed by stale"),
        ("github-actions[bot]", Fate.CLOSED_BY_SYSTEM, "closed by github-actions[bot]"),
        ("Copilot", Fate.CLOSED_BY_SYSTEM, "closed by its own agent, Copilot"),
        ("ghost", Fate.CLOSED_BY_SYSTEM, "closed by an account that no longer exists"),
        ({"login": None}, Fate.CLOSED_BY_SYSTEM, "closed by an account that no longer exists"),
        ("mergebot", Fate.UNKNOWN, "closed by mergebot"),
        ({"login": "mergebot", "type": "User"}, Fate.UNKNOWN, "closed by mergebot"),
        (None, Fate.UNKNOWN, "who closed it was not recorded"),
    ],
)
def test_who_closed_it_is_told_by_the_platforms_record(closed_by: object, expected: Fate, reason: str) -> None:
    assert fate(record("closed", commit(1, BOT), closed_by=closed_by)) == Classification(fate=expected, reason=reason)


def test_the_account_it_was_opened_through_is_named_when_it_closes_it() -> None:
    closed = record("closed", author="ana", closed_by="ana")
    assert fate(closed).reason == "closed by ana, through whose account it was opened"


def test_the_timeline_tells_who_closed_it_where_the_record_does_not() -> None:
    closed = record("closed", timeline=[event("closed", "ben"), event("reopened", "ana"), event("closed", "ana")])
    assert fate(closed).reason == "closed by ana"


def test_what_landed_elsewhere_was_closed_by_a_system_whoever_did_it() -> None:
    closed = record("closed", closed_by="ana", timeline=[event("closed", "ana", commit_id="a" * 40)])
    assert fate(closed) == Classification(
        fate=Fate.CLOSED_BY_SYSTEM, reason="a commit closed it: it landed elsewhere", commits=("a" * 40,)
    )


def test_another_pull_request_that_closed_it_is_no_rejection() -> None:
    closed = record("closed", closed_by="ana", timeline=[{**event("closed", "ana"), "closer": "acme/web#44"}])
    assert fate(closed) == Classification(
        fate=Fate.CLOSED_BY_SYSTEM, reason="acme/web#44 closed it: it landed elsewhere"
    )


def test_a_machine_that_the_platform_calls_a_user_is_one_where_it_is_named() -> None:
    closed = pull_request(record("closed", closed_by={"login": "Stale-Robot9", "type": "User"}))
    assert classify(closed, KNOWN_AGENTS).fate is Fate.CLOSED_BY_PERSON
    assert classify(with_machines(closed, ["stale-robot9"]), KNOWN_AGENTS).fate is Fate.CLOSED_BY_SYSTEM
    merged = pull_request(record("merged", commit(1, BOT), commit(2, "acme-format")))
    assert classify(merged, KNOWN_AGENTS).fate is Fate.MERGED_EDITED
    assert classify(with_machines(merged, ["acme-format"]), KNOWN_AGENTS).fate is Fate.MERGED_UNTOUCHED


def test_people_who_changed_nothing_in_the_end_edited_nothing() -> None:
    reverted = record("merged", commit(1, BOT), commit(2, "ana"), commit(3, "ana", message="Revert it"), edits=[])
    assert fate(reverted) == Classification(
        fate=Fate.MERGED_UNTOUCHED,
        reason="after people's commits nothing differs from what the agent left",
        commits=shas(2, 3),
    )


@pytest.mark.parametrize(
    ("edits", "expected"), [(None, Fate.UNKNOWN), ([], Fate.MERGED_UNTOUCHED), (1, Fate.MERGED_EDITED)]
)
def test_what_a_person_pushed_over_the_agent_is_told_by_what_differs(edits: object, expected: Fate) -> None:
    changed = [{"path": "src/a.py", "status": "modified", "patch": "@@ -1 +1 @@\n-a\n+b"}] if edits == 1 else edits
    pushed = record("merged", commit(1, BOT), timeline=[event("head_ref_force_pushed", "ana")], edits=changed)
    assert fate(pushed).fate is expected
    assert fate(record("merged", commit(1, BOT, "ana"), edits=changed)).fate is expected


def test_a_deleted_branch_closes_and_says_nothing_of_the_work() -> None:
    deleted = event("head_ref_deleted", "ana", at="2026-10-21T09:59:59Z")
    closed = record("closed", closed_by="ana", timeline=[deleted, event("closed", "ana")])
    assert fate(closed).reason == "its branch was deleted"
    after = record("closed", closed_by="ana", timeline=[event("closed", "ana"), deleted])
    assert fate(after).fate is Fate.CLOSED_BY_PERSON
    long_before = event("head_ref_deleted", "ana", at="2026-10-20T09:59:59Z")
    assert fate(record("closed", closed_by="ana", timeline=[long_before, event("closed", "ana")])).fate is (
        Fate.CLOSED_BY_PERSON
    )


def test_what_is_open_is_open() -> None:
    assert fate(record("open")) == Classification(fate=Fate.OPEN, reason="it is open")


@pytest.mark.parametrize(
    ("fields", "agent"),
    [
        ({"author": BOT}, "Devin"),
        ({"author": "copilot"}, "Copilot"),
        ({"author": "ana", "branch": "codex/fix-queue"}, "Codex"),
        ({"author": "ana", "branch": "fix/codex/queue"}, ""),
        ({"author": "ana", "labels": ["Codex"]}, "Codex"),
        ({"author": "ana", "body": "🤖 Generated with [Claude Code](https://claude.ai/code)"}, "Claude Code"),
        ({"author": "ana"}, ""),
    ],
)
def test_an_agents_pull_request_is_known_by_its_marks(fields: dict[str, object], agent: str) -> None:
    assert agent_of(pull_request({**record("open"), **fields}), KNOWN_AGENTS) == agent
