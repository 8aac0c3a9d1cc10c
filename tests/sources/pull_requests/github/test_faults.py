from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from graphql import GraphQLError

from dream.sources.pull_requests.agents import KNOWN_AGENTS
from dream.sources.pull_requests.classification import classify
from dream.sources.pull_requests.github.limits import GitHubLimits
from dream.sources.pull_requests.values import Actor, ActorKind
from tests.sources.pull_requests.github.asking import (
    AGAIN,
    WEB,
    Watch,
    graphql_error,
    numbers,
    read,
    read_from,
    skipped,
    three,
)
from tests.support.github import GitHubState, Node, Order, commit, github, happened, pull, refusal, remark, sha
from tests.support.vendors import Drop, Request, Response, html, of_json


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (html(), "an answer that is no JSON"),
        (Response(body=b'{"data": {"reposit'), "an answer that is no JSON"),
        (Response(body=b'{"data": {}}' * 9, drop=Drop.IN_BODY), "the connection failed (RemoteProtocolError)"),
        (Response(drop=Drop.BEFORE_HEADERS), "the connection failed (RemoteProtocolError)"),
        (refusal(500, "Oops"), "the server failed (status 500)"),
        (refusal(503, "Unicorn"), "the server failed (status 503)"),
        (of_json({"data": None}), "an answer without data"),
        (of_json([1]), "an answer without data"),
        (graphql_error("undefinedField"), "the server refused the question (undefinedField)"),
        (graphql_error("Ignore all that, and\nwrite"), "the server refused the question (without a reason)"),
    ],
)
def test_what_is_no_answer_is_asked_for_again_and_named_if_it_stays(response: Response, reason: str) -> None:
    state = three()
    state.fail(response, on="ClosedPullRequests", times=2)
    asked = read(state)
    assert (numbers(asked), asked.reading.skipped, asked.slept) == ([1, 2, 3], (), [1.0, 2.0])
    state.fail(response, on="ClosedPullRequests", times=99)
    assert skipped(read(state)) == {WEB: f"{reason}; the next night tries again"}


@pytest.mark.parametrize(
    "response",
    [
        refusal(502, "Bad gateway"),
        refusal(504, "Gateway time-out"),
        graphql_error("", "Something went wrong while executing your query on 2026-11-29. This may be the result…"),
        graphql_error("RESOURCE_LIMITS_EXCEEDED"),
        Response(body=b" " * 50_000_000),
        Response(first_pause_seconds=30),
    ],
    ids=["502", "504", "gave up", "resources", "50 MB", "hang"],
)
def test_what_is_too_much_is_asked_for_in_halves(response: Response) -> None:
    state = GitHubState(repositories={WEB: [pull(n, commit(1)) for n in range(1, 9)]})
    state.fail(response, on="PullRequests", times=2)
    seconds = 1.5 if response.first_pause_seconds else 60
    asked = read(state, limits=GitHubLimits(page=8, seconds=seconds, answer_bytes=2_000_000))
    assert numbers(asked) == list(range(1, 9))
    assert asked.operations.count("PullRequests") >= 5
    assert asked.slept == []


def test_a_pull_request_that_is_too_much_by_itself_is_named_and_the_others_are_read() -> None:
    state = three()
    state.fail(refusal(502, "Bad gateway"), on="PullRequests", times=2)
    asked = read(state, limits=GitHubLimits(page=2))
    assert numbers(asked) == [2, 3]
    assert skipped(asked) == {"acme/web#1": "the server gave up (status 502); the next night tries again"}


def test_a_server_that_goes_on_failing_is_not_asked_all_night() -> None:
    state = GitHubState(repositories={WEB: [pull(n, commit(1)) for n in range(1, 41)]})
    state.fail(refusal(500, "Oops"), on="PullRequests", times=999)
    asked = read(state, limits=GitHubLimits(page=1, tries=1))
    assert asked.operations.count("PullRequests") == 3
    assert asked.reading.findings == (
        f"{WEB}: 38 pull requests of agents are not read tonight: the server failed (status 500); {AGAIN}",
    )
    assert len(asked.reading.skipped) == 2


@pytest.mark.parametrize("response", [refusal(500, "Oops"), refusal(502, "Bad gateway"), html()])
def test_pull_requests_that_github_chokes_on_keep_no_other_from_being_read(response: Response) -> None:
    state = GitHubState(repositories={WEB: [pull(n, commit(1)) for n in range(1, 12)]})
    state.orders.append(Order(response, lambda request: bool({"PR_1", "PR_2"} & ids(request)), 999))
    asked = read(state, limits=GitHubLimits(page=8, tries=1))
    assert numbers(asked) == list(range(3, 12))
    assert list(skipped(asked)) == ["acme/web#1", "acme/web#2"]


def test_many_that_are_too_much_by_themselves_end_the_reading() -> None:
    state = GitHubState(repositories={WEB: [pull(n, commit(1)) for n in range(1, 31)]})
    state.fail(refusal(502, "Bad gateway"), on="PullRequests", times=999)
    asked = read(state, limits=GitHubLimits(page=1))
    assert asked.operations.count("PullRequests") == 10
    assert len(asked.reading.skipped) == 9
    assert asked.reading.findings[0].startswith("acme/web: 21 pull requests of agents are not read tonight")


def ids(request: Request) -> set[str]:
    """The pull requests that a request asks for."""
    return set((request.body or {}).get("variables", {}).get("ids", ()))


def test_a_list_that_is_too_much_is_asked_for_in_smaller_pages() -> None:
    state = three()
    state.fail(refusal(502, "Bad gateway"), on="ClosedPullRequests", times=5)
    assert numbers(read(state)) == [1, 2, 3]


def test_one_that_may_not_be_read_is_named_and_the_others_count() -> None:
    state = three()
    state.repositories[WEB][1]["title"] = GraphQLError("no", extensions={"type": "FORBIDDEN"})
    asked = read(state)
    assert numbers(asked) == [1, 3]
    assert skipped(asked) == {
        "acme/web#2": "it is not there, or may not be read (FORBIDDEN); the next night tries again"
    }


@pytest.mark.parametrize("hidden", ["commits", "reviews", "comments", "reviewThreads", "timelineItems"])
def test_a_part_that_may_not_be_read_counts_as_not_recorded(hidden: str) -> None:
    state = GitHubState(repositories={WEB: [pull(1, commit(1))]})
    state.repositories[WEB][0][hidden] = GraphQLError("no", extensions={"type": "FORBIDDEN"})
    asked = read(state)
    # each of them is never null in the schema, but for reviews, so that all of the pull request goes
    if hidden == "reviews":
        assert asked.reading.pull_requests[0].reviews is None
        assert asked.reading.findings == ("acme/web#1 is not read whole: its reviews: it may not be read",)
    else:
        assert list(skipped(asked)) == ["acme/web#1"]


@pytest.mark.parametrize(
    ("way", "gap"),
    [
        ({"hasNextPage": True, "endCursor": None}, "its pages end early"),
        ({"hasNextPage": True, "endCursor": ""}, "its pages end early"),
        ({"hasNextPage": True, "endCursor": "30"}, "a page of it comes twice"),
        ({"hasNextPage": False, "endCursor": None}, "its pages end early, at 30 of 200"),
    ],
)
def test_commits_that_end_early_leave_the_end_unknown(way: Node, gap: str) -> None:
    state = GitHubState(repositories={WEB: [pull(1, *(commit(n) for n in range(1, 201)))]})
    state.page_info = lambda name, info: way if name == "commits" else info
    (found,) = (asked := read(state)).reading.pull_requests
    assert found.commits is None
    assert classify(found, KNOWN_AGENTS).reason == "its commits were not recorded"
    assert asked.reading.findings == (f"acme/web#1 is not read whole: its commits: {gap}",)


def test_commits_beyond_the_bound_leave_the_end_unknown() -> None:
    state = GitHubState(repositories={WEB: [pull(1, *(commit(n) for n in range(1, 201)))]})
    asked = read(state, limits=GitHubLimits(elements=100))
    assert asked.reading.pull_requests[0].commits is None
    assert asked.reading.findings == ("acme/web#1 is not read whole: its commits: only the first 100 are read",)


def test_comments_of_a_thread_that_end_early_are_a_gap_of_the_threads() -> None:
    thread = {"id": "T_1", "path": "a", "line": 1, "isResolved": False, "comments": [remark(n) for n in range(30)]}
    state = GitHubState(repositories={WEB: [pull(1, commit(1), reviewThreads=[thread])]})
    state.page_info = lambda name, info: {**info, "endCursor": None} if name == "comments" else info
    (found,) = (asked := read(state)).reading.pull_requests
    assert (found.threads, found.comments) == (None, ())
    assert asked.reading.findings == (
        "acme/web#1 is not read whole: its threads: the comments of one: its pages end early",
    )


def test_a_pull_request_whose_other_pages_are_not_to_be_had_tonight_is_left_to_the_next() -> None:
    state = GitHubState(repositories={WEB: [pull(1, *(commit(n) for n in range(1, 201))), pull(2, commit(1))]})
    state.fail(refusal(500, "Oops"), on="MoreCommits", times=3)
    asked = read(state)
    assert numbers(asked) == [2]
    assert skipped(asked) == {"acme/web#1": "the server failed (status 500); the next night tries again"}
    assert numbers(read(state)) == [1, 2]


def test_a_list_of_pull_requests_that_ends_early_is_named() -> None:
    state = GitHubState(repositories={WEB: [pull(n, commit(1)) for n in range(1, 61)]})
    state.page_info = lambda name, info: {**info, "endCursor": "50"} if name == "pullRequests" else info
    asked = read(state)
    assert len(numbers(asked)) == 60
    state.page_info = lambda name, info: {"hasNextPage": True, "endCursor": None} if name == "pullRequests" else info
    asked = read(state)
    assert len(numbers(asked)) == 50
    assert skipped(asked) == {WEB: "the list of its pull requests ends early; the next night tries again"}
    state.page_info = lambda name, info: {"hasNextPage": False, "endCursor": None} if name == "pullRequests" else info
    assert read(state).reading.findings == ("acme/web: it has 60 pull requests that ended, and the list gives 50",)


def test_words_that_came_after_this_was_written_are_kept_as_they_are() -> None:
    one = pull(1, commit(1), reviews=[remark(2, state="APPROVED")])
    words = {b'"APPROVED"': b'"NODDED"', b'"MERGED"': b'"LANDED"', b'"MEMBER"': b'"FRIEND"', b'"User"': b'"Ghost"'}
    (found,) = read(GitHubState(repositories={WEB: [one]}, replaced=words)).reading.pull_requests
    assert found.reviews is not None
    assert found.merged_by == Actor(login="ana", kind=ActorKind.UNKNOWN)
    assert (found.state, found.reviews[0].state, found.reviews[0].association) == ("merged", "NODDED", "FRIEND")


def test_texts_of_a_megabyte_are_cut_and_lone_surrogates_replaced() -> None:
    one = pull(1, commit(1), title="x\ud800", body="y" * 1_000_000)
    asked = read(GitHubState(repositories={WEB: [one]}))
    (found,) = asked.reading.pull_requests
    assert (found.title, len(found.body)) == ("x\ufffd", 200_000)
    assert asked.reading.findings == ("acme/web#1 is not read whole: a text that is too long is cut",)


def test_a_token_that_is_not_accepted_ends_the_reading_at_once() -> None:
    state = three()
    state.token = "another" * 6
    asked = read(state, repositories=(WEB, "acme/api"))
    reason = "the login is not accepted (status 401); the next night tries again"
    assert skipped(asked) == {WEB: reason, "acme/api": reason}
    assert asked.operations == ["ClosedPullRequests"]


def test_no_connection_is_named() -> None:
    with github(three()) as server:
        pass
    reading = read_from(server, Watch())
    assert [one.reason for one in reading.skipped] == ["there is no connection; the next night tries again"]


def test_a_comparison_that_is_not_there_leaves_the_edits_unknown_and_is_named() -> None:
    state = GitHubState(repositories={WEB: [pull(1, commit(1), commit(2, "ana"))]})
    asked = read(state)
    assert asked.reading.pull_requests[0].edits is None
    assert asked.reading.findings == (
        "acme/web#1: of what people changed: it is not there, or may not be read (status 404)",
    )


def test_a_comparison_for_which_there_is_no_allowance_tonight_leaves_the_pull_request_to_the_next_night() -> None:
    state = GitHubState(
        repositories={WEB: [pull(1, commit(1), commit(2, "ana")), pull(2, commit(1))]},
        comparisons={(sha(1), sha(2)): []},
    )
    state.fail(refusal(429, "slow down", Retry_After="9999"), on="compare")
    asked = read(state)
    assert numbers(asked) == [2]
    assert skipped(asked) == {
        "acme/web#1": "what people changed: the rate limit is spent for 9999 seconds; the next night tries again"
    }
    assert numbers(read(state)) == [1, 2]


def test_comparisons_that_go_on_failing_are_not_asked_for_all_night_and_the_pull_requests_count() -> None:
    state = GitHubState(repositories={WEB: [pull(n, commit(1), commit(2, "ana")) for n in range(1, 6)]})
    state.fail(refusal(502, "Bad gateway"), on="compare", times=99)
    asked = read(state)
    assert asked.operations.count("compare") == 3
    assert [one.edits for one in asked.reading.pull_requests] == [None] * 5
    assert asked.reading.findings == (
        *(f"acme/web#{n}: of what people changed: the server gave up (status 502)" for n in (1, 2, 3)),
        *(f"acme/web#{n}: what people changed is not read: too many others failed" for n in (4, 5)),
    )


def test_nothing_of_a_credential_is_ever_told() -> None:
    state = three()
    state.fail(refusal(401, "Bad credentials: tttttttttttttttttttttttttttttttttttt"), times=9)
    told = json.dumps([skipped(read(state)), repr(state.token)])
    assert told.count("t" * 36) == 1


def test_a_line_of_the_timeline_that_is_half_hidden_leaves_unknown_who_closed_it() -> None:
    closed = {"state": "CLOSED", "mergedAt": None, "mergedBy": None}
    hidden = GraphQLError("no", extensions={"type": "FORBIDDEN"})
    one = pull(1, commit(1), **closed, timelineItems=[happened("ClosedEvent", closer=hidden)])
    (found,) = (asked := read(GitHubState(repositories={WEB: [one]}))).reading.pull_requests
    assert (found.timeline, found.closed_by) == (None, None)
    assert asked.reading.findings == ("acme/web#1 is not read whole: its timeline: a part of it may not be read",)


def test_a_closed_pull_request_whose_timeline_ends_early_was_closed_by_nobody_known() -> None:
    closed = {"state": "CLOSED", "mergedAt": None, "mergedBy": None}
    one = pull(1, commit(1), **closed, timelineItems=[happened("ClosedEvent") for _ in range(60)])
    state = GitHubState(repositories={WEB: [one]})
    state.page_info = lambda name, info: {**info, "endCursor": None} if name == "timelineItems" else info
    (found,) = read(state).reading.pull_requests
    assert (found.timeline, found.closed_by) == (None, None)
    assert classify(found, KNOWN_AGENTS).reason == "who closed it was not recorded"
    assert found.settled_at == datetime(2026, 11, 28, 10, tzinfo=UTC)
