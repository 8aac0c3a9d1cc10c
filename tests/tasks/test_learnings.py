"""What becomes of what people say again and again: a skill file, or a reason why not."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from dream.memory.operations import Add
from dream.memory.records import Effect, NightRecord
from dream.memory.skills import Skill, check_skill, parse_skill
from dream.memory.tree import Tree
from dream.models.port import Reason, Unanswered
from dream.models.prompt import Prompt
from tasks.candidates import Observed, ProposedLearnings, Review
from tasks.conversation import ExcerptLimits
from tasks.learnings import NO_REVIEWER
from tasks.observations import read_observations
from tasks.observing import ObservingLimits
from tasks.proposals import CitedQuote
from tasks.teaching import LearningsLimits, Past
from tests.tasks.stories import planted, talk, thread
from tests.tasks.teaching import (
    EMPTY,
    LINE,
    NIGHT,
    PATH,
    TOLD,
    Teaching,
    candidate,
    ends,
    ids_of,
    learning,
    line,
    part,
    proposing,
    the_one,
    three_days,
    told_on,
)

WRITTEN = """---
name: run-make-fmt
description: Use when committing in acme/web.
---

# Run make fmt

- Run `make fmt` before you commit. [person:ana@thread_a000, person:ana@thread_a001, person:ana@thread_a002, 2026-10-20]
"""


def text_of(tree: Tree, path: str = PATH) -> str:
    return (tree.read(path) or b"").decode()


def no(why: str = "too narrow") -> Review:
    return Review(reasoning="", verdict="not-approved", why=why)


def test_what_was_said_in_three_sessions_becomes_a_skill_file_that_says_who_said_it() -> None:
    plan = Teaching().plan(*three_days())
    tree = planted(EMPTY, plan)
    assert text_of(tree) == WRITTEN
    skill = parse_skill(WRITTEN.encode())
    assert isinstance(skill, Skill)
    assert check_skill(skill, folder="run-make-fmt") == ()
    item = candidate(plan)
    (operation,) = item.operations
    assert isinstance(operation, Add)
    assert operation.basis.why == "create, said in 3 sessions, days: 3, people: 1"
    assert operation.basis.evidence[0] == f"thread_a000/m2 ana, 2026-10-18: {TOLD[0]}"
    assert [mark.partition(" ")[0] for mark in operation.basis.quotes] == [
        "thread_a000/m2:0-52",
        "thread_a001/m2:0-60",
        "thread_a002/m2:0-67",
    ]
    assert ends(plan) == {
        "thread_a000": "observed",
        "thread_a001": "observed",
        "thread_a002": "observed",
        "learnings/run-make-fmt": "written",
    }
    assert plan.findings == (
        "learnings: 3 stretches marked: 3 observed",
        "learnings: 1 candidate proposed: 1 approved",
        f"create {PATH}: approved, citing thread_a000/m2:0-52, thread_a001/m2:0-60, thread_a002/m2:0-67",
    )


def test_what_is_remembered_and_recorded_holds_no_word_of_what_was_said() -> None:
    plan = Teaching().plan(*three_days())
    told = (
        repr(plan.observed) + repr(plan.findings) + repr([item.operations[0].basis.quotes for item in plan.items[3:]])
    )
    assert not any(word in told for word in ("before", "commit", "Please"))


def test_two_sessions_wait_for_a_third_and_their_words_are_found_again() -> None:
    teaching = Teaching()
    first = teaching.plan(*three_days()[:2])
    assert ends(first) == {"thread_a000": "observed", "thread_a001": "observed"}
    assert [prompt.name for prompt in teaching.dreamer.asked] == ["learnings/observe", "learnings/observe"]
    history = {one.mark: text for one, text in zip(read_observations(first.observed), TOLD, strict=False)}
    plan = teaching.plan(three_days()[2], observations=first.observed, words=history.get)
    assert text_of(planted(EMPTY, plan)) == WRITTEN
    forgotten = Teaching().plan(three_days()[2], observations=first.observed)
    assert ends(forgotten) == {"thread_a002": "observed"}
    assert "learnings: 2 observations could not be read: neither tonight nor in the history" in forgotten.findings


def test_a_night_without_a_new_session_asks_nobody() -> None:
    teaching = Teaching()
    done = {session.source: session.digest for session in three_days()}
    plan = teaching.plan(*three_days(), done=done, observations=Teaching().plan(*three_days()).observed)
    assert (plan.items, plan.findings) == ((), ())
    assert teaching.dreamer.asked == teaching.reviewer.asked == []


def test_the_agents_turn_is_shown_above_what_the_person_answered_and_nothing_else_of_the_session() -> None:
    session = told_on(18, f"{TOLD[0]}\n\n> You are right, always deploy at once.", name="a000")
    teaching = Teaching()
    teaching.plan(session)
    assert part(teaching.dreamer.asked[0], "one conversation") == (
        f"[m1] agent:\nI have changed the page.\n\n[m2] person ana:\n{TOLD[0]}\n… [left out: not typed]"
    )


@pytest.mark.parametrize(
    ("message", "quote", "end"),
    [
        ("m1", "I have changed the page.", "not-a-person"),
        ("m4", "Exit code 1: always use make", "not-a-person"),
        ("m5", "recalled: always use make", "not-a-person"),
        ("m6", "use make, the reminder says", "not-a-person"),
        ("m2", "Always deploy at once, they say.", "not-typed"),
        ("m2", "Run `make fmt` before you commit", "quote-not-found"),
        ("m9", "anything at all", "no-such-message"),
        ("m2", "Please", "quote-too-short"),
        ("m3", "use bo's way of doing it", "not-this-person"),
    ],
)
def test_nothing_but_what_a_person_typed_is_observed(message: str, quote: str, end: str) -> None:
    said = f"{TOLD[0]}\n\n> Always deploy at once, they say.".replace("\n", "\u2028").replace("\u2028", "\n")
    session = told_on(18, said, name="a000")
    more = told_on(18, "use bo's way of doing it", name="x", by="bo").messages[1]
    others = [
        replace(more, role=role, text=text, author="")
        for role, text in (
            (type(more.role).TOOL, "Exit code 1: always use make"),
            (type(more.role).RECALLED, "recalled: always use make"),
            (type(more.role).HARNESS, "use make, the reminder says"),
        )
    ]
    session = replace(session, messages=(*session.messages[:2], more, *others))
    marks = Observed(reasoning="", observations=[CitedQuote(message=message, quote=quote)])
    plan = Teaching(marks=lambda _: marks, people=["ana"]).plan(session)
    assert plan.findings == (f"learnings: 1 stretch marked: 1 {end}",)
    assert (ends(plan), plan.observed) == ({"thread_a000": "nothing-to-say"}, ())


def test_a_session_that_is_longer_than_what_is_looked_at_is_named() -> None:
    said = [f"ana: {TOLD[n % 3]} Mind rule {n}." for n in range(6)]
    limits = LearningsLimits(observing=ObservingLimits(excerpt=ExcerptLimits(excerpt=150), excerpts=2))
    teaching = Teaching(limits=limits)
    plan = teaching.plan(thread("long", *talk(*said, start=datetime(2026, 10, 20, 9, tzinfo=UTC))))
    (finding,) = [one for one in plan.findings if "excerpts" in one]
    assert finding.startswith("thread_long: the last 2 of ")
    assert len(teaching.dreamer.asked) == 2


def test_a_session_in_which_nobody_typed_is_not_shown_to_anybody() -> None:
    teaching = Teaching()
    plan = teaching.plan(told_on(18, f"```\n{TOLD[0]}\n```", name="a000"))
    assert (ends(plan), teaching.dreamer.asked) == ({"thread_a000": "nothing-typed"}, [])


def test_what_was_typed_before_the_look_back_is_not_observed() -> None:
    early = replace(told_on(2, TOLD[0], name="a000"), messages=(*told_on(2, TOLD[0], name="a").messages,))
    assert ends(Teaching().plan(early)) == {"thread_a000": "nothing-typed"}


def test_of_an_organisations_people_only_those_teach() -> None:
    sessions = [told_on(18 + n, text, name=f"a{n:03}", by="xyz"[n]) for n, text in enumerate(TOLD)]
    plan = Teaching(people=["ana"]).plan(*sessions)
    assert set(ends(plan).values()) == {"nothing-typed"}
    before = Teaching().plan(*sessions).observed
    later = Teaching(people=["ana"]).plan(told_on(21, "hello there, thanks", name="b"), *sessions, observations=before)
    assert all(item.digest for item in later.items)


def test_a_session_that_the_dreamer_does_not_answer_on_waits() -> None:
    def silent(prompt: Prompt) -> Unanswered | Observed:
        if "again:" in part(prompt, "one conversation"):
            return Unanswered(reason=Reason.REFUSED)
        return Observed(reasoning="", observations=[])

    plan = Teaching(marks=silent).plan(*three_days())
    assert ends(plan) == {
        "thread_a000": "nothing-to-say",
        "thread_a001": "failed-model-refused",
        "thread_a002": "nothing-to-say",
    }
    assert [item.pending for item in plan.items] == [False, True, False]


@pytest.mark.parametrize("answer", [Unanswered(reason=Reason.REFUSED), "no JSON at all", '{"observations": 3}'])
def test_a_dreamer_that_answers_on_nothing_is_to_blame_and_no_session_is(answer: Unanswered | str) -> None:
    plan = Teaching(marks=lambda _: answer).plan(*three_days())
    assert all(item.pending and item.reason.startswith("model-") for item in plan.items)
    assert plan.observed == ()


@pytest.mark.parametrize(
    "answer",
    [Unanswered(reason=Reason.OUTAGE), "Sure! Here are the learnings:", '{"reasoning": "", "learnings": [{}]}'],
)
def test_without_a_readable_proposal_the_observations_are_kept_for_another_night(answer: Unanswered | str) -> None:
    plan = Teaching(proposes=lambda _: answer).plan(*three_days())
    (item,) = [item for item in plan.items if not item.digest]
    assert (item.id, item.pending, item.reason.startswith("model-")) == ("candidates", True, True)
    assert len(plan.observed) == 3


def test_what_is_too_long_for_an_answer_is_asked_of_its_newer_half() -> None:
    sessions = [told_on(10 + n, f"{TOLD[n % 3]} It is rule {n}.", name=f"a{n:03}") for n in range(8)]

    def short(prompt: Prompt) -> ProposedLearnings | Unanswered:
        if len(ids_of(prompt)) > 4:
            return Unanswered(reason=Reason.TOO_LONG)
        return the_one(prompt)

    plan = Teaching(proposes=short).plan(*sessions)
    assert "person:ana@thread_a004" in text_of(planted(EMPTY, plan))


def test_of_more_than_a_question_can_show_the_newest_are_shown_whole() -> None:
    told = [
        told_on(10 + n % 10, f"{n} {TOLD[n % 3]} {f'Really {n}. ' * 27}", name=f"a{n:03}", hour=n // 10)
        for n in range(200)
    ]
    teaching = Teaching(limits=LearningsLimits(shown=1_000))
    teaching.plan(*told)
    shown = part(teaching.dreamer.asked[-1], "what people said").split("\n")
    assert len(shown) < 200
    assert shown[-1].startswith(f"o{len(shown)} (2026-10-19, acme/web, ana): 199 again: run")
    assert "cut" not in teaching.dreamer.asked[-1].parts[-1].label  # type: ignore[union-attr]
    assert "first" not in teaching.dreamer.asked[-1].parts[-1].label  # type: ignore[union-attr]


def test_a_judge_that_is_not_to_be_believed_writes_nothing_and_every_candidate_waits() -> None:
    teaching = Teaching(unfit="the judge says yes to everything")
    plan = teaching.plan(*three_days())
    item = candidate(plan)
    assert (item.reason, item.pending, item.operations) == ("judge-unfit", True, ())
    assert "no learning is written: the judge says yes to everything" in plan.findings
    assert teaching.reviewer.asked == []


@pytest.mark.parametrize(
    ("rules", "end", "waits"),
    [
        ("contradicted", "not-entailed", False),
        ("unsure", "judge-unsure", False),
        (Unanswered(reason=Reason.OUTAGE), "judge-outage", True),
    ],
)
def test_what_the_judge_does_not_support_is_not_written(rules: str | Unanswered, end: str, *, waits: bool) -> None:
    plan = Teaching(rules=rules).plan(*three_days())
    assert (candidate(plan).reason, candidate(plan).pending) == (end, waits)
    turned_down = [one for one in plan.declined if one.reason == end]
    assert len(turned_down) == (0 if waits else 3)
    if turned_down:
        again = Teaching(past=Past(rejected=[one.digest for one in plan.declined])).plan(*three_days())
        assert candidate(again).reason == "rejected-before"


def test_a_reviewer_that_is_the_dreamer_reviews_nothing() -> None:
    plan = Teaching(reviewer_name="dreamer").plan(*three_days())
    assert (plan.skipped, plan.items) == (NO_REVIEWER, ())


def test_a_reviewer_that_never_answers_holds_everything_back() -> None:
    plan = Teaching(reviews=lambda _: Unanswered(reason=Reason.OUTAGE)).plan(*three_days())
    item = candidate(plan)
    assert (item.reason, item.pending, item.operations) == ("reviewer-outage", True, ())
    assert (len(plan.observed), plan.declined) == (3, ())


@pytest.mark.parametrize(
    "answer", ["approved", '{"verdict": "approved"}', '{"reasoning": "", "verdict": "yes", "why": ""}']
)
def test_a_review_that_cannot_be_read_is_none(answer: str) -> None:
    assert candidate(Teaching(reviews=lambda _: answer).plan(*three_days())).reason == "reviewer-invalid"


def test_what_the_reviewer_sends_back_is_revised_once() -> None:
    narrower = "Use when committing to acme/web with make."
    answers = [no("the trigger is too wide"), Review(reasoning="", verdict="approved", why="")]

    def revised(prompt: Prompt) -> ProposedLearnings:
        assert part(prompt, "why the reviewer") == "the trigger is too wide"
        return proposing(learning(line(LINE, *ids_of(prompt)), trigger=narrower, name="something-else"))

    teaching = Teaching(reviews=lambda _: answers.pop(0), revises=revised)
    tree = planted(EMPTY, teaching.plan(*three_days()))
    assert f"description: {narrower}" in text_of(tree)
    assert len(teaching.reviewer.asked) == 2


def test_a_second_no_ends_it_and_is_remembered() -> None:
    teaching = Teaching(reviews=lambda _: no(), revises=the_one_revised)
    plan = teaching.plan(*three_days())
    assert candidate(plan).reason == "not-approved"
    assert len(teaching.reviewer.asked) == 2
    (declined,) = plan.declined
    assert (declined.source, declined.reason) == (PATH, "not-approved")
    again = Teaching(past=Past(rejected=[declined.digest]))
    assert candidate(again.plan(*three_days())).reason == "rejected-before"
    assert again.reviewer.asked == []
    more = again.plan(*three_days(), told_on(21, "run `make fmt` before you commit, as I said", name="a003"))
    assert candidate(more).reason in {"rejected-before", ""}


def the_one_revised(prompt: Prompt) -> ProposedLearnings:
    return proposing(learning(line(LINE, *ids_of(prompt))))


def test_a_revision_is_held_to_the_same_rules() -> None:
    def reaching(prompt: Prompt) -> ProposedLearnings:
        return proposing(learning(line("Run `make lint` before you commit", *ids_of(prompt))))

    plan = Teaching(reviews=lambda _: no(), revises=reaching).plan(*three_days())
    assert candidate(plan).reason == "no-specific"
    withdrawn = Teaching(reviews=lambda _: no()).plan(*three_days())
    assert candidate(withdrawn).reason == "withdrawn"
    silent = Teaching(reviews=lambda _: no(), revises=lambda _: Unanswered(reason=Reason.OUTAGE)).plan(*three_days())
    assert (candidate(silent).reason, candidate(silent).pending, silent.declined) == ("model-outage", True, ())


def test_two_new_learnings_a_night_and_the_rest_keeps_its_observations() -> None:
    rules = {
        "fmt": ("Run `make fmt` before you commit", "Use when committing in acme/web."),
        "squash": ("Squash the commits before you merge a pull request", "Use when merging pull requests."),
        "branch": ("Name the branch after the ticket", "Use when naming a branch for a ticket."),
    }
    sessions = [
        told_on(18 + day, f"{text}, {add}.", name=f"{name}{day}", hour=8 + 2 * place)
        for day, add in enumerate(("please", "in acme/web", "every time"))
        for place, (name, (text, _)) in enumerate(rules.items())
    ]

    def all_of(prompt: Prompt) -> ProposedLearnings:
        made = [
            learning(line(text, *ids_of(prompt, text)), name=f"about-{name}", trigger=trigger)
            for name, (text, trigger) in rules.items()
        ]
        return proposing(*made)

    plan = Teaching(proposes=all_of).plan(*sessions)
    assert [item.reason for item in plan.items if not item.digest] == ["", "", "waits-its-turn"]
    assert plan.items[-1].pending
    made = Effect(id="e", task="learnings", kind="add", created=("learnings/x/SKILL.md",))
    tonight = NightRecord(
        night=NIGHT, scheduled=datetime(2026, 10, 22, 4, tzinfo=UTC), run="r", base="b", effects=(made,)
    )
    again = Teaching(proposes=all_of).plan(*sessions, records=[tonight])
    assert [item.reason for item in again.items if not item.digest] == ["", "waits-its-turn", "waits-its-turn"]


@pytest.mark.parametrize("cited", [["o1", "o2", "o3", "o9"], ["thread_a000", "thread_a001", "thread_a002"], ["m2"], []])
def test_what_was_never_observed_carries_nothing(cited: list[str]) -> None:
    plan = Teaching(proposes=lambda _: proposing(learning(line(LINE, *cited)))).plan(*three_days())
    assert candidate(plan).reason == ("no-such-observation" if cited else "too-few-sessions")


def test_candidates_past_what_a_reply_may_give_are_counted_and_nothing_more() -> None:
    limits = LearningsLimits(candidates=1)
    made = [learning(line(LINE, "o1"), name=f"rule-{n}") for n in range(4)]
    plan = Teaching(proposes=lambda _: proposing(*made), limits=limits).plan(*three_days())
    assert [item.reason for item in plan.items if not item.digest] == ["too-few-sessions", *["too-many-candidates"] * 3]
    assert "learnings: 4 candidates proposed: 3 too-many-candidates, 1 too-few-sessions" in plan.findings
