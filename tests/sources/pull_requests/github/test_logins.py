from __future__ import annotations

from datetime import timedelta

import pytest

from dream.sources.pull_requests.github.limits import GitHubLimits
from dream.sources.pull_requests.github.logins import AppLogin, TokenLogin
from tests.sources.pull_requests.github.asking import AGAIN, WEB, Watch, numbers, read, read_from, skipped, three
from tests.support.github import APP_TOKEN, NOW, GitHubState, app_key, asked, github, refusal


def app() -> AppLogin:
    return AppLogin(id=7, installation=9, private_key=app_key()[0])


def with_app() -> GitHubState:
    state = three()
    state.token = APP_TOKEN
    return state


def test_an_app_is_given_one_token_for_reading_only() -> None:
    state = with_app()
    with github(state) as server:
        reading = read_from(server, Watch(), login=app())
        first = server.requests[0]
    assert len(reading.pull_requests) == 3
    assert state.tokens_given == 1
    assert first.path == "/app/installations/9/access_tokens"
    assert first.body == {"permissions": {"contents": "read", "metadata": "read", "pull_requests": "read"}}


def test_a_token_is_renewed_before_it_ends() -> None:
    state = with_app()
    state.remaining, state.reset_at = 0, "2026-11-29T04:56:00Z"
    with github(state) as server:
        read_from(server, Watch(server=state), login=app(), limits=GitHubLimits(wait_seconds=9_999))
        operations = [asked(request) for request in server.requests]
    assert operations == ["token", "ClosedPullRequests", "token", "PullRequests"]


def test_a_token_that_was_taken_back_is_replaced_once() -> None:
    state = with_app()
    state.fail(refusal(401, "Bad credentials"), on="PullRequests")
    found = read(state, login=app())
    assert (numbers(found), state.tokens_given) == ([1, 2, 3], 2)
    state.fail(refusal(401, "Bad credentials"), on="PullRequests", times=9)
    found = read(state, login=app())
    assert found.reading.findings == (
        f"{WEB}: 3 pull requests of agents are not read tonight: the login is not accepted (status 401); {AGAIN}",
    )


@pytest.mark.parametrize("hours", [-3, 3])
def test_a_clock_that_is_wrong_keeps_no_app_out(hours: int) -> None:
    state = with_app()
    state.clock = NOW + timedelta(hours=hours)
    found = read(state, login=app())
    assert (numbers(found), state.tokens_given) == ([1, 2, 3], 1)
    assert found.operations[:3] == ["token", "token", "ClosedPullRequests"]


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (401, "no token for the app: the login is not accepted (status 401)"),
        (404, "no token for the app: it is not there, or may not be read (status 404)"),
        (422, "no token for the app: it is not there, or may not be read (status 422)"),
        (500, "no token for the app: the server failed (status 500)"),
    ],
)
def test_an_app_that_is_given_no_token_is_named(status: int, reason: str) -> None:
    state = with_app()
    state.fail(refusal(status, "no"), on="token", times=99)
    assert skipped(read(state, login=app())) == {WEB: f"{reason}; the next night tries again"}


def test_what_is_no_key_and_what_no_header_carries_is_never_sent() -> None:
    for login, reason in (
        (AppLogin(id=7, installation=9, private_key="hunter2"), "the app's private key is none (InvalidKeyError)"),
        (TokenLogin(secret="hunter\n2"), "the token holds characters that no header carries"),
    ):
        found = read(three(), login=login)
        assert skipped(found) == {WEB: f"{reason}; the next night tries again"}
        assert found.operations == []
        assert "hunter" not in repr(login)


def test_a_key_from_a_variable_may_have_its_line_breaks_written_out() -> None:
    state = with_app()
    login = AppLogin(id=7, installation=9, private_key=app_key()[0].replace("\n", "\\n"))
    assert numbers(read(state, login=login)) == [1, 2, 3]
