"""Nights in shadow: dreamt whole, landed nowhere, and nothing paid twice once they are let land."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dream.errors import RemoteError
from flows.attempts import read_attempts
from flows.commands.reading import tell_report, tell_status
from flows.pausing import add_pause
from flows.publishing import publish_failure, report_path
from flows.remembering import open_history
from tests.flows.test_distilling import SAID, converse, lasting, telling
from tests.flows.test_paused_nights import MOVING
from tests.support.answering import MODELS
from tests.support.commands import configure
from tests.support.dreamers import Dreamer
from tests.support.observer import tips, watch_tips
from tests.support.repositories import git
from tests.support.served import Served
from tests.support.stage import NIGHT, Stage, failing, stage_of

LET_LAND = "to let nights land, once you have read some: shadow: false in acme.yaml"


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.extra = {"models": MODELS, "shadow": True}
    converse(made, SAID)
    watch_tips(made.hosted)
    return made


def let_land(stage: Stage) -> None:
    stage.extra = {"models": MODELS}


def references(stage: Stage) -> str:
    return git(stage.hosted.path, "for-each-ref")


def test_two_nights_in_shadow_are_dreamt_whole_and_leave_nothing_but_their_reports(stage: Stage) -> None:
    before = references(stage)
    dreamer = Dreamer(lasts=lasting, tells=telling)
    result = stage.dream(models=dreamer.models)
    assert (result.status, result.exit_code, result.reason) == ("shadow", 0, "shadow: landed nowhere")
    assert result.way_out == f"dream report acme --night 2026-10-22; {LET_LAND}"
    assert result.record is not None
    assert result.record.tasks["distil"].written == 1
    second = stage.next_night(models=dreamer.models)
    assert (second.status, second.night) == ("shadow", stage.now.date())
    assert (references(stage), tips(stage.hosted)) == (before, [])
    assert open_history(stage.workplace()).lines() == ()
    home = stage.workplace().home
    for night in (NIGHT, second.night):
        text = report_path(home, night).read_text()
        assert "- **Shadow: landed nowhere**" in text
        document = json.loads(report_path(home, night).with_suffix(".json").read_bytes())
        assert (document["shadow"], document["tip"], document["ended"]) == (True, "", "shadow: landed nowhere")
        assert [one.status for one in read_attempts(home, night)] == ["shadow"]
    assert "The checkout API listens on port 9443" in report_path(home, NIGHT).read_text()


def test_a_night_that_is_let_land_after_its_shadow_asks_nobody_again_and_lands_what_was_shown(stage: Stage) -> None:
    dreamer = Dreamer(lasts=lasting, tells=telling)
    shown = stage.dream(models=dreamer.models)
    asked = list(dreamer.asked)
    stage.dream(models=dreamer.models)
    let_land(stage)
    landed = stage.dream(models=dreamer.models)
    assert asked
    assert (landed.status, dreamer.asked, landed.tip) == ("landed", asked, shown.tip)
    assert b"port 9443" in stage.files()["services/checkout.md"]
    text = tell_report(configure(stage), "acme", night=NIGHT, clock=stage.clock()).text
    assert "- **Landed** at" in text


def test_status_and_report_tell_that_it_is_shadow_and_how_to_turn_it_on(stage: Stage) -> None:
    stage.dream(models=Dreamer(lasts=lasting, tells=telling).models)
    settings = configure(stage)
    (status,) = tell_status(settings, "acme", clock=stage.clock()).document["organisations"]
    told = (status["status"], status["needs"], status["shadow"], status["without_landing"])
    assert told == ("shadow", "nothing", True, [])
    report = tell_report(settings, "acme", night=None, clock=stage.clock())
    assert "- **Shadow: landed nowhere**" in report.text
    assert "The checkout API listens on port 9443" in report.text
    assert "How to take one back" not in report.text


def test_a_shadow_night_in_which_a_task_failed_is_one_to_run_again(stage: Stage) -> None:
    result = stage.dream(models=Dreamer().models, steps=failing("tidy"))
    assert (result.status, result.exit_code) == ("shadow", 1)
    (status,) = tell_status(configure(stage), "acme", clock=stage.clock()).document["organisations"]
    assert (status["needs"], status["nights"][0]["failed"]) == ("a retry", ["tidy"])


def test_a_run_that_fails_or_is_paused_afterwards_leaves_the_report_of_the_shadow(stage: Stage) -> None:
    stage.dream(models=Dreamer(lasts=lasting, tells=telling).models)
    workplace = stage.workplace()
    publish_failure(workplace, NIGHT, RemoteError("the remote was down"), at=stage.now)
    assert "The checkout API listens on port 9443" in report_path(workplace.home, NIGHT).read_text()
    add_pause(workplace.settings, "acme", MOVING, now=stage.now)
    assert stage.dream().status == "paused"
    assert "The checkout API listens on port 9443" in report_path(workplace.home, NIGHT).read_text()


def test_a_dry_run_in_shadow_is_a_dry_run(stage: Stage) -> None:
    assert stage.dream(models=Dreamer().models, dry_run=True).status == "dry-run"
    assert read_attempts(stage.workplace().home, NIGHT) == ()
