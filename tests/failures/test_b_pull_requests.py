"""B15, B52, B54, B56, and platforms that are not well: whole nights that read the pull requests of agents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from graphql import GraphQLError

from dream.models.port import Reason, Unanswered
from tasks.lessons.asking import ProposedLesson
from tests.support.answering import MODELS
from tests.support.github import GitHubState, Node, happened, refusal, user
from tests.support.github import commit as on_github_commit
from tests.support.stage import Stage
from tests.support.taught import (
    GITHUB_NIGHT,
    LESSON,
    STATEMENT,
    TOMORROW,
    WEB,
    Proposer,
    edited_on_github,
    first_commit,
    lessons,
    lines,
    logged_in,
    on_github,
    proposed,
    record,
    tally,
    two,
)
from tests.support.vendors import Response
from tests.tasks.lessons.records import BOT, PATH, commit, edit, merged

FORMATTERS = {"name": "autofix", "email": "1+autofix-ci[bot]@users.noreply.github.com", "user": None}
LEARNED = f"- 2026-11-28: {STATEMENT} "


def edited(number: int, path: str, *logins: str, **fields: Any) -> tuple[Node, dict[Any, Any]]:
    """A pull request of Devin with commits of these accounts on top; "" is Devin's own, a name with `[bot]` a bot's."""
    begin = first_commit(number)
    on_top = []
    for place, login in enumerate(logins, begin + 1):
        hand: Node = {"author": FORMATTERS, "committer": FORMATTERS} if login.endswith("[bot]") else {}
        on_top.append(on_github_commit(place, "" if hand else login, **hand))
    return edited_on_github(number, path, *on_top, **fields)


def state_of(*made: tuple[Node, dict[Any, Any]]) -> GitHubState:
    comparisons = {key: value for _, changed in made for key, value in changed.items()}
    return GitHubState(repositories={WEB: [node for node, _ in made]}, comparisons=comparisons)


def two_edited() -> GitHubState:
    return state_of(edited(4, "src/api/orders.ts", "mona"), edited(5, "src/api/users.ts", "mona"))


@pytest.mark.parametrize(
    ("logins", "counted"),
    [
        (("mona", "autofix-ci[bot]"), "1 merged after people's edits"),
        (("mona", "autofix-ci[bot]", ""), "1 merged after people's edits"),
        (("mona",), "1 merged after people's edits"),
        (("autofix-ci[bot]",), "1 merged untouched"),
        (("", "autofix-ci[bot]", ""), "1 merged untouched"),
    ],
)
def test_b15_every_commit_counts_and_not_the_last(stage: Stage, logins: tuple[str, ...], counted: str) -> None:
    with on_github(stage, state_of(edited(4, "src/a.ts", *logins))):
        stage.dream(GITHUB_NIGHT)
    assert counted in tally(stage)


def test_b15_a_persons_commit_among_three_thousand_is_an_edit(stage: Stage) -> None:
    state = state_of(edited(4, "src/a.ts", "mona", *[""] * 2_998))
    with on_github(stage, state):
        stage.dream(GITHUB_NIGHT)
    assert "1 merged after people's edits" in tally(stage)


def fails(response: Response, on: str = "") -> Callable[[GitHubState], None]:
    return lambda state: state.fail(response, on=on, times=99_999)


def forbids(state: GitHubState) -> None:
    for one in state.repositories[WEB]:
        one["body"] = GraphQLError("no", extensions={"type": "FORBIDDEN"})


def ends_early(name: str) -> Callable[[GitHubState], None]:
    def change(state: GitHubState) -> None:
        state.page_info = lambda connection, info: (
            {"hasNextPage": True, "endCursor": None} if connection == name else info
        )

    return change


def goes(state: GitHubState) -> None:
    state.repositories = {}


UNWELL: dict[str, tuple[Callable[[GitHubState], None], str]] = {
    "rate limit": (
        fails(refusal(403, "API rate limit exceeded", x_ratelimit_remaining="0", x_ratelimit_reset="1795929200")),
        "the rate limit is spent",
    ),
    "abuse limit": (fails(refusal(403, "secondary rate limit", Retry_After="4000")), "the rate limit is spent"),
    "abuse limit while reading": (
        fails(refusal(429, "secondary rate limit", Retry_After="4000"), "PullRequests"),
        "the rate limit is spent",
    ),
    "no body for anybody": (forbids, "may not be read"),
    "a list that ends early": (ends_early("pullRequests"), "end"),
    "private or deleted": (goes, "it is not there, or may not be read (NOT_FOUND)"),
    "no access": (fails(refusal(401, "Bad credentials")), "401|not accepted"),
    "down": (fails(refusal(503, "Unicorn")), "the server failed (status 503)"),
    "HTML with 200": (fails(Response(body=b"<html>log in</html>")), "no JSON"),
    "50 MB": (fails(Response(body=b" " * 50_000_000)), "bytes|large"),
}


@pytest.mark.parametrize("how", UNWELL)
def test_b52_what_github_did_not_tell_is_named_and_read_by_a_later_night_and_nothing_is_lost(
    stage: Stage, how: str
) -> None:
    spoil, named = UNWELL[how]
    state = two_edited()
    before = dict(state.repositories)
    plain = [dict(one) for one in state.repositories[WEB]]
    spoil(state)
    with on_github(stage, state):
        result = stage.dream(GITHUB_NIGHT)
        assert result.status == "landed"
        told = "\n".join(result.findings)
        assert any(part in told for part in named.split("|")), told
        assert "pull request" in told
        early = how == "a list that ends early"
        assert (lines(stage) == []) != early
        state.orders.clear()
        state.repositories, state.page_info = {**before, WEB: plain}, GitHubState().page_info
        stage.now = stage.now.replace(day=30)
        stage.dream(GITHUB_NIGHT + timedelta(days=1))
    assert "Of 2 agent pull requests" in tally(stage)
    assert [line.partition("[")[0] for line in lessons(stage)] == [LEARNED]


def test_b52_commits_that_end_early_leave_the_end_unknown_and_teach_nothing(stage: Stage) -> None:
    state = two_edited()
    ends_early("commits")(state)
    with on_github(stage, state):
        assert stage.dream(GITHUB_NIGHT).status == "landed"
    assert lessons(stage) == []
    assert "2 of which the end is unknown" in tally(stage) or "unknown" in tally(stage)


@pytest.mark.parametrize(
    ("fields", "counted"),
    [
        ({"timelineItems": [happened("HeadRefForcePushedEvent", "mona")]}, "1 merged after people's edits"),
        ({"mergedBy": {"__typename": "Bot", "login": "github-merge-queue"}}, "1 merged after people's edits"),
        ({"timelineItems": [happened("AddedToMergeQueueEvent", "mona")]}, "1 merged after people's edits"),
        ({"mergedBy": None}, "1 merged after people's edits"),
        ({"author": None, "headRefName": "devin/4"}, "1 merged after people's edits"),
        ({"body": "", "title": ""}, "1 merged after people's edits"),
    ],
)
def test_however_it_was_merged_its_own_commits_decide(stage: Stage, fields: dict[str, Any], counted: str) -> None:
    with on_github(stage, state_of(edited(4, "src/a.ts", "mona", **fields))):
        assert stage.dream(GITHUB_NIGHT).status == "landed"
    assert counted in tally(stage)


CHANGES: dict[str, list[Node]] = {
    "empty": [],
    "binary": [{"filename": "logo.png", "status": "modified"}],
    "renamed": [{"filename": "b.ts", "previous_filename": "a.ts", "status": "renamed"}],
    "no patch": [{"filename": "a.ts", "status": "modified", "patch": None}],
    "half a patch": [{"filename": "a.ts", "status": "modified", "patch": "@@ -1,9 +"}],
    "one line of 5 MB": [{"filename": "a.min.js", "status": "modified", "patch": "@@ -1 +1 @@\n-" + "a" * 500_000}],
}


@pytest.mark.parametrize("what", CHANGES)
def test_changes_without_words_teach_nothing_and_end_no_night(stage: Stage, what: str) -> None:
    state = two_edited()
    state.comparisons = dict.fromkeys(state.comparisons, CHANGES[what])
    with on_github(stage, state):
        assert stage.dream(GITHUB_NIGHT).status == "landed"
    assert "Of 2 agent pull requests" in tally(stage)
    assert ("2 merged untouched" in tally(stage)) == (what == "empty")
    assert lessons(stage) == []


def test_co_authors_of_a_commit_make_it_nobody_elses(stage: Stage) -> None:
    others = [{"name": "Devin", "email": "", "user": None}, {"name": "Mona", "email": "", "user": user("mona")}]
    made = []
    for number, path in ((4, "src/api/orders.ts"), (5, "src/api/users.ts")):
        hand = {"name": "mona", "email": "mona@acme.example", "user": user("mona")}
        on_top = on_github_commit(first_commit(number) + 1, "mona", authors=[hand, *others])
        made.append(edited_on_github(number, path, on_top))
    with on_github(stage, state_of(*made)):
        stage.dream(GITHUB_NIGHT)
    assert [line.partition("[")[0] for line in lessons(stage)] == [LEARNED]


def test_a_repository_that_was_renamed_is_named_and_what_it_teaches_counts_once(stage: Stage) -> None:
    state = two_edited()
    state.named = {WEB: "acme/shop"}
    with on_github(stage, state):
        assert any("acme/shop" in one for one in stage.dream(GITHUB_NIGHT).findings)
        assert [line.partition("[")[0] for line in lines(stage, "conventions/acme-shop.md") if "agents' " in line] == [
            LEARNED
        ]
        before = stage.files()["conventions/acme-shop.md"]
        stage.now = stage.now.replace(day=30)
        stage.dream(GITHUB_NIGHT + timedelta(days=1))
    assert stage.files()["conventions/acme-shop.md"] == before
    assert PATH not in stage.files()


def test_b54_one_that_no_model_answers_for_is_set_aside_and_holds_up_no_other(stage: Stage) -> None:
    def says(question: str) -> Sequence[ProposedLesson] | Unanswered:
        if "poison" in question:
            return Unanswered(reason=Reason.REFUSED, detail="no")
        return [
            proposed("Use logger.error in src/api", ("e1", "-   console.error(problem);\n+   logger.error(problem);"))
        ]

    stage.extra = {**stage.extra, "models": MODELS}
    poison = merged(7, edit("src/poison.ts", ("  keep(one);", "  drop(one);"), around="poison"))
    record(stage, poison, *two())
    dreamer = Proposer(says=says)
    stage.dream(models=dreamer.models)
    assert "Of 3 agent pull requests" in tally(stage)
    assert [line for line in lessons(stage) if "poison" in line] == []
    assert len(lessons(stage)) == 1
    for _ in range(3):
        stage.next_night(models=dreamer.models)
    (aside,) = [one for one in stage.state().pending if one.task == "pr_outcomes"]
    assert (aside.input, aside.set_aside) == ("acme/web#7/lessons", True)
    asked = len(dreamer.asked)
    stage.next_night(models=dreamer.models)
    assert len(dreamer.asked) == asked
    assert "Of 3 agent pull requests" in tally(stage)


def test_b54_one_that_taught_nothing_is_asked_about_once_however_much_others_teach(stage: Stage) -> None:
    stage.extra = {**stage.extra, "models": MODELS}
    dreamer = Proposer()
    known = [merged(7, edit("src/silent.ts", ("  keep(one);", "  drop(one);"), around="silent"))]
    record(stage, *known)
    stage.dream(models=dreamer.models)
    for night, path in enumerate(("src/api/orders.ts", "src/web/users.ts"), 22):
        ended = dict.fromkeys(TOMORROW, f"2026-10-{night}T10:00:00Z")
        known.append(logged_in(night, path, **ended))
        record(stage, *known)
        stage.next_night(models=dreamer.models)
    stage.next_night(models=dreamer.models)
    assert len(lessons(stage)) == 1
    assert sum("silent" in question for question in dreamer.asked) == 1


def test_b56_one_that_is_told_otherwise_later_is_looked_at_again_and_counted_once(stage: Stage) -> None:
    silent = [{**one, "edits": None} for one in two()]
    record(stage, *silent)
    stage.dream()
    assert lessons(stage) == []
    before = tally(stage)
    record(stage, *two())
    stage.next_night()
    assert lessons(stage) == [LESSON]
    assert tally(stage) == before


def test_b15_b52_a_broken_record_takes_no_other_with_it_and_is_named(stage: Stage) -> None:
    broken: list[Any] = [{"repo": "acme/web"}, 7, None, {**merged(8), "commits": "all"}, {**merged(9), "number": -1}]
    with_bot = logged_in(41, "src/api/orders.ts")
    with_bot["commits"] = [*with_bot["commits"], commit(4_199, "autofix-ci[bot]"), commit(4_198, BOT)]
    record(stage, *broken, with_bot, logged_in(52, "src/api/users.ts"), logged_in(60, "src/api/cart.ts", **TOMORROW))
    result = stage.dream()
    assert result.status == "landed"
    assert lessons(stage) == [LESSON]
    left_out = [one for one in result.findings if one.startswith("pull request record") and "left out" in one]
    assert len(left_out) == len(broken)
