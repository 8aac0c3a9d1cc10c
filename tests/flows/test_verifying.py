"""Whole nights that hold the memory against real systems: what is put right, what stays, and who says so."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from dream.sources.production.port import Found, Query, Refused
from dream.sources.production.recordings import parse_recordings
from tests.support.answering import MODELS
from tests.support.probes import found, serving
from tests.support.served import Served
from tests.support.stage import NIGHT, Stage, stage_of
from tests.support.verified import (
    BILLING,
    MEMORY,
    ORDERS,
    PINNED,
    TASK,
    findings,
    honest,
    message,
    metrics,
    plan,
    text,
)
from tests.support.verifiers import Verifier


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path, MEMORY)
    made.extra = {"models": MODELS, "sessions": []}
    return made


@pytest.fixture
def pinned(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path, PINNED)
    made.extra = {"sessions": []}
    return made


def test_a_pinned_check_is_put_right_without_any_model_and_the_commit_holds_the_answer(pinned: Stage) -> None:
    probe = metrics()
    result = pinned.dream(probes=serving(probe))
    assert (result.status, result.exit_code) == ("landed", 0)
    assert text(pinned, ORDERS).split("\n")[2:4] == [
        "- 2026-10-22: orders-api runs with 7 replicas. [thread_0001, probe:metrics, 2026-10-22]",
        "  check: metrics get `orders-api` is `7`",
    ]
    assert "evidence: o1 metrics get `orders-api` -> orders-api: replicas=7 region=eu-1" in message(pinned)
    assert probe.asked == [("get", "orders-api")]
    assert pinned.state().checked == {ORDERS: NIGHT, BILLING: NIGHT}
    assert findings(pinned) == (f"{TASK}: 1 of 1 entry verified: 1 corrected",)


def test_the_next_night_finds_it_to_hold(pinned: Stage) -> None:
    pinned.dream(probes=serving(metrics()))
    before = text(pinned, ORDERS)
    pinned.next_night(probes=serving(metrics()))
    assert text(pinned, ORDERS) == before
    assert findings(pinned, 1) == (f"{TASK}: 1 of 1 entry verified: 1 held",)


def test_a_probe_that_is_down_leaves_the_date_for_three_nights_and_then_the_note_moves_on(pinned: Stage) -> None:
    probe = metrics(down="no answer in 10 s")
    before = text(pinned, ORDERS)
    pinned.dream(probes=serving(probe))
    for night in range(3):
        state = pinned.state()
        assert ORDERS not in state.checked
        assert (state.waiting[ORDERS].since, ORDERS in state.unverified) == (NIGHT, True)
        task = pinned.record(NIGHT + timedelta(days=night)).tasks[TASK]
        assert [(one.input, one.reason) for one in task.left_out] == [(ORDERS, "probe-down")]
        assert "probe metrics is down: no answer in 10 s; 1 note keeps the date of the last check" in task.findings
        assert pinned.next_night(probes=serving(probe)).exit_code == 0
    state = pinned.state()
    assert (state.checked[ORDERS], state.waiting, ORDERS in state.unverified) == (NIGHT + timedelta(days=3), {}, True)
    assert pinned.record(NIGHT + timedelta(days=3)).tasks[TASK].pending == 0
    assert text(pinned, ORDERS) == before
    probe.down = ""
    pinned.next_night(probes=serving(probe))
    assert "7 replicas" in text(pinned, ORDERS)


def test_without_probes_and_models_nothing_is_asked_and_nothing_is_told(pinned: Stage) -> None:
    pinned.dream()
    assert text(pinned, ORDERS) == PINNED[ORDERS]


def test_an_honest_model_corrects_with_the_output_that_it_quotes_in_the_commit(stage: Stage) -> None:
    verifier = Verifier(plans=plan, judges=honest)
    result = stage.dream(models=verifier.models, probes=serving(metrics()))
    assert (result.status, result.exit_code) == ("landed", 0)
    assert text(stage, ORDERS).split("\n")[2:] == [
        "- 2026-10-22: orders-api runs with 7 replicas. [thread_0001, probe:metrics, 2026-10-22]",
        "- 2026-10-02: orders-api runs in the region eu-1. [person:ana@thread_0002, 2026-10-02]",
        "- 2026-10-03: We ask ana before orders-api is deployed. [thread_0003, 2026-10-03]",
        "",
    ]
    assert text(stage, BILLING) == MEMORY[BILLING]
    told = message(stage)
    assert "evidence: o2 metrics get `orders-api` -> orders-api: replicas=7 region=eu-1" in told
    assert "replicas is 7, not 5" in told
    assert stage.state().unverified == (ORDERS,)
    assert findings(stage)[-1].startswith(f"{TASK}: 3 of 4 entries verified: 2 true, 1 corrected, 1 ")


def test_a_persons_entry_is_corrected_on_production_evidence_and_the_commit_says_so(stage: Stage) -> None:
    stage.person().edit({ORDERS: MEMORY[ORDERS].replace("thread_0001,", "person:ana@thread_0001,")})
    stage.dream(models=Verifier(plans=plan, judges=honest).models, probes=serving(metrics()))
    assert "[person:ana@thread_0001, probe:metrics, 2026-10-22]" in text(stage, ORDERS)
    assert "a person's entry, revised on production evidence" in message(stage)


def test_a_rerun_and_the_next_night_ask_no_model_twice(stage: Stage) -> None:
    verifier = Verifier(plans=plan, judges=honest)
    probe = metrics()
    stage.dream(models=verifier.models, probes=serving(probe))
    asked, planned = list(probe.asked), verifier.questions
    assert stage.dream(models=verifier.models, probes=serving(probe)).status == "nothing-to-do"
    assert (probe.asked, verifier.questions) == (asked, planned)
    stage.next_night(models=verifier.models, probes=serving(probe))
    stage.next_night(models=verifier.models, probes=serving(probe))
    after = verifier.questions
    stage.next_night(models=verifier.models, probes=serving(probe))
    assert verifier.questions == after


def test_what_a_person_took_back_is_not_done_again_and_counts_as_disputed(stage: Stage) -> None:
    verifier = Verifier(plans=plan, judges=honest)
    stage.dream(models=verifier.models, probes=serving(metrics()))
    stage.revert(TASK)
    assert text(stage, ORDERS) == MEMORY[ORDERS]
    for night in (1, 2):
        stage.next_night(models=verifier.models, probes=serving(metrics()))
        assert text(stage, ORDERS) == MEMORY[ORDERS]
        assert ORDERS in stage.state().unverified
        assert f"{ORDERS}:3 is disputed: replicas is 7, not 5, which a person took back" in findings(stage, night)


def test_a_second_landing_tells_again_what_is_disputed_and_what_was_down(stage: Stage) -> None:
    stage.extra = {"sessions": []}
    stage.person().edit(
        {ORDERS: PINNED[ORDERS], BILLING: f"{MEMORY[BILLING]}  check: other get `billing-api` is `3`\n"}
    )
    probes = serving(metrics(), metrics(name="other", down="it is switched off"))
    stage.dream(probes=probes)
    stage.revert(TASK)
    stage.next_night(probes=probes)
    disputed = f"{ORDERS}:3 is disputed: metrics says 7, which a person took back"
    down = "probe other is down: it is switched off; 1 note keeps the date of the last check"
    assert {disputed, down} <= set(findings(stage, 1))
    stage.person("Cy Person").edit({"services/new.md": "# new\n\n- 2026-10-05: new is quiet. [thread_0005]\n"})
    result = stage.dream(NIGHT + timedelta(days=1), probes=probes, redo=[TASK])
    assert (result.status, stage.record(NIGHT + timedelta(days=1)).landings) == ("landed", 2)
    assert {disputed, down} <= set(findings(stage, 1))
    assert [one for one in result.findings if one in {disputed, down}] == [disputed, down]


def test_what_a_second_landing_looks_at_again_is_told_as_it_is_now(pinned: Stage) -> None:
    probes = serving(metrics(answers={}))
    pinned.dream(probes=probes)
    assert any(one.startswith(f"{ORDERS}:4: metrics") for one in findings(pinned))
    pinned.person().edit({ORDERS: MEMORY[ORDERS]})
    pinned.dream(probes=probes, redo=[TASK])
    assert [one for one in findings(pinned) if one.startswith(ORDERS)] == []


def test_a_system_that_refuses_whatever_it_is_asked_is_told_once_by_its_name(pinned: Stage) -> None:
    refused = Refused("a role that can write: dream_writer (INSERT on orders)")
    pinned.dream(probes=serving(metrics(answers={("get", "orders-api"): refused})))
    assert findings(pinned)[-1] == (
        "probe metrics refused every question: a role that can write: dream_writer (INSERT on orders)"
    )


def test_another_entry_with_the_old_value_of_the_same_thing_is_put_right_too(pinned: Stage) -> None:
    pinned.person().edit(
        {
            "teams/shop.md": (
                "# The shop team\n\n- 2026-10-06: For orders-api we run 5 replicas. [thread_0006, 2026-10-06]\n"
                "- 2026-10-06: billing-api runs with 5 workers. [thread_0006, 2026-10-06]\n"
            )
        }
    )
    pinned.dream(probes=serving(metrics()))
    assert text(pinned, "teams/shop.md") == (
        "# The shop team\n\n- 2026-10-22: For orders-api we run 7 replicas. [thread_0006, probe:metrics, 2026-10-22]\n"
        "- 2026-10-06: billing-api runs with 5 workers. [thread_0006, 2026-10-06]\n"
    )


def test_one_in_a_note_whose_turn_it_is_not_is_told(pinned: Stage) -> None:
    pinned.extra = {**pinned.extra, "limits": {"verification": {"notes": 2, "reserved": 0}}}
    other = "- 2026-10-06: For orders-api we run 5 replicas. [thread_0006, 2026-10-06]\n"
    pinned.person().edit({"teams/shop.md": f"# The shop team\n\n{other}"})
    pinned.dream(probes=serving(metrics()))
    assert "7 replicas" in text(pinned, ORDERS)
    assert other in text(pinned, "teams/shop.md")
    assert "teams/shop.md:3 says 5 of the same thing, metrics says 7" in findings(pinned)


def test_what_the_probes_said_is_kept_beside_the_memory_under_the_ids_of_the_commit(pinned: Stage) -> None:
    secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    answers = {("get", "orders-api"): found("orders-api", replicas="7", token=secret)}
    pinned.dream(probes=serving(metrics(answers=answers)))
    folder = pinned.root / "home" / "acme" / "store" / "production" / "2026-10"
    data = (folder / "2026-10-22.jsonl").read_bytes()
    (kept,) = parse_recordings(data)
    assert (kept.id, kept.query) == ("o1", Query(probe="metrics", operation="get", text="orders-api"))
    assert isinstance(kept.answer, Found)
    assert kept.answer.values == ("7",)
    assert secret.encode() not in data
    assert not any(secret.encode() in data for data in pinned.files().values())
    (folder / "2026-01-01.jsonl").write_text("{}\n")
    pinned.next_night(probes=serving(metrics()))
    assert sorted(one.name for one in folder.iterdir()) == ["2026-10-22.jsonl", "2026-10-23.jsonl"]


def test_a_file_that_cannot_be_read_takes_no_place_of_others_every_night(pinned: Stage) -> None:
    pinned.extra = {**pinned.extra, "limits": {"verification": {"notes": 2, "reserved": 0}}}
    pinned.person().edit({"a/first.md": b"\xff\xfe", "a/second.md": b"\xff\xfe"})
    pinned.dream(probes=serving(metrics()))
    assert ORDERS not in pinned.state().checked
    pinned.next_night(probes=serving(metrics()))
    assert "7 replicas" in text(pinned, ORDERS)
