from __future__ import annotations

import json

import pytest
from graphql import GraphQLError

from dream.sources.pull_requests.agents import KNOWN_AGENTS
from dream.sources.pull_requests.github.logins import TokenLogin
from dream.sources.pull_requests.github.patches import Compared
from dream.sources.pull_requests.github.port import Platform, Unanswered, Want
from dream.sources.pull_requests.github.reading import read_github
from dream.sources.pull_requests.github.recording import BadRecordingError, Recorded, Recorder
from dream.sources.pull_requests.github.web import GitHub
from dream.sources.pull_requests.values import PullRequestReading
from tests.sources.pull_requests.github.asking import SINCE, WEB, Watch
from tests.support.github import TOKEN, GitHubState, commit, github, pull, remark, sha


def night(platform: Platform) -> PullRequestReading:
    return read_github(platform, [WEB, "acme/gone"], KNOWN_AGENTS, since=SINCE, patches=Compared(platform))


def test_a_recording_says_again_what_github_said() -> None:
    hidden = GraphQLError("no", extensions={"type": "FORBIDDEN"})
    state = GitHubState(
        repositories={
            WEB: [
                pull(1, *(commit(n) for n in range(1, 100)), commit(100, "ana"), comments=[remark(2)]),
                pull(2, commit(1), title=hidden),
                pull(3, commit(1), commit(2, "ana")),
            ]
        },
        comparisons={(sha(99), sha(100)): [{"filename": "a", "status": "added", "patch": "@@"}]},
    )
    with github(state) as server:
        watch = Watch()
        asked = Recorder(GitHub(server.url, TokenLogin(secret=TOKEN), now=watch.tell, sleep=watch.sleep))
        said = night(asked)
    recording = asked.recording()
    assert len(said.pull_requests) == 2
    assert night(Recorded(recording)) == said
    assert TOKEN.encode() not in recording


def test_what_was_not_asked_then_is_not_there() -> None:
    held = Recorded(json.dumps({"kind": "github-answers", "version": 1, "answers": {}}).encode())
    absent = Unanswered(want=Want.ABSENT, reason="it was not recorded")
    assert (held.ask("PullRequests", {"ids": []}), held.compare(WEB, "a", "b")) == (absent, absent)


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b'{"kind": "github-answers", "version": 2, "answers": {}}'])
def test_what_is_no_recording_is_refused(data: bytes) -> None:
    with pytest.raises(BadRecordingError):
        Recorded(data)


@pytest.mark.parametrize("told", [None, 3, [], {}, {"data": 3}, {"want": "X", "reason": ""}])
def test_a_broken_answer_in_a_recording_is_none(told: object) -> None:
    answers = {'PullRequests {"ids": []}': told, 'compare ["acme/web", "a", "b"]': told}
    held = Recorded(json.dumps({"kind": "github-answers", "version": 1, "answers": answers}).encode())
    assert isinstance(held.ask("PullRequests", {"ids": []}), Unanswered)
    assert isinstance(held.compare(WEB, "a", "b"), Unanswered)
