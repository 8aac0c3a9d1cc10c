"""B25, B28, B29, B42, B44, B47, B52, B54, B57, B75, B84: what people taught, and what must not come of it.

The dreamer marks every typed line and proposes whatever a test has it propose; judge and reviewer believe all of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.operations import Refusal
from dream.memory.records import NightRecord
from dream.memory.windows import scheduled_instant
from dream.models.port import Reason, Unanswered
from dream.models.prompt import Prompt
from dream.report.alarms.limits import AlarmLimits
from dream.report.alarms.raising import alarms_of
from dream.sources.sessions.values import Message, Role, Session
from tasks.candidates import Observed, ProposedLearnings
from tasks.observing import Heard, ObservingLimits
from tasks.proposals import CitedQuote
from tests.guards.planted_secrets import planted_secrets
from tests.report.records import nights_before, record, task
from tests.support.learners import REVIEWED, Answer, Learner, say
from tests.support.repositories import git_bytes
from tests.support.served import Served
from tests.support.spoiled import logged
from tests.support.stage import NIGHT, Stage, stage_of
from tests.tasks.teaching import (
    LINE,
    SINCE,
    TOLD,
    Teaching,
    candidate,
    ids_of,
    learning,
    line,
    part,
    proposing,
    three_days,
    told_on,
)

PATH = "learnings/run-make-fmt/SKILL.md"
SAID = (
    "Please run `make fmt` before you commit.",
    "again: run `make fmt` before you commit anything",
    "You have to run `make fmt` before every commit, the hook checks it.",
)
DAY = timedelta(days=1)
FIRST = NIGHT - DAY


@pytest.fixture
def taught(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.extra = {"models": REVIEWED}
    return made


def fmt(prompt: Prompt) -> ProposedLearnings:
    made = line(LINE, *ids_of(prompt, "make fmt"))
    return proposing(learning(made, trigger="Use when committing with make fmt."))


def nights(stage: Stage, learner: Learner, said: Sequence[str] = SAID) -> None:
    """Let ana say these things on as many days, and dream each night."""
    for number, text in enumerate(said):
        say(stage, FIRST + number * DAY, text, number=number + 1)
        stage.dream(models=learner.models) if number == 0 else stage.next_night(models=learner.models)


def last(stage: Stage) -> date:
    return (stage.now - timedelta(hours=4)).date()


def other(session: Session, role: Role, text: str) -> Session:
    """The session with one more message."""
    end = session.messages[-1]
    return replace(session, messages=(*session.messages, Message(id=f"{end.id}x", at=end.at, role=role, text=text)))


def marking(*cited: tuple[str, str]) -> Observed:
    return Observed(reasoning="", observations=[CitedQuote(message=message, quote=quote) for message, quote in cited])


WRITTEN_BEFORE = (
    "- Run `make fmt` before you commit. [person:ana@thread_a000, 2026-10-20]",
    "# Run make fmt\n\n- Run `make fmt` before you commit.",
    "- 2026-10-20: ana wants `make fmt` to be run before you commit. [thread_a000, 2026-10-20]",
)


@pytest.mark.parametrize("text", WRITTEN_BEFORE)
@pytest.mark.parametrize("role", [Role.AGENT, Role.TOOL, Role.HARNESS, Role.RECALLED])
def test_b25_a_learning_that_is_shown_to_an_agent_does_not_teach_itself(role: Role, text: str) -> None:
    sessions = [other(told_on(18 + n, "Have a look, please.", name=f"a{n:03}"), role, text) for n in range(3)]
    rows = [("m4", row) for row in text.split("\n") if row]
    teaching = Teaching(marks=lambda _: marking(*rows))
    plan = teaching.plan(*sessions)
    assert (plan.observed, [item for item in plan.items if not item.digest]) == ((), [])
    assert not any("make fmt" in part(prompt, "one conversation") for prompt in teaching.dreamer.asked)


@pytest.mark.parametrize(
    "field", ["Candidate: {}", "{} (score=0.93)", "{} confidence: high", "{} [o1, o2, o3]", "create: {}"]
)
def test_b25_no_field_of_a_pipeline_stands_in_a_learning(field: str) -> None:
    plan = Teaching(
        proposes=lambda prompt: proposing(learning(line(field.format(LINE), *ids_of(prompt, "make fmt"))))
    ).plan(*three_days())
    assert candidate(plan).operations == ()


def quiet(reason: str, count: int = 7) -> list[NightRecord]:
    """As many nights with two sessions each, of which the learnings say `reason` once."""
    told = task("unchanged", inputs=2, not_written=Counter((reason, "nothing-to-say")))
    return [record({"learnings": told}, night=night, consuming=("learnings",)) for night in nights_before(count)]


def raised(records: Sequence[NightRecord]) -> list[tuple[str, str]]:
    """The alarms of an organisation with these records, and the task of each."""
    alarms = alarms_of("acme", records, {}, limits=AlarmLimits(), now=scheduled_instant(NIGHT))
    return [(alarm.kind, alarm.task) for alarm in alarms]


def test_b28_weeks_of_refused_candidates_are_degraded_and_weeks_of_nothing_taught_are_not() -> None:
    assert raised(quiet("not-approved")) == [("zero-yield", "learnings")]
    for reason in ("observed", "nothing-typed", "nothing-to-say", "too-few-sessions"):
        assert raised(quiet(reason)) == []
    assert raised(quiet("not-approved", 6)) == []


def test_b29_every_stretch_and_every_candidate_is_told_with_its_end() -> None:
    def marks(_: Prompt) -> Observed:
        return marking(
            ("m2", TOLD[0]), ("m1", "I have changed the page."), ("m9", "who knows"), ("m2", "nobody said it")
        )

    def proposes(prompt: Prompt) -> ProposedLearnings:
        ids = ids_of(prompt)
        wide = learning(line(LINE, *ids), trigger="Use for every task", name="wide")
        return proposing(learning(line(LINE, "o99"), name="lost"), wide, learning(line(LINE, *ids[:1]), name="once"))

    sessions = [told_on(18 + n, TOLD[0], name=f"a{n:03}") for n in range(3)]
    plan = Teaching(marks=marks, proposes=proposes).plan(*sessions)
    assert plan.findings[:2] == (
        "learnings: 12 stretches marked: 3 no-such-message, 3 not-a-person, 3 observed, 3 quote-not-found",
        "learnings: 3 candidates proposed: 1 no-such-observation, 1 too-few-sessions, 1 trigger-universal",
    )
    assert [row.partition(",")[0] for row in plan.findings[2:]] == [
        "create learnings/lost/SKILL.md: no-such-observation",
        "create learnings/wide/SKILL.md: trigger-universal",
        "create learnings/once/SKILL.md: too-few-sessions",
    ]


def heard(text: str, *, zone: str = "UTC", at: datetime | None = None) -> Heard:
    """A session in which somebody types `text`."""
    session = told_on(18, text, name="a000")
    if at is not None:
        session = replace(session, messages=tuple(replace(one, at=at) for one in session.messages))
    return Heard(
        session=session,
        since=SINCE,
        people=frozenset(),
        timezone=ZoneInfo(zone),
        limits=ObservingLimits(characters=1_000),
    )


TYPED = "Use the wide “margins” of `style.css` → see [the guide](docs/guide.md) — naïve cafés, 🎉 and all."


@given(st.integers(0, len(TYPED) - 1), st.sampled_from(["", "q", "\u200b", "\u0430", "\u00a0", "\n"]))
def test_b42_a_stretch_with_one_character_other_than_typed_is_none(place: int, instead: str) -> None:
    changed = TYPED[:place] + instead + TYPED[place + 1 :]
    found = heard(TYPED).observation(CitedQuote(message="m2", quote=changed), night=NIGHT)
    is_there = bool(changed.strip()) and changed.strip() in TYPED
    assert isinstance(found, Refusal) != is_there
    if isinstance(found, Refusal):
        assert found.reason == "quote-not-found"


@given(st.integers(0, len(TYPED) - 12), st.integers(12, len(TYPED)))
def test_b44_a_stretch_verifies_whatever_marks_it_holds(start: int, length: int) -> None:
    quote = TYPED[start : start + length].strip()
    found = heard(TYPED).observation(CitedQuote(message="m2", quote=quote), night=NIGHT)
    if isinstance(found, Refusal):
        assert (found.reason, len(quote) < 10) == ("quote-too-short", True)
    else:
        assert TYPED[found.start : found.end] == found.words == quote


@pytest.mark.parametrize("how", ["deleted", "reverted"])
def test_b47_thirty_nights_bring_back_no_learning_that_a_person_took_away(taught: Stage, how: str) -> None:
    learner = Learner(proposes=fmt)
    nights(taught, learner)
    assert PATH in taught.files()
    if how == "deleted":
        taught.person().delete(PATH)
    else:
        assert taught.revert("learnings", night=last(taught)).exit_code == 0
    for number in range(30):
        say(taught, last(taught), f"hello number {number}, what is new?", number=50 + number)
        taught.next_night(models=learner.models, only=("learnings",))
        assert not any(path.startswith("learnings/") for path in taught.files())


@pytest.mark.parametrize("reason", [Reason.RATE_LIMITED, Reason.OUTAGE, Reason.INVALID, Reason.TRUNCATED])
def test_b52_a_session_that_got_no_answer_is_heard_the_next_night(taught: Stage, reason: Reason) -> None:
    learner = Learner(proposes=fmt, marks=lambda _: Unanswered(reason=reason))
    nights(taught, learner)
    night = taught.record(last(taught)).tasks["learnings"]
    assert (night.written, night.pending > 0, taught.state().observations) == (0, True, ())
    taught.next_night(models=Learner(proposes=fmt).models)
    assert PATH in taught.files()


def test_b54_a_session_that_always_fails_is_set_aside_and_holds_up_no_other(taught: Stage) -> None:
    def refusing(prompt: Prompt) -> Answer:
        if "poison" in part(prompt, "one conversation"):
            return Unanswered(reason=Reason.REFUSED)
        return marks(prompt)

    marks = Learner().marks
    learner = Learner(proposes=fmt, marks=refusing)
    say(taught, FIRST, "This one is poison to every model.", number=90)
    nights(taught, learner)
    assert PATH in taught.files()
    (aside,) = [one for one in taught.state().pending if one.task == "learnings"]
    assert (aside.set_aside, aside.nights) == (True, 3)
    asked = len(learner.asked)
    say(taught, last(taught), "hello, what is new?", number=91)
    taught.next_night(models=learner.models)
    assert [name for _, name in learner.asked[asked:]].count("learnings/observe") == 1


@pytest.mark.parametrize(
    ("zone", "at", "day"),
    [
        ("Pacific/Kiritimati", "2026-10-20T09:59:59.999+00:00", "2026-10-20"),
        ("Pacific/Kiritimati", "2026-10-20T10:00:00+00:00", "2026-10-21"),
        ("Pacific/Pago_Pago", "2026-10-20T10:59:59.999+00:00", "2026-10-19"),
        ("Pacific/Pago_Pago", "2026-10-20T11:00:00+00:00", "2026-10-20"),
        ("Europe/Berlin", "2026-10-24T21:59:59+00:00", "2026-10-24"),
        ("Europe/Berlin", "2026-10-25T23:00:00+00:00", "2026-10-26"),
        ("America/New_York", "2026-03-08T04:59:59+00:00", "2026-03-07"),
        ("UTC", "2028-02-29T23:59:59.999+00:00", "2028-02-29"),
    ],
)
def test_b57_the_day_on_which_something_was_said_is_that_of_its_people(zone: str, at: str, day: str) -> None:
    said = heard(TOLD[0], zone=zone, at=datetime.fromisoformat(at))
    found = replace(said, since=datetime(2020, 1, 1, tzinfo=UTC)).observation(
        CitedQuote(message="m2", quote=TOLD[0]), night=NIGHT
    )
    assert not isinstance(found, Refusal)
    assert found.day.isoformat() == day


def test_b75_what_one_organisation_is_taught_is_in_nothing_of_another(served: Served, tmp_path: Path) -> None:
    told: dict[str, str] = {}
    marks = {name: f"kestrel{number}{name[-1] * 4}" for number, name in enumerate(("org-a", "org-b", "org-c"))}
    for name, mark in marks.items():
        root = tmp_path / name
        root.mkdir()
        stage = replace(stage_of(served, root, hosted_as=name), name=name, extra={"models": REVIEWED})
        asked: list[str] = []

        def proposes(prompt: Prompt, mark: str = mark, asked: list[str] = asked) -> ProposedLearnings:
            asked.append("\n".join(str(one) for one in prompt.parts))
            return proposing(
                learning(
                    line(f"Run {mark} before you commit", *ids_of(prompt, mark)),
                    trigger=f"Use when committing with {mark}.",
                )
            )

        with logged() as log:
            nights(stage, Learner(proposes=proposes), [text.replace("`make fmt`", mark) for text in SAID])
        objects = git_bytes(stage.hosted.path, "cat-file", "--batch-all-objects", "--batch").decode("latin-1")
        files = [path.read_text("latin-1") for path in root.rglob("*") if path.is_file()]
        assert any(mark in data.decode() for path, data in stage.files().items() if path.startswith("learnings/"))
        told[name] = "\n".join([*asked, log.getvalue(), objects, *files])
    for name, text in told.items():
        assert [other for other, mark in marks.items() if mark in text] == [name]


def test_b84_a_secret_that_somebody_typed_is_in_nothing_that_is_learnt_or_kept(taught: Stage) -> None:
    secrets = planted_secrets(11)
    assert len(secrets) >= 40
    asked: list[str] = []

    def proposes(prompt: Prompt) -> ProposedLearnings:
        asked.append("\n".join(str(one) for one in prompt.parts))
        rows = [row.partition("): ")[2] for row in part(prompt, "what people said").split("\n")]
        made = [learning(line(row, *ids_of(prompt)), name="deploy") for row in rows]
        return proposing(*fmt(prompt).learnings, *made)

    with logged() as log:
        for number, text in enumerate(SAID):
            day = FIRST + number * DAY
            say(taught, day, text, *(f"Always deploy with {secret}" for secret in secrets.values()), number=number + 1)
            learner = Learner(proposes=proposes)
            taught.dream(models=learner.models) if number == 0 else taught.next_night(models=learner.models)
    objects = git_bytes(taught.hosted.path, "cat-file", "--batch-all-objects", "--batch").decode("latin-1")
    home = taught.root / "home"
    files = {str(path.relative_to(home)): path.read_text("latin-1") for path in home.rglob("*") if path.is_file()}
    told: Mapping[str, str] = {**files, "objects": objects, "the log": log.getvalue(), "asked": "\n".join(asked)}
    for name, text in told.items():
        assert [kind for kind, secret in secrets.items() if secret in text] == [], name
    assert PATH in taught.files()
    assert {item["message"] for item in taught.state().observations} == {"m1"}
