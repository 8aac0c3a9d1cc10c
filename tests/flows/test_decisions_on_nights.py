"""What a night taught, in people's hands: whose it is, and that it stays away once somebody took it away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from dream.memory.operations import Add, Basis
from dream.memory.outcomes import Item, Plan
from dream.memory.skills import Lesson, render_opening, write_learning
from dream.memory.tree import Tree
from dream.night.steps import Step
from dream.sources.sessions.values import Role
from flows.binding import ordered_steps
from flows.commands.teaching import tell_learning
from tests.history.sessions import condensed, session, store
from tests.support.office import PATH, SAID, TRIGGER, Office, office_of
from tests.support.served import Served

MARK = f"thread_7c2e0001/m1:0-{len(SAID)} {sha256(SAID.encode()).hexdigest()}"
LOST = f"thread_7c2e0001/m1:0-4 {'0' * 64}"


@pytest.fixture
def office(served: Served, tmp_path: Path) -> Office:
    """An organisation of whose memory one night has landed."""
    office = office_of(served, tmp_path)
    office.stage.summarise({})
    office.stage.dream()
    return office


def teaching(told: Any, names: Sequence[str]) -> Sequence[Step]:
    """The night's steps, of which `learnings` proposes the same every night, from what was said long before."""
    source = "thread_7c2e0001"
    lessons = [Lesson(text=SAID, sources=(source,), dated=date(2026, 10, 21))]
    skill = write_learning("review-migrations", TRIGGER, lessons)
    heading, items = skill.body.split("\n\n")
    operation = Add(
        path=PATH,
        text=items,
        opening=f"{render_opening(skill)}\n\n{heading}",
        basis=Basis(
            sources=(source,),
            dated=date(2026, 10, 21),
            evidence=(SAID,),
            quotes=(MARK, LOST),
        ),
    )

    def propose(tree: Tree) -> Plan:
        return Plan(items=() if tree.blob(PATH) else (Item(id="review-migrations", operations=(operation,)),))

    ordered = ordered_steps(told, names)
    return [replace(step, propose=propose) if step.name == "learnings" else step for step in ordered]


def test_what_a_night_taught_is_taken_away_for_good(office: Office) -> None:
    stage = office.stage
    stage.next_night(steps=teaching)
    assert PATH in stage.files()
    said = session("7c2e0001", [(Role.PERSON, f"{SAID} Thanks.")])
    store(f"{office.store}/acme").keep(said, condense=condensed)
    told = office.learning()
    assert (told["by"], told["sources"]) == ("the night", ["thread_7c2e0001"])
    shown = tell_learning(office.settings, "acme", "review-migrations", clock=stage.clock())
    assert shown.document["evidence"] == [
        {
            "night": "2026-10-23",
            "kind": "add",
            "sources": ["thread_7c2e0001"],
            "quotes": [{"mark": MARK, "words": SAID}, {"mark": LOST, "words": None}],
        }
    ]
    commit = str(office.undo().document["commit"])
    assert [(stone.task, stone.paths) for stone in stage.state().undone] == [("learnings", (PATH,))]
    assert stage.state().learnings == {}
    for _ in range(3):
        stage.next_night(steps=teaching)
        assert PATH not in stage.files()
        assert stage.record(stage.now.date()).tasks["learnings"].refusals == {"undone": 1}
    person = stage.person("Rita Reverter")
    person.pull()
    person.git("revert", "--no-edit", commit)
    person.push()
    stage.next_night(steps=teaching)
    assert PATH in stage.files()
    told = office.learning()
    assert told["by"] == "Rita Reverter"


def test_what_a_person_rewords_is_that_persons(office: Office) -> None:
    office.stage.next_night(steps=teaching)
    text = office.stage.files()[PATH].decode()
    office.stage.person().edit({PATH: text.replace("before you approve it", "before approval")}, "learnings: shorter")
    told = office.learning()
    assert told["by"] == "Ada Person"
