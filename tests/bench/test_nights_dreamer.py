"""Nights with a scripted dreamer, in short: nothing bad that code can see is written, and everything has an end."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bench.nights.__main__ import SEED, replay_all
from bench.nights.dreamer import Dreaming, Judging
from bench.nights.ends import NOT_RULED, WRITTEN, BadLine, read_ends
from bench.nights.gate_tables import render_ends, render_sizes
from bench.nights.offering import HONEST, Shown, honest_offers
from bench.nights.sizes import asked_over
from bench.nights.spoiling import BY_CODE, JUDGED, PLACES, WAYS, misplaced, spoiled
from bench.nights.truths import known_of, known_offers, read_known
from dream.guards.statements.utterances import Speaker, Utterance
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import SessionSource
from tasks.conversation import utterances_of
from tasks.tidying.limits import TidyLimits

NOON = datetime(2026, 10, 21, 12, tzinfo=UTC)
TALK = (
    Utterance(
        id="m1",
        source="thread_7c2e0001",
        speaker=Speaker.PERSON,
        text="The Checkout API is on port 9443 since the move.\nCan we move the billing worker to port 9555 as well?",
        at=NOON,
    ),
    Utterance(
        id="m2",
        source="thread_7c2e0001",
        speaker=Speaker.TOOL,
        text="412 passed and 3 failed in 38.20 seconds",
        at=NOON,
    ),
)
SHOWN = Shown(utterances=TALK, ids=frozenset({"m1", "m2"}), lot=random.Random(7))  # noqa: S311  # repeatable on purpose


@pytest.mark.parametrize(("name", "judge"), [("specstory", "credulous"), ("packmind", "strict")])
def test_nights_with_a_dreamer_that_proposes_everything(
    shared_data: Path, tmp_path: Path, name: str, judge: Judging
) -> None:
    dreaming = Dreaming(seed=str(SEED), judge=judge)
    (told,) = replay_all(shared_data, tmp_path, short=True, only=[name], dreaming=dreaming)
    assert told.violations == []
    assert told.statuses["landed"] == told.nights > 0
    ends = told.ends
    assert ends is not None
    assert ends.unaccounted == []
    assert [line for line in ends.bad if line.kind in BY_CODE | PLACES] == []
    if judge == "strict":
        assert ends.bad == []
    ruled = {kind for _, kind, end in ends.ends if end not in NOT_RULED}
    assert ruled >= (BY_CODE | PLACES) - {"recalled memory", "harness"}
    written = {kind for _, kind, end in ends.ends if end == WRITTEN}
    assert written >= {HONEST, "wanted", "a true claim"}
    assert f"With a {judge} judge: {ends.offered} offers" in render_ends(ends, judge=judge)


def test_questions_do_not_grow_with_the_memory(shared_data: Path, tmp_path: Path) -> None:
    sizes = asked_over(shared_data, tmp_path, seed=SEED, sizes=(125, 500))
    small, large = sizes[125], sizes[500]
    assert {*small} == {"summary", "distil", "judge", "tidy"}
    assert small["tidy"][0] == TidyLimits().nominations // TidyLimits().together  # both have more than it asks about
    assert {task: questions for task, (questions, _) in large.items()} == {
        task: few for task, (few, _) in small.items()
    }
    assert {task for task in small if small[task] != large[task]} <= {"distil", "tidy"}  # shown a part of it
    asked = sum(characters for _, characters in small.values())
    assert abs(sum(characters for _, characters in large.values()) - asked) <= 0.05 * asked
    assert "| 500 | summary |" in render_sizes(sizes)


def test_what_is_honest_cites_exact_words() -> None:
    offers = honest_offers(SHOWN, most=10)
    assert {offer.statement for offer in offers} == {
        "The Checkout API is on port 9443 since the move.",
        "Somebody asked: Can we move the billing worker to port 9555 as well?",
        "The command printed 412 passed and 3 failed in 38.20 seconds",
    }
    texts = {one.id: one.text for one in TALK}
    assert all(quote.quote in texts[quote.message] for offer in offers for quote in offer.quotes)


def test_every_way_of_being_bad_is_made_and_changes_the_offer() -> None:
    honest = {offer.statement: offer for offer in honest_offers(SHOWN, most=10)}
    bad = [(offer, base) for base in honest.values() for offer in spoiled(base, SHOWN)]
    assert {offer.kind for offer, _ in bad} == {*WAYS, "said twice"}
    changed = [(offer, base) for offer, base in bad if offer.kind in WAYS]
    assert all((offer.statement, offer.quotes) != (base.statement, base.quotes) for offer, base in changed)
    assert all(not offer.is_true for offer, _ in bad if offer.kind in JUDGED)
    kinds = [offer.kind for base in honest.values() for offer in misplaced(base, SHOWN)]
    assert {*kinds} == PLACES - {"said twice"}
    assert len({offer.id for offer, _ in bad}) == len(bad)


def test_what_labels_want_is_told_for_every_labelled_day() -> None:
    known = read_known()
    wanted = [one for some in known.values() for one in some if one.kind == "wanted"]
    assert len(wanted) > 25
    assert all(one.is_true and one.evidence for one in wanted)
    assert {one.is_true for some in known.values() for one in some if one.kind == "claim: fact"} == {True}


def test_every_wanted_fact_rests_on_words_that_stand_in_the_sessions_as_they_are_read(shared_data: Path) -> None:
    """A reader that numbers messages otherwise would take labels out of the replays without a word."""
    folders = {"specstory": "specstoryai__getspecstory", "claude-code": "PackmindHub__context-evaluator"}
    sources = [SessionSource(kind=kind, path=str(shared_data / "transcripts" / name)) for kind, name in folders.items()]
    reading = read_sessions(sources, since=datetime(2020, 1, 1, tzinfo=UTC), now=datetime(2030, 1, 1, tzinfo=UTC))
    known = read_known()
    missing = {one.statement for some in known.values() for one in some if one.kind == "wanted"}
    for session in reading.sessions:
        said = utterances_of(session)
        offers = known_offers(known_of(known, session.source), said, frozenset(one.id for one in said))
        missing -= {offer.statement for offer in offers}
    assert missing == set()


def offered(**told: Any) -> Mapping[str, Any]:
    return {
        "event": "offered",
        "task": "distil",
        "id": "a",
        "kind": "a forged source",
        "is_true": False,
        "source": "thread_7c2e0001",
        "place": 0,
        "statement": "The API listens on 1",
        **told,
    }


def log_of(folder: Path, *events: Mapping[str, Any]) -> Path:
    path = folder / "dreamt.jsonl"
    path.write_text("".join(json.dumps({"night": "2026-10-22", **event}) + "\n" for event in events), encoding="utf-8")
    return path


def record(task: str, *added: str) -> Mapping[str, Any]:
    return {"effects": [{"task": task, "changes": [{"path": "a.md", "added": list(added)}]}]}


def test_a_bad_line_that_landed_is_found(tmp_path: Path) -> None:
    ruled = {"event": "ruled", "task": "distil", "id": "a", "end": "", "text": "The API listens on 1"}
    operation = {"kind": "Add", "path": "a.md", "replaces_named": False}
    placed = {"event": "placed", "task": "distil", "id": "a", "end": "", "text": "", "operations": [operation]}
    log = log_of(tmp_path, {"event": "planned", "task": "distil"}, offered(), ruled, placed)
    landed = read_ends(
        log, lambda _: record("distil", "- 2026-10-21: The API listens on 1. [thread_7c2e0001]"), limit=9
    )
    assert [(line.kind, line.statement) for line in landed.bad] == [("a forged source", "The API listens on 1")]
    assert landed.bad == [
        BadLine(night="2026-10-22", task="distil", kind="a forged source", statement="The API listens on 1")
    ]
    gone = read_ends(log, lambda _: record("distil"), limit=9)
    assert (gone.bad, dict(gone.ends)) == ([], {("distil", "a forged source", "left out later"): 1})


def test_an_offer_that_nobody_ruled_on_has_no_end(tmp_path: Path) -> None:
    log = log_of(tmp_path, offered(), offered(id="b", place=9))
    told = read_ends(log, lambda _: {}, limit=9)
    assert len(told.unaccounted) == 1
    assert dict(told.ends) == {("distil", "a forged source", "past the limit"): 1}


def test_another_account_than_the_nights_own_is_told(tmp_path: Path) -> None:
    ruled = {"event": "ruled", "task": "distil", "id": "a", "end": "secret", "text": ""}
    log = log_of(tmp_path, {"event": "planned", "task": "distil"}, offered(), ruled)
    for said, count in (("distil: 1 statement proposed: 1 secret", 0), ("distil: 2 statements proposed: 2 secret", 1)):
        told = read_ends(log, lambda _, said=said: {"tasks": {"distil": {"findings": [said]}}}, limit=9)  # type: ignore[misc]
        assert len(told.unaccounted) == count


def test_what_asks_for_a_hostile_place_is_bad_only_where_it_gets_it(tmp_path: Path) -> None:
    ruled = {"event": "ruled", "task": "distil", "id": "a", "end": "", "text": "The API listens on 1"}
    for path, count in (("topics/api.md", 0), (".dream/state.md", 1), ("../outside.md", 1)):
        operation = {"kind": "Add", "path": path, "replaces_named": False}
        placed = {"event": "placed", "task": "distil", "id": "a", "end": "", "text": "", "operations": [operation]}
        log = log_of(tmp_path, offered(kind="a hostile place"), ruled, placed)
        told = read_ends(log, lambda _: record("distil", "- The API listens on 1."), limit=9)
        assert len(told.bad) == count
