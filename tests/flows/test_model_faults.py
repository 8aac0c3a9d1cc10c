"""Every fault of a vendor, met by the tasks that ask one, over the real SDKs: at a question, at the judge, everywhere.

Two conversations are read; the vendor is well but where the fault meets it. `python -m bench.faults T10` tries each
fault with both tasks, over every wire and at every place.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dream.memory.outcomes import Changed, Failed
from dream.models.port import Reason
from tests.support.model_faults import BODIES, ENDS, FAULTS, STOPS, TEXTS
from tests.support.planning import Planner
from tests.support.sensible import WIRES, Sensible, statement
from tests.support.spoiled import CALM, CHECKOUT, LEDGER, SESSIONS, STORMY, Place, Spoiled, Storm
from tests.support.vendors import vendor_server

ONE_OF_EACH_REASON = {fault.reason: name for name, fault in FAULTS.items()}


@pytest.fixture(scope="module")
def storm(tmp_path_factory: pytest.TempPathFactory) -> Storm:
    return Storm(planner=Planner(folder=tmp_path_factory.mktemp("planned")))


def test_there_is_a_fault_for_every_reason_that_a_vendor_gives() -> None:
    ours = {Reason.OVER_BUDGET, Reason.NO_MODEL, Reason.STOPPED}
    assert set(ONE_OF_EACH_REASON) == {*Reason} - ours


@pytest.mark.parametrize("wire", WIRES)
def test_without_a_fault_both_conversations_are_written(storm: Storm, tmp_path: Path, wire: str) -> None:
    with vendor_server(Spoiled()) as server:
        planned = storm.planner.plan("distil", SESSIONS, server=server, wire=wire, home=tmp_path)
    assert planned.ends == {"thread_8d3f": "written", "thread_7c2e": "written"}
    assert set(planned.changes) == {CHECKOUT, LEDGER}
    assert planned.task.outcome == Changed("2 of 2 inputs, 2 edits")
    assert set(storm.worded) == set(storm.counted) == {"thread_8d3f", "thread_7c2e"}
    assert not set(storm.worded.values()) & set(storm.counted.values())


@pytest.mark.parametrize(("number", "name"), [*enumerate([*TEXTS, *ENDS, *BODIES, *STOPS])], ids=str)
def test_a_fault_holds_back_its_own_conversation_and_no_other(
    storm: Storm, tmp_path: Path, number: int, name: str
) -> None:
    place = Place.JUDGE if number % 2 else Place.DREAMER
    wire = WIRES[number % 3]
    found = storm.problems("distil", FAULTS[name], place, wire=wire, home=tmp_path, tomorrow=False)
    assert list(found) == []


@pytest.mark.parametrize("place", Place)
@pytest.mark.parametrize(("number", "reason"), [*enumerate(ONE_OF_EACH_REASON)], ids=str)
def test_whatever_the_reason_and_whoever_is_asked_both_are_taken_up_the_next_night(
    storm: Storm, tmp_path: Path, number: int, reason: Reason, place: Place
) -> None:
    turn = number + [*Place].index(place)
    task, wire = ("distil", "daily_note")[turn % 2], WIRES[turn % 3]
    found = storm.problems(task, FAULTS[ONE_OF_EACH_REASON[reason]], place, wire=wire, home=tmp_path)
    assert list(found) == []


def test_the_vendor_is_waited_for_as_long_as_it_asks_and_no_longer(storm: Storm, tmp_path: Path) -> None:
    waits = storm.planner.waits
    for name, longest in (("429-with-retry-after", 8), ("429-until-tomorrow", 0)):
        waits.clear()
        found = storm.problems("distil", FAULTS[name], Place.DREAMER, wire="chat", home=tmp_path / name)
        assert list(found) == []
        assert len(waits) == (4 if longest else 0)
        assert all(7 <= wait <= 7 + 2 for wait in waits)


def test_a_key_that_is_no_good_fails_the_task_before_a_conversation_is_sent(storm: Storm, tmp_path: Path) -> None:
    refuse = FAULTS["401"].answer
    vendor = Spoiled(fault=FAULTS["401"])
    with vendor_server(vendor, card=lambda request: refuse(request, "")) as server:
        planned = storm.planner.plan("distil", SESSIONS, server=server, wire="messages", home=tmp_path)
    assert planned.task.outcome == Failed("its model could not be asked: unauthorised")
    assert planned.changes == {}
    assert [request for request in server.questions if STORMY.quote in request.text] == []
    assert len(server.questions) == 1


HOSTILE: dict[str, Sequence[dict[str, Any]]] = {
    "note": [
        {"note": at, "folder": ""} for at in ("../../etc/passwd", ".dream/state.json", "MEMORY.md", ".git/config")
    ],
    "folder": [
        {"folder": at} for at in ("../outside", "/etc", ".dream", "daily", "services/../../x", "\u202eservices")
    ],
    "replaces": [{"replaces": which} for which in ("e1", "e5", "*", "services/checkout.md")],
    "quotes": [
        {"quotes": [{"message": message, "quote": CALM.quote}]}
        for message in ("thread_0001", "thread_8d3f:m1", "other/m1", "m0", "daily/2026-10-21.md")
    ],
    "resource": [{"resource": name} for name in ("../../x", "other-organisation", "ledger\n# Rules", "")],
}


@pytest.mark.parametrize("told", [one for told in HOSTILE.values() for one in told], ids=ascii)
def test_whatever_a_dreamer_asks_for_nothing_is_touched_but_the_note_that_its_statement_is_about(
    storm: Storm, tmp_path: Path, told: dict[str, Any]
) -> None:
    item = {**statement(CALM.statement, CALM.resource, [("m1", CALM.quote)]), **told}
    mind = Sensible(also=lambda shown: [item] if CALM.quote in shown else [])
    with vendor_server(mind) as server:
        planned = storm.planner.plan("distil", SESSIONS[:1], server=server, wire="chat", home=tmp_path)
    assert set(planned.changes) <= {LEDGER, "topics/ledger.md"}
    assert not isinstance(planned.task.outcome, Failed)
    assert planned.task.tally.inputs == 1
    assert planned.task.tally.pending == 0
    if "quotes" in told or "resource" in told:
        assert planned.changes == {}
    (account,) = planned.task.findings
    assert account.startswith("distil: 1 statement proposed: 1 ")


def test_a_dreamer_that_replaces_everything_takes_nothing_away(storm: Storm, tmp_path: Path) -> None:
    items = [
        statement(CALM.statement, CALM.resource, [("m1", CALM.quote)], replaces=f"e{number}") for number in range(12)
    ]
    mind = Sensible(also=lambda shown: items if CALM.quote in shown else [])
    with vendor_server(mind) as server:
        planned = storm.planner.plan("distil", SESSIONS[:1], server=server, wire="messages", home=tmp_path)
    assert set(planned.changes) <= {LEDGER}
    assert {path for path in planned.before.paths() if path not in planned.after.paths()} == set()
