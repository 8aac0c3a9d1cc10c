from __future__ import annotations

import pytest

from tests.sources.pull_requests.github.asking import (
    WEB,
    Watch,
    graphql_error,
    numbers,
    read,
    read_from,
    skipped,
    three,
)
from tests.support.github import commit, github, pull, refusal
from tests.support.vendors import Response


@pytest.mark.parametrize(
    ("response", "waited"),
    [
        (refusal(403, "You have exceeded a secondary rate limit", Retry_After="7"), 8.0),
        (refusal(429, "slow down", Retry_After="0"), 1.0),
        (refusal(403, "You have exceeded a secondary rate limit."), 61.0),
        (refusal(403, "API rate limit exceeded", x_ratelimit_remaining="0", x_ratelimit_reset="1795924820"), 21.0),
        (graphql_error("RATE_LIMITED"), 61.0),
    ],
)
def test_a_rate_limit_that_ends_tonight_is_waited_for(response: Response, waited: float) -> None:
    state = three()
    state.fail(response, on="PullRequests")
    asked = read(state)
    assert (numbers(asked), asked.reading.skipped, asked.reading.findings) == ([1, 2, 3], (), ())
    assert asked.slept == [waited]


@pytest.mark.parametrize(
    "response",
    [
        refusal(403, "secondary rate limit", Retry_After="400"),
        refusal(403, "API rate limit exceeded", x_ratelimit_remaining="0", x_ratelimit_reset="1795925200"),
    ],
)
def test_a_rate_limit_that_lasts_is_left_to_the_next_night_with_all_that_is_not_read(response: Response) -> None:
    state = three()
    state.repositories["acme/api"] = [pull(9, commit(1), id="PR_9")]
    state.fail(response, on="PullRequests", times=99)
    asked = read(state, repositories=(WEB, "acme/api"))
    assert (numbers(asked), asked.slept) == ([], [])
    assert asked.operations == ["ClosedPullRequests", "ClosedPullRequests", "PullRequests"]
    told = "pull requests of agents are not read tonight: the rate limit is spent for 400 seconds"
    assert asked.reading.findings == (
        f"acme/web: 3 {told}; the next night tries again",
        f"acme/api: 1 {told}; the next night tries again",
    )


def test_waiting_adds_up_over_the_night() -> None:
    state = three()
    state.fail(refusal(429, "slow down", Retry_After="99"), times=99)
    asked = read(state)
    assert asked.slept == [100.0, 100.0, 100.0]
    assert skipped(asked) == {WEB: "the rate limit is spent for 99 seconds; the next night tries again"}


def test_a_limit_that_an_answer_announces_is_waited_for_before_the_next_question() -> None:
    state = three()
    state.remaining, state.reset_at = 0, "2026-11-29T04:02:00Z"
    with github(state) as server:
        watch = Watch()
        reading = read_from(server, watch)
    assert ([one.number for one in reading.pull_requests], watch.slept) == ([1, 2, 3], [121.0])
