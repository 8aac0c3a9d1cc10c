from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest

from dream.memory.notes import NoteCache
from dream.memory.outcomes import Plan
from dream.memory.records import Change, Effect, NightRecord
from dream.memory.tree import MappingTree, Tree
from dream.models.port import Reason, Unanswered
from dream.models.scripted import ScriptedModel
from dream.sources.sessions.values import Session
from tasks import daily_note
from tasks.daily_threads import looks_like_thread
from tasks.daily_told import Teller, lines_of_nights, standing_lines
from tasks.proposals import StaleStatement
from tasks.subjects import subject_of
from tasks.two_part import Summariser
from tests.support.dreamers import told, two_part
from tests.tasks.gating import gates_of
from tests.tasks.stories import NOON, ZONE, done, fate_in_branch, planted, talk, text_of, thread, unscreened

DAY = date(2026, 10, 21)
PATH = "daily/2026-10-21.md"
EMPTY = MappingTree({})
SAID = "The checkout API listens on port 9443 since the move."
STATEMENT = "ana said that the checkout API listens on port 9443"
MOVED = thread("7c2e", *talk(f"ana: {SAID}", "agent: Noted.", "ana: The ledger closes at noon on Fridays."))
LINE = told(STATEMENT, SAID, resource="checkout API")
LEDGER = told(
    "ana said that the ledger closes at noon on Fridays",
    "The ledger closes at noon on Fridays.",
    resource="ledger",
    message="m3",
)
COUNTS = "ana asked, 2 messages by people, 1 agent reply, a person answered last"


def teller(
    *statements: StaleStatement,
    rules: str | Unanswered = "supported",
    unfit: str = "",
    silent: Unanswered | None = None,
) -> Teller:
    return Teller(
        summarise=partial(Summariser(screen=lambda line, _: line).summarise, model=dreamer(*statements, silent=silent)),
        subject=lambda one: subject_of(one.session, timezone=ZONE),
        gates=lambda subject: gates_of(subject, rules),
        unfit=lambda: unfit,
    )


def dreamer(*statements: StaleStatement, silent: Unanswered | None = None) -> ScriptedModel:
    return ScriptedModel(lambda _, __: silent or two_part(stale=statements))


def propose(tell: Teller | None, *sessions: Session, tree: Tree = EMPTY, **told_more: Any) -> Plan:
    screen: Callable[[str], str] = told_more.pop("screen", unscreened)
    return daily_note.propose(
        tree=tree,
        notes=NoteCache(),
        sessions=sessions or (MOVED,),
        summaries=(),
        pull_requests=(),
        classify=fate_in_branch,
        days=told_more.pop("days", (DAY,)),
        timezone=ZONE,
        done=told_more.pop("known", {}),
        screen=screen,
        tell=tell,
        **told_more,
    )


def lines(tree: Tree) -> list[str]:
    return [line for line in text_of(tree, PATH).split("\n") if line.startswith("- ")]


OFFLINE = lines(planted(EMPTY, propose(None)))


def test_what_passed_the_gates_is_told_with_what_code_counted() -> None:
    told_lines = lines(planted(EMPTY, propose(teller(LINE))))
    assert told_lines == [f"- 2026-10-21: {STATEMENT}; {COUNTS}. [thread_7c2e, 2026-10-21]"]


def test_two_statements_stand_in_one_line_and_a_third_is_not_even_judged() -> None:
    tell = teller(LINE, LEDGER, LINE)
    (line,) = lines(planted(EMPTY, propose(tell)))
    assert line == f"- 2026-10-21: {STATEMENT}. {LEDGER.statement}; {COUNTS}. [thread_7c2e, 2026-10-21]"
    assert tell.findings() == ("daily note: 2 statements proposed: 2 admitted",)


@pytest.mark.parametrize(("other", "reason"), [("orders", "no-room"), ("checkout", "already-written")])
def test_a_statement_that_its_line_has_no_place_for_is_left_out_and_the_other_stands(other: str, reason: str) -> None:
    said = "The checkout API and the orders API listen on port 9443 and 9443."
    offered = [
        told(f"ana said that the {name} API listens on port 9443{' and 9443' * 35}", said, resource=f"{name} API")
        for name in ("checkout", other)
    ]
    tell = teller(*offered)
    (line,) = lines(planted(EMPTY, propose(tell, thread("7c2e", *talk(f"ana: {said}")))))
    assert line.startswith(f"- 2026-10-21: {offered[0].statement}; ana asked")
    assert tell.findings() == (f"daily note: 2 statements proposed: 1 admitted, 1 {reason}",)


def test_a_thread_of_two_days_is_told_on_each_of_what_was_said_on_it() -> None:
    yesterday = talk(f"ana: {SAID}", "agent: Noted.", start=NOON - timedelta(days=1))
    today = talk("ana: The ledger closes at noon on Fridays.", start=NOON)
    session = thread("7c2e", *yesterday, *today)
    plan = propose(teller(LINE, LEDGER), session, days=(DAY - timedelta(days=1), DAY))
    after = planted(EMPTY, plan)
    told_by_day = [text_of(after, f"daily/{day}.md") for day in (DAY - timedelta(days=1), DAY)]
    assert [(STATEMENT in text, LEDGER.statement in text) for text in told_by_day] == [(True, False), (False, True)]


def test_what_was_seen_once_is_marked() -> None:
    (line,) = lines(planted(EMPTY, propose(teller(LINE.model_copy(update={"tentative": True})))))
    assert line.endswith(f"; {COUNTS}. (tentative) [thread_7c2e, 2026-10-21]")


@pytest.mark.parametrize(
    ("tell", "findings"),
    [
        (teller(), ()),
        (teller(LINE, rules="unsure"), ("daily note: 1 statement proposed: 1 judge-unsure",)),
        (teller(LINE, rules=Unanswered(reason=Reason.OUTAGE)), ("daily note: 1 statement proposed: 1 judge-outage",)),
        (teller(silent=Unanswered(reason=Reason.REFUSED)), ("1 refused: threads told by code alone",)),
        (
            teller(told(STATEMENT, "The checkout API listens on port 9444", resource="checkout API")),
            ("daily note: 1 statement proposed: 1 quote-not-found",),
        ),
        (teller(LINE, unfit="the judge is credulous"), ("threads are told by code alone: the judge is credulous",)),
    ],
)
def test_where_nothing_passes_the_line_is_the_one_without_a_model(tell: Teller, findings: tuple[str, ...]) -> None:
    assert lines(planted(EMPTY, propose(tell))) == OFFLINE
    assert tell.findings() == findings


def test_what_the_screen_withholds_is_not_told() -> None:
    def screen(text: str) -> str:
        return "[withheld: 10 bytes, agent-instruction, 0]" if "9443" in text and "ana" in text else text

    assert "9443 since the move" in lines(planted(EMPTY, propose(teller(LINE), screen=screen)))[0]


def test_markup_of_a_statement_stands_as_plain_words() -> None:
    said = "The checkout API listens on `port-9443` since the move."
    session = thread("7c2e", *talk(f"ana: {said}"))
    line = told("ana said that the checkout API listens on `port-9443`", said, resource="checkout API")
    assert "listens on 'port-9443'; ana asked, 1 message" in lines(planted(EMPTY, propose(teller(line), session)))[0]


def test_only_the_threads_that_may_get_a_line_are_asked_about() -> None:
    sessions = [thread(f"a{number}", *talk(f"ana: note {number}", start=NOON)) for number in range(9)]
    model = dreamer()
    tell = replace(teller(), summarise=partial(Summariser(screen=lambda line, _: line).summarise, model=model))
    propose(tell, *sessions, MOVED, most=3)
    assert len(model.asked) == 3


def test_a_line_of_a_night_is_revised_when_its_thread_grows_and_one_of_a_person_is_not() -> None:
    first = propose(teller(LINE))
    tree = planted(EMPTY, first)
    grown = thread("7c2e", *MOVED.messages, *talk("ana: thanks", start=NOON + timedelta(hours=1)))
    ours = frozenset({f"{STATEMENT}; {COUNTS}."})
    after = planted(tree, propose(teller(LINE), grown, tree=tree, known=done(first), written=ours))
    assert [line.count("3 messages by people") for line in lines(after)] == [1]
    theirs = propose(teller(LINE), grown, tree=tree, known=done(first))
    assert [item.reason for item in theirs.items] == ["taken-over"]


def test_a_night_knows_its_lines_until_they_are_reverted() -> None:
    change = Change(
        path=PATH, added=("## acme/web", "", f"- 2026-10-21: {STATEMENT}; {COUNTS}. [thread_7c2e, 2026-10-21]")
    )
    effect = Effect(id="1", task="daily_note", kind="add", changes=(change,))
    record = NightRecord(night=DAY, scheduled=NOON, run="", base="", effects=(effect,))
    assert f"{STATEMENT}; {COUNTS}." in lines_of_nights([record])
    reverted = record.model_copy(update={"effects": (effect.model_copy(update={"reverted": True}),)})
    assert lines_of_nights([reverted]) == frozenset()


@pytest.mark.parametrize(
    ("key", "is_line"),
    [
        (f"{STATEMENT}; {COUNTS}.", True),
        (f"{STATEMENT}; and so on; {COUNTS}", True),
        (STATEMENT, False),
        (f"{STATEMENT}; ana asked, lots of messages", False),
    ],
)
def test_a_worded_line_counts_as_a_line_about_a_thread(key: str, *, is_line: bool) -> None:
    assert looks_like_thread(key) is is_line


def test_a_statement_is_read_beside_what_the_day_says_already() -> None:
    tree = MappingTree({PATH: b"# 2026-10-21\n\n- 2026-10-21: The ledger is closed. [thread_9a1b, 2026-10-21]\n"})
    days = (DAY, DAY + timedelta(days=1))
    assert standing_lines(tree, NoteCache(), days) == {DAY: ["The ledger is closed."]}
