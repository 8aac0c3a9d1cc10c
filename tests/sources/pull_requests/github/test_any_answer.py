from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dream.sources.pull_requests.agents import KNOWN_AGENTS
from dream.sources.pull_requests.classification import classify
from dream.sources.pull_requests.github.logins import TokenLogin
from dream.sources.pull_requests.github.patches import Compared
from dream.sources.pull_requests.github.reading import read_github
from dream.sources.pull_requests.github.recording import Recorded, Recorder
from dream.sources.pull_requests.github.web import GitHub
from tests.sources.pull_requests.github.asking import SINCE, WEB, Watch
from tests.support.github import TOKEN, GitHubState, commit, github, happened, pull, remark, sha

_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
    | st.just("x" * 300),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)
Path = tuple[str | int, ...]


@cache
def recording() -> dict[str, Any]:
    """What a GitHub says in which every part has something."""
    thread = {"id": "T_1", "path": "a", "line": 1, "isResolved": False, "comments": [remark(1)]}
    one = pull(
        1,
        commit(1),
        commit(2, "ana"),
        labels=[{"name": "x"}],
        comments=[remark(2)],
        reviews=[remark(3, state="APPROVED")],
        reviewThreads=[thread],
        timelineItems=[happened("ClosedEvent", closer={"__typename": "Commit", "oid": sha(3)})],
    )
    files = [{"filename": "a", "status": "renamed", "previous_filename": "b", "patch": "@@"}]
    state = GitHubState(repositories={WEB: [one]}, comparisons={(sha(1), sha(2)): files})
    with github(state) as server:
        asked = Recorder(GitHub(server.url, TokenLogin(secret=TOKEN), now=Watch().tell))
        read_github(asked, [WEB], KNOWN_AGENTS, since=SINCE, patches=Compared(asked))
    held: dict[str, Any] = json.loads(asked.recording())
    return held


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every place in a JSON value."""
    yield path
    match value:
        case dict():
            for key, inner in value.items():
                yield from places(inner, (*path, key))
        case list():
            for place, inner in enumerate(value):
                yield from places(inner, (*path, place))


def replaced(value: Any, path: Path, new: Any) -> Any:
    """A copy of a JSON value with another at a place."""
    if not path:
        return new
    head, *rest = path
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[head] = replaced(value[head], tuple(rest), new)
    return copy


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_answer_of_github_raises_and_whatever_is_read_has_an_end(data: st.DataObject) -> None:
    answers = recording()["answers"]
    question = data.draw(st.sampled_from(sorted(answers)))
    path = data.draw(st.sampled_from(list(places(answers[question]))))
    told = {**answers, question: replaced(answers[question], path, data.draw(_JSON))}
    platform = Recorded(json.dumps({**recording(), "answers": told}).encode())
    reading = read_github(platform, [WEB], KNOWN_AGENTS, since=SINCE, patches=Compared(platform))
    assert reading.records == len(reading.pull_requests) + len(reading.skipped) + reading.unmarked
    for one in reading.pull_requests:
        assert classify(one, KNOWN_AGENTS).reason
