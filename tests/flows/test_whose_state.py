"""Whose state the night after goes by, whatever people, merges and new keys left on the branch."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from dream.errors import FatalError
from tests.support.repositories import Person, git
from tests.support.served import Served
from tests.support.stage import MEMORY, NIGHT, Stage, stage_of


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.summarise({})
    return made


def notes(stage: Stage) -> dict[str, bytes]:
    made_afresh = (".dream/", "MEMORY.md", "CATALOG")
    return {path: data for path, data in stage.files().items() if not path.startswith(made_afresh)}


def test_a_record_that_a_person_made_up_is_taken_away_and_stops_no_night(stage: Stage) -> None:
    stage.dream()
    person = stage.person()
    person.pull()
    person.edit(
        {
            ".dream/nights/2099-01-01.json": person.read(".dream/nights/2026-10-22.json").replace(
                b"2026-10-22", b"2099-01-01"
            )
        }
    )
    for _ in range(2):
        assert stage.next_night().status == "landed"
    assert ".dream/nights/2099-01-01.json" not in stage.files()


def test_a_record_that_stood_there_before_the_first_night_stops_none(served: Served, tmp_path: Path) -> None:
    record = json.dumps(
        {"night": "2099-01-01", "scheduled": "2099-01-01T04:00:00Z", "run": "", "base": "", "version": 1}
    )
    stage = stage_of(served, tmp_path, {**MEMORY, ".dream/nights/2099-01-01.json": record})
    assert stage.dream().status == "landed"
    assert stage.next_night().status == "landed"


def test_a_record_of_a_day_that_never_was_breaks_nothing(stage: Stage) -> None:
    stage.dream()
    stage.person().edit({".dream/nights/2026-02-30.json": "{}\n"})
    assert stage.next_night().status == "landed"


def merge_keeping_ours(person: Person) -> None:
    person.git("fetch", "--quiet", "origin")
    person.git("merge", "--quiet", "-s", "ours", "-m", "Merge branch 'main'", "origin/main")
    person.push()


def test_a_merge_that_keeps_an_older_state_does_not_bring_the_older_night_back(stage: Stage) -> None:
    stage.dream()
    person = stage.person()
    person.pull()
    stage.next_night()
    tonight = stage.state()
    person.commit({"services/new.md": "# New\n\n- The new thing is new.\n"})
    merge_keeping_ours(person)
    assert stage.dream(NIGHT + timedelta(days=1)).status == "nothing-to-do"
    stage.next_night()
    assert stage.record(NIGHT + timedelta(days=1)).landings == 1
    assert stage.state().lastRun != tonight.lastRun


def test_a_state_merged_by_hand_gives_way_to_the_newest_of_the_flow(stage: Stage) -> None:
    stage.dream()
    person = stage.person()
    person.pull()
    person.commit({".dream/state.json": person.read(".dream/state.json") + b"\n"})
    stage.next_night()
    person.git("fetch", "--quiet", "origin")
    person.git("merge", "--quiet", "-s", "ours", "--no-commit", "origin/main")
    person.commit({".dream/state.json": person.read(".dream/state.json") + b"\n"})
    person.push()
    assert stage.dream(NIGHT + timedelta(days=1)).status == "nothing-to-do"


def test_a_reverted_state_commit_is_put_back(stage: Stage) -> None:
    stage.dream()
    stage.next_night()
    before = stage.state()
    stage.person().revert(stage.hosted.tip() or "")
    assert stage.dream(NIGHT + timedelta(days=1)).status == "nothing-to-do"
    stage.next_night()
    assert {path: day for path, day in before.checked.items() if path not in stage.state().checked} == {}
    assert stage.record(NIGHT + timedelta(days=1)).landings == 1


@pytest.fixture
def keyed(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """An organisation that has dreamt without a key, and now has one."""
    stage.dream()
    monkeypatch.setenv("ACME_STATE_KEY", "a key of one organisation that is long enough")
    stage.extra = {"state_key": "env:ACME_STATE_KEY"}
    return stage


def test_a_key_that_is_new_stops_the_night_until_that_is_accepted(keyed: Stage) -> None:
    with pytest.raises(FatalError, match="its seal does not verify"):
        keyed.next_night()


def test_accepting_a_new_key_keeps_what_the_flow_knew(keyed: Stage) -> None:
    began = keyed.state().began
    keyed.person().revert(
        git(keyed.hosted.path, "log", "--format=%H", "--grep=Dream-Task: tidy", "main").split("\n")[0]
    )
    mine = notes(keyed)
    result = keyed.next_night(accept_history=True)
    assert any("was accepted, although its seal does not verify" in line for line in result.findings)
    assert (keyed.state().began, notes(keyed)) == (began, mine)
    assert keyed.next_night().status == "landed"


def test_accepting_a_history_with_new_ids_keeps_what_the_flow_knew(stage: Stage) -> None:
    stage.dream()
    mine, began = notes(stage), stage.state().began
    person = stage.person()
    person.pull()
    person.git("filter-branch", "--force", "--msg-filter", "cat; echo; echo rewritten", "HEAD")
    person.git("push", "--quiet", "--force", "origin", "HEAD:main")
    assert stage.next_night(accept_history=True).status == "landed"
    assert (stage.state().began, notes(stage)) == (began, mine)
    assert stage.next_night().status == "landed"
