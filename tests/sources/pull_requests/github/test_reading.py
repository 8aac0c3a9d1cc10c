from __future__ import annotations

from datetime import UTC, datetime

import pytest
from graphql import GraphQLError

from dream.sources.pull_requests.agents import KNOWN_AGENTS
from dream.sources.pull_requests.classification import classify
from dream.sources.pull_requests.github.limits import GitHubLimits
from dream.sources.pull_requests.values import (
    Actor,
    ActorKind,
    Classification,
    Comment,
    Commit,
    Event,
    Fate,
    FileEdit,
    PullRequest,
    Review,
    Thread,
)
from tests.sources.pull_requests.github.asking import SINCE, read
from tests.support.github import DEVINS, GitHubState, Node, commit, happened, pull, remark, sha, user

ANA = Actor(login="ana", kind=ActorKind.PERSON)
AGENT = Actor(login="devin-ai-integration[bot]", kind=ActorKind.BOT)
TEN = datetime(2026, 11, 28, 10, tzinfo=UTC)
NINE = datetime(2026, 11, 28, 9, tzinfo=UTC)


def only(state: GitHubState, limits: GitHubLimits | None = None) -> PullRequest:
    """The one pull request that there is, of which a person need not be told anything."""
    reading = read(state, limits=limits).reading
    assert (reading.findings, reading.skipped) == ((), ())
    (found,) = reading.pull_requests
    return found


def fate(one: Node) -> Classification:
    return classify(only(GitHubState(repositories={"acme/web": [one]})), KNOWN_AGENTS)


def test_everything_that_is_known_of_a_pull_request_is_read() -> None:
    comment = remark(3, "ci-app", "Green.", author={"__typename": "Bot", "login": "ci-app"}, authorAssociation="NONE")
    thread = {
        "id": "T_1",
        "path": "queue.py",
        "line": None,
        "originalLine": 12,
        "isResolved": True,
        "comments": [remark(4)],
    }
    one = pull(
        41,
        commit(1),
        commit(2, "ana", message="Keep the name"),
        labels=[{"name": "queue"}],
        reviews=[remark(2, body="Good.", state="APPROVED")],
        comments=[comment],
        reviewThreads=[thread],
        timelineItems=[
            happened("HeadRefForcePushedEvent", beforeCommit={"oid": sha(8)}, afterCommit={"oid": sha(2)}),
            happened("AddedToMergeQueueEvent"),
            happened("MergedEvent", commit={"oid": sha(9)}),
            happened("ClosedEvent", closer=None),
        ],
    )
    changed = {"filename": "queue.py", "status": "modified", "patch": "@@ -12 +12 @@\n-new = 1\r\n+old = 1"}
    state = GitHubState(repositories={"acme/web": [one]}, comparisons={(sha(1), sha(2)): [changed]})
    found = only(state)
    assert found == PullRequest(
        repository="acme/web",
        number=41,
        title="Fix the queue",
        author=AGENT,
        state="merged",
        digest=found.digest,
        agent="Devin",
        url="https://github.com/acme/web/pull/41",
        body="It fixes the queue.",
        branch="devin/41",
        labels=("queue",),
        created_at=datetime(2026, 11, 26, 10, tzinfo=UTC),
        closed_at=TEN,
        merged_at=TEN,
        merged_by=ANA,
        commits=(
            Commit(
                sha=sha(1),
                author=AGENT,
                committer=AGENT,
                message="fix",
                parents=(sha(0),),
                at=datetime(2026, 11, 27, 10, tzinfo=UTC),
            ),
            Commit(
                sha=sha(2),
                author=ANA,
                committer=ANA,
                message="Keep the name",
                parents=(sha(1),),
                at=datetime(2026, 11, 27, 10, tzinfo=UTC),
            ),
        ),
        reviews=(Review(id="C_2", actor=ANA, state="APPROVED", body="Good.", at=NINE, association="MEMBER"),),
        comments=(
            Comment(
                id="C_3",
                actor=Actor(login="ci-app[bot]", kind=ActorKind.BOT),
                body="Green.",
                at=NINE,
                association="NONE",
            ),
        ),
        threads=(
            Thread(
                id="T_1",
                path="queue.py",
                line=12,
                resolved=True,
                hunk="@@ -1 +1 @@",
                comments=(Comment(id="C_4", actor=ANA, body="Keep the name.", at=NINE, association="MEMBER"),),
            ),
        ),
        timeline=(
            Event(name="head_ref_force_pushed", actor=ANA, at=TEN, before=sha(8), after=sha(2)),
            Event(name="added_to_merge_queue", actor=ANA, at=TEN),
            Event(name="merged", actor=ANA, at=TEN, commit=sha(9)),
            Event(name="closed", actor=ANA, at=TEN),
        ),
        edits=(FileEdit(path="queue.py", status="modified", patch="@@ -12 +12 @@\n-new = 1\r\n+old = 1"),),
        base="main",
        head=sha(2),
    )


def test_a_pull_request_of_three_thousand_commits_is_read_whole() -> None:
    commits = [commit(number) for number in range(1, 3_000)] + [commit(3_000, "ana")]
    changed = {"filename": "a", "status": "added", "patch": "@@ -0,0 +1 @@\n+x"}
    state = GitHubState(
        repositories={"acme/web": [pull(41, *commits)]}, comparisons={(sha(2_999), sha(3_000)): [changed]}
    )
    asked = read(state)
    (found,) = asked.reading.pull_requests
    assert found.commits is not None
    assert [one.sha for one in found.commits] == [sha(number) for number in range(1, 3_001)]
    assert classify(found, KNOWN_AGENTS).commits == (sha(3_000),)
    assert asked.operations.count("MoreCommits") == 30


def test_comments_of_a_thread_and_lines_of_a_timeline_go_on_over_pages() -> None:
    thread = {"id": "T_1", "path": "a", "line": 1, "isResolved": False, "comments": [remark(n) for n in range(150)]}
    one = pull(
        41,
        commit(1),
        comments=[remark(n) for n in range(130)],
        reviews=[remark(n, state="COMMENTED") for n in range(125)],
        reviewThreads=[thread, *({**thread, "id": f"T_{n}", "comments": []} for n in range(2, 140))],
        timelineItems=[happened("ReopenedEvent") for _ in range(170)],
    )
    found = only(GitHubState(repositories={"acme/web": [one]}))
    assert found.threads is not None
    assert found.comments is not None
    assert found.reviews is not None
    assert found.timeline is not None
    assert [len(one.comments) for one in found.threads] == [150, *[0] * 138]
    assert (len(found.comments), len(found.reviews), len(found.timeline)) == (130, 125, 170)


def test_only_what_ended_in_the_window_is_read_and_the_list_goes_no_further() -> None:
    pulls = [
        pull(1, commit(1), updatedAt="2026-11-20T00:00:00Z", closedAt="2026-11-15T00:00:00Z"),
        pull(2, commit(1), updatedAt="2026-11-20T00:00:00Z", closedAt="2026-11-14T23:59:59Z"),
        *(pull(n, commit(1), updatedAt="2026-11-01T00:00:00Z", closedAt="2026-11-01T00:00:00Z") for n in range(3, 300)),
    ]
    asked = read(GitHubState(repositories={"acme/web": pulls}))
    assert [one.number for one in asked.reading.pull_requests] == [1]
    assert asked.operations == ["ClosedPullRequests", "PullRequests"]


def test_more_than_a_thousand_that_ended_are_all_listed() -> None:
    pulls = [pull(n, author=user("ana"), headRefName="fix") for n in range(1, 1_203)]
    asked = read(GitHubState(repositories={"acme/web": pulls}))
    assert asked.reading.unmarked == 1_202
    assert asked.operations == ["ClosedPullRequests"] * 25


@pytest.mark.parametrize(
    ("fields", "agent"),
    [
        ({}, "Devin"),
        ({"author": user("ana"), "headRefName": "codex/x"}, "Codex"),
        ({"author": user("ana"), "headRefName": "x", "labels": [{"name": "codex"}]}, "Codex"),
        ({"author": user("ana"), "headRefName": "x", "body": "Generated with [Claude Code](…)"}, "Claude Code"),
        ({"author": {"__typename": "Bot", "login": "copilot-swe-agent"}, "headRefName": "x"}, "Copilot"),
    ],
)
def test_an_agents_pull_request_is_known_by_what_is_cheap_to_ask(fields: Node, agent: str) -> None:
    assert only(GitHubState(repositories={"acme/web": [pull(41, commit(1), **fields)]})).agent == agent


def test_what_bears_no_mark_is_not_read_and_is_said_once() -> None:
    pulls = [
        pull(1, author=user("ana"), headRefName="fix"),
        pull(2, author=user("devin-ai-integration"), headRefName="fix"),
        pull(3, author=None, headRefName="fix"),
    ]
    asked = read(GitHubState(repositories={"acme/web": pulls}))
    assert asked.operations == ["ClosedPullRequests"]
    assert asked.reading.findings == ("acme/web: 3 pull requests bear no mark of an agent and were not read",)


def test_deleted_accounts_are_told_from_accounts_that_may_not_be_read() -> None:
    closed = {"state": "CLOSED", "mergedAt": None, "mergedBy": None}
    gone = pull(41, commit(1), **closed, timelineItems=[happened("ClosedEvent", actor=None)])
    assert fate(gone).reason == "closed by an account that no longer exists"
    hidden = GraphQLError("no", extensions={"type": "FORBIDDEN"})
    kept = pull(41, commit(1), **closed, timelineItems=[happened("ClosedEvent", actor=hidden)])
    assert fate(kept) == Classification(fate=Fate.UNKNOWN, reason="closed by an unnamed account")


def test_what_closed_it_is_cited() -> None:
    closed = {"state": "CLOSED", "mergedAt": None, "mergedBy": None}
    other = {"__typename": "PullRequest", "number": 42, "repository": {"nameWithOwner": "acme/web"}}
    one = pull(41, commit(1), **closed, timelineItems=[happened("ClosedEvent", closer=other)])
    found = only(GitHubState(repositories={"acme/web": [one]}))
    assert found.timeline == (Event(name="closed", actor=ANA, at=TEN, closer="acme/web#42"),)
    assert found.closed_by == ANA
    landed = happened("ClosedEvent", closer={"__typename": "Commit", "oid": sha(7)})
    assert fate(pull(41, commit(1), **closed, timelineItems=[landed])).commits == (sha(7),)


def test_hands_of_apps_of_the_browser_and_of_nobody_known_are_told_apart() -> None:
    def hand(email: str, login: str = "") -> Node:
        return {"name": "x", "email": email, "user": user(login) if login else None}

    one = pull(
        41,
        commit(1, committer=hand("noreply@github.com")),
        commit(2, author=hand("ben@acme.example")),
        commit(3, author=hand("7+gone@users.noreply.github.com")),
        commit(4, authors=[hand(DEVINS), hand("x", "ana"), hand("9+ci[bot]@users.noreply.github.com")]),
    )
    found = only(GitHubState(repositories={"acme/web": [one]}))
    first, second, third, fourth = found.commits or ()
    assert (first.author, first.committer) == (AGENT, Actor(login="web-flow", kind=ActorKind.PERSON))
    assert second.author == Actor(login="", kind=ActorKind.UNKNOWN)
    assert third.author == Actor(login="gone", kind=ActorKind.UNKNOWN)
    assert fourth.co_authors == (ANA, Actor(login="ci[bot]", kind=ActorKind.BOT))


def test_those_that_were_not_counted_come_first_and_the_oldest_of_them() -> None:
    pulls = [
        pull(n, commit(1), closedAt=f"2026-11-{day:02}T10:00:00Z")
        for n, day in ((1, 20), (2, 21), (3, 22), (4, 23), (5, 24))
    ]
    state = GitHubState(repositories={"acme/web": pulls})
    reading = read(state, limits=GitHubLimits(pull_requests=2, page=1), counted={"acme/web#1", "acme/web#3"}).reading
    assert [one.number for one in reading.pull_requests] == [2, 4]
    assert reading.findings == (
        "acme/web: 3 pull requests of agents are not read tonight: one night reads 2; the next one goes on",
    )
    again = read(state, limits=GitHubLimits(pull_requests=4), counted={f"acme/web#{n}" for n in (1, 2, 3, 4)}).reading
    assert [one.number for one in again.pull_requests] == [2, 3, 4, 5]


def test_a_repository_that_was_renamed_is_cited_by_its_name_today_but_for_what_was_counted() -> None:
    state = GitHubState(
        repositories={"acme/web": [pull(1, commit(1)), pull(2, commit(1))]}, named={"acme/web": "acme/site"}
    )
    reading = read(state, counted={"acme/web#1"}).reading
    assert [one.source for one in reading.pull_requests] == ["acme/site#2", "acme/web#1"]
    assert reading.findings == (
        "acme/web: it is called acme/site now, and what ends there is cited so; write that in the configuration",
    )


def test_an_archived_repository_is_read_and_said_to_be_archived() -> None:
    state = GitHubState(repositories={"acme/web": [pull(1, commit(1))]}, archived={"acme/web"})
    reading = read(state).reading
    assert [one.source for one in reading.pull_requests] == ["acme/web#1"]
    assert reading.findings == (
        "acme/web: it is archived: once its last pull requests are counted, take it out of the configuration",
    )


def test_one_repository_that_is_gone_takes_no_other_with_it() -> None:
    state = GitHubState(repositories={"acme/web": [pull(1, commit(1))]})
    reading = read(state, repositories=("acme/gone", "acme/web")).reading
    assert [one.source for one in reading.pull_requests] == ["acme/web#1"]
    assert [(one.place, one.reason) for one in reading.skipped] == [
        ("acme/gone", "it is not there, or may not be read (NOT_FOUND); the next night tries again")
    ]


def test_the_window_begins_at_its_instant() -> None:
    at = pull(1, commit(1), closedAt=SINCE.isoformat(), updatedAt=SINCE.isoformat())
    assert only(GitHubState(repositories={"acme/web": [at]})).closed_at == SINCE
