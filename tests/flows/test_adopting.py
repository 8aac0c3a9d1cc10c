"""`dream adopt` lands as one commit that one `git revert` takes back, and is no night."""

from __future__ import annotations

from pathlib import Path

import pytest

from dream.errors import DreamError
from dream.memory.paths import is_topic
from dream.memory.state import STATE_PATH
from dream.repository.lock import lock
from flows.adopting import AdoptResult, adopt_index
from tests.support.repositories import assert_fast_forward, assert_sound
from tests.support.served import Served
from tests.support.stage import MEMORY, NIGHT, Stage, stage_of

STORY = "## The story so far\n\n" + "".join(f"Line {number} of a story.\n" for number in range(1, 221))
OVERGROWN = {**MEMORY, "MEMORY.md": MEMORY["MEMORY.md"] + "\n" + STORY}
NOTE = "index-notes-the-story-so-far.md"


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    return stage_of(served, tmp_path, OVERGROWN)


def adopt(stage: Stage, *, dry_run: bool = False) -> AdoptResult:
    return adopt_index(stage.workplace(), dry_run=dry_run, clock=stage.clock())


def test_the_prose_lands_in_a_note_with_the_index_made_afresh_and_a_second_time_does_nothing(stage: Stage) -> None:
    stage.dream()
    before, tip = stage.files(), stage.hosted.tip()
    state, record = stage.state(), stage.record()
    result = adopt(stage)
    after = stage.files()
    assert_fast_forward(stage.hosted, tip, stage.hosted.tip())
    assert_sound(stage.hosted)
    assert len(result.commits) == 2
    assert after[NOTE] == STORY.encode()
    assert after["MEMORY.md"].count(b"\n") < 30
    assert f"- [The story so far]({NOTE})".encode() in after["MEMORY.md"]
    changed = {path for path in after if after[path] != before.get(path)}
    assert changed == {"MEMORY.md", "CATALOG.md", NOTE, STATE_PATH}
    assert stage.record() == record
    assert stage.state().undone == state.undone == ()
    assert stage.state().lastRun == state.lastRun
    tip = stage.hosted.tip()
    again = adopt(stage)
    assert (again.commits, again.lines) == ((), ("nothing to adopt: MEMORY.md has room for its links",))
    assert stage.hosted.tip() == tip


def test_the_next_night_finds_nothing_undone_and_keeps_what_moved(stage: Stage) -> None:
    stage.dream()
    adopt(stage)
    result = stage.next_night()
    assert (result.status, result.exit_code) == ("landed", 0)
    assert [finding for finding in result.findings if "session files" not in finding] == []
    assert stage.state().undone == ()
    assert stage.files()[NOTE] == STORY.encode()
    assert stage.record(stage.now.date()).loss.notes == 0


def test_one_git_revert_takes_it_back(stage: Stage) -> None:
    stage.dream()
    before = stage.files()
    result = adopt(stage)
    stage.person().revert(result.commits[0])
    after = stage.files()
    assert {path: data for path, data in after.items() if not path.startswith(".dream/")} == {
        path: data for path, data in before.items() if not path.startswith(".dream/")
    }
    stage.next_night()
    assert stage.state().undone == ()
    assert STORY.encode() in stage.files()["MEMORY.md"]


def test_what_people_changed_before_it_is_still_looked_at_by_the_next_night(stage: Stage) -> None:
    stage.dream()
    stage.person().edit({"queues/new.md": "# A new queue\n\n- It is drained at noon.\n"})
    adopt(stage)
    assert "queues/new.md" in stage.record(NIGHT).unseen


def test_before_any_night_it_makes_no_state(stage: Stage) -> None:
    result = adopt(stage)
    assert len(result.commits) == 1
    after = stage.files()
    assert STATE_PATH not in after
    assert after[NOTE] == STORY.encode()
    assert len([path for path in after if is_topic(path)]) == 4
    assert stage.dream().status == "landed"


def test_a_dry_run_tells_and_lands_nothing(stage: Stage) -> None:
    tip = stage.hosted.tip()
    result = adopt(stage, dry_run=True)
    assert result.lines == (f"would move 222 lines of MEMORY.md into {NOTE}: The story so far",)
    assert result.payload()["moved"] == [{"path": NOTE, "title": "The story so far", "lines": 222}]
    assert stage.hosted.tip() == tip


def test_it_waits_for_nobody_who_holds_the_lock(stage: Stage) -> None:
    with lock(stage.workplace().home, wait_seconds=0), pytest.raises(DreamError):
        adopt(stage)
