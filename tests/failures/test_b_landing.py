"""B05, B07, B09, B17, B19, B21: what is on the branch after a push, whoever else pushes and whatever breaks."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Self

import pytest

from config.limits import Landing, Limits
from dream.errors import DreamError, HistoryRewrittenError, RemoteError, TransientError
from dream.memory.records import parse_record
from tests.support import child
from tests.support.observer import (
    KilledError,
    assert_kept,
    assert_only_forward,
    at_step,
    killed_at,
    tips,
    topic_notes,
    watch_tips,
)
from tests.support.repositories import GitFailedError, Person, assert_sound, import_commit
from tests.support.scripted import counting
from tests.support.served import Fault, Served, Step
from tests.support.stage import MEMORY, NIGHT, Stage, stage_of

STEPS = ("open", "read", "daily_note", "pr_outcomes", "production_verification", "tidy", "state_update", "land")


@pytest.mark.parametrize(("step", "room"), [("open", 0), ("state_update", 100), ("land", 0), ("land", 60)])
def test_b05_a_disk_that_fills_at_any_write_never_shows_on_the_remote(stage: Stage, step: str, room: int) -> None:
    undisturbed = stage.dream(dry_run=True, home="elsewhere").tip
    before = stage.hosted.tip()
    full = child.start(stage, step=step, room=room).end()
    assert full.exit_code in {0, 1, 3}
    assert (stage.hosted.tip(), full.exit_code == 3) in {(before, True), (undisturbed, False)}
    assert child.start(stage).end().told in {"landed", "nothing-to-do"}
    assert stage.hosted.tip() == undisturbed
    assert_sound(stage.hosted)


def test_b05_a_remote_that_takes_no_more_keeps_its_tip(stage: Stage) -> None:
    before = stage.hosted.tip()
    stage.hosted.set("receive.maxInputSize", "500")
    with pytest.raises(DreamError):
        stage.dream()
    assert stage.hosted.tip() == before
    assert_sound(stage.hosted)
    stage.hosted.set("receive.maxInputSize", "0")
    assert stage.dream().status == "landed"


INVOICES = MEMORY["queues/invoices.md"]
EDITS: Mapping[str, Mapping[str, str | None]] = {
    "appends": {"queues/invoices.md": INVOICES + "- What Ada adds.\n"},
    "rewords-the-very-line": {"queues/invoices.md": INVOICES.replace("ninety days", "sixty days")},
    "rewrites-it-all": {"queues/invoices.md": "# Invoices\r\n\r\nAda starts anew.\r\n"},
    "deletes": {"queues/invoices.md": None},
    "renames": {"queues/invoices.md": None, "queues/invoice-events.md": INVOICES},
    "rewrites-the-index": {"MEMORY.md": "# What we know\n\nAda's own words.\n\n- [Pay here](services/checkout.md)\n"},
    "writes-the-day": {"daily/2026-10-21.md": "# My day\n\nAda's own account of it.\n"},
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
@pytest.mark.parametrize("moment", ["daily_note", Step.PUSH_REFS, Step.PUSH])
def test_b07_what_a_person_pushes_during_the_night_is_on_the_branch_after_it(
    stage: Stage, served: Served, edit: Mapping[str, str | None], moment: str
) -> None:
    ada = stage.person()
    pushed: list[str] = []

    def push() -> None:
        served.before_push = None
        pushed.append(ada.edit(edit))

    if isinstance(moment, Step):
        served.before_step, served.before_push = moment, push
        result = stage.dream()
        assert result.tries == 2
    else:
        result = stage.dream(call=at_step(moment, push))
    assert (result.status, result.exit_code) == ("landed", 0)
    assert_kept(stage.hosted, pushed)
    assert_only_forward(stage.hosted)
    after = stage.files()
    for path, text in edit.items():
        assert (path in after) is (text is not None)
        theirs = set((text or "").split("\n")) - set(MEMORY.get(path, "").split("\n"))
        assert {line.encode() for line in theirs} - set(after.get(path, b"").split(b"\n")) <= {b""}
    assert b"Orders are archived after" in after["services/orders.md"]


def test_b07_two_nights_that_began_at_one_tip_keep_what_both_saw_and_what_a_person_wrote_between(
    stage: Stage,
) -> None:
    stage.dream()
    stage.now += timedelta(days=1)
    ada = stage.person()
    stage.summarise({"id": "second01", "ended": "2026-10-22T10:30:00Z", "started": "2026-10-22T10:00:00Z"})
    other = Stage(hosted=stage.hosted, root=stage.root, now=stage.now + timedelta(days=1))

    def meanwhile() -> None:
        ada.append("MEMORY.md", "Never page on Sundays.\n")
        thread = threading.Thread(target=lambda: other.dream(NIGHT + timedelta(days=2), home="another-home"))
        thread.start()
        thread.join()

    result = stage.dream(None, call=at_step("land", meanwhile))
    assert (result.status, result.exit_code) == ("superseded", 0)
    after = stage.files()
    assert b"Never page on Sundays.\n" in after["MEMORY.md"]
    assert after["daily/2026-10-22.md"].count(b"refuses refunds") == 1
    assert_only_forward(stage.hosted)


FAULTS = [
    (Fault.REFUSE, Step.PUSH),
    (Fault.DROP, Step.PUSH),
    (Fault.CUT_ANSWER, Step.PUSH),
    (Fault.CUT_ANSWER, Step.PUSH_REFS),
    (Fault.DROP, Step.FETCH),
]


@pytest.mark.parametrize(("fault", "on"), FAULTS, ids=[f"{fault}-on-{on}" for fault, on in FAULTS])
def test_b09_no_push_ever_takes_a_commit_from_the_branch(stage: Stage, served: Served, fault: Fault, on: Step) -> None:
    ada = stage.person()
    kept = [stage.hosted.tip() or ""]

    def disturb() -> None:
        kept.append(ada.append("services/checkout.md", "- Ada was here.\n"))
        served.fail(fault, on=on)

    with suppress(DreamError):
        stage.dream(call=at_step("land", disturb))
    served.recover()
    stage.dream()
    stage.next_night()
    assert len(tips(stage.hosted)) >= 3
    assert_only_forward(stage.hosted)
    assert_kept(stage.hosted, kept)


def small(count: int) -> dict[str, str]:
    return {"MEMORY.md": "# Memory\n", **{f"notes/n{number:02}.md": f"# Note {number}\n" for number in range(count)}}


@pytest.mark.parametrize("home", ["home", "a-machine-that-saw-nothing-yet"])
def test_b09_a_rewritten_branch_stops_the_night_and_nothing_is_pushed(
    served: Served, tmp_path: Path, home: str
) -> None:
    stage = stage_of(served, tmp_path, small(79))
    stage.dream()
    state = stage.files()[".dream/state.json"]
    stage.now += timedelta(days=1)
    for left in (8, 4):  # as it went there
        import_commit(stage.hosted, {**small(left), ".dream/state.json": state})
        tip = stage.hosted.tip()
        served.requests.clear()
        with pytest.raises(DreamError) as raised:
            stage.dream(None, home=home)
        assert raised.value.exit_code == 3
        assert "--accept-history" in raised.value.way_out
        if home == "home":
            assert isinstance(raised.value, HistoryRewrittenError)
        assert Step.PUSH not in served.requests
        assert stage.hosted.tip() == tip


def test_b09_a_branch_rewritten_between_planning_and_push_is_not_pushed_over(stage: Stage) -> None:
    stage.dream()
    stage.now += timedelta(days=1)
    with pytest.raises(HistoryRewrittenError, match="rewritten"):
        stage.dream(None, call=at_step("land", lambda: import_commit(stage.hosted, small(4))))
    assert len(topic_notes(stage.files())) == 4


@pytest.mark.parametrize("moment", [Step.PUSH_REFS, Step.PUSH])
def test_b09_a_branch_rewritten_at_the_moment_of_the_push_is_not_pushed_over(
    stage: Stage, served: Served, moment: Step
) -> None:
    def rewrite() -> None:
        import_commit(stage.hosted, small(4))

    served.before_step, served.before_push = moment, rewrite
    with pytest.raises(HistoryRewrittenError, match="rewritten"):
        stage.dream()
    assert set(stage.files()) == set(small(4))


REFUSED = {
    "pre-receive": "#!/bin/sh\necho 'memory is frozen' >&2\nexit 1\n",
    "update": "#!/bin/sh\necho 'memory is frozen' >&2\nexit 1\n",
    "reference-transaction": '#!/bin/sh\n[ "$1" = prepared ] || exit 0\nexit 1\n',
}


@pytest.mark.parametrize("hook", REFUSED)
def test_b17_a_night_that_a_hook_refused_says_so_everywhere_and_lands_when_it_is_run_again(
    stage: Stage, hook: str
) -> None:
    before = stage.hosted.tip()
    stage.hosted.set_hook(hook, REFUSED[hook])
    with pytest.raises((RemoteError, TransientError)) as raised:
        stage.dream()
    assert raised.value.exit_code == 3
    if hook != "reference-transaction":  # git's server says nothing of what that one printed
        assert "memory is frozen" in str(raised.value)
    assert stage.hosted.tip() == before
    stored = "".join(file.read_text() for file in (stage.root / "home" / "acme").rglob("*.json"))
    assert '"landed"' not in stored
    stage.hosted.set_hook(hook, "")
    assert stage.dream().status == "landed"


def test_b17_a_yes_of_the_server_that_its_branch_does_not_show_is_no_landing(stage: Stage) -> None:
    before = stage.hosted.tip()
    stage.hosted.set_hook("post-receive", f"#!/bin/sh\ngit update-ref refs/heads/main {before}\n")
    with pytest.raises(TransientError, match="nothing landed"):
        stage.dream()
    assert stage.hosted.tip() == before
    stage.hosted.set_hook("post-receive", "")
    assert stage.dream().status == "landed"


class Writers:
    """People who push all the time, to a note of their own and to one of all, and list what the remote took."""

    def __init__(self, stage: Stage, count: int) -> None:
        self.acknowledged: list[str] = []
        self.lines: list[tuple[str, str]] = []
        self._stop = threading.Event()
        self._people = [stage.person(f"Writer{number} Person") for number in range(count)]
        self._threads = [threading.Thread(target=self._write, args=(person,)) for person in self._people]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def wait(self, seconds: float) -> None:
        self._stop.wait(seconds)

    def _write(self, person: Person) -> None:
        number = 0
        while not self._stop.is_set():
            number += 1
            name = person.name.split(maxsplit=1)[0].lower()
            line = f"- {name} says its line number {number}.\n"
            path = f"services/{name}.md" if number % 2 else "services/checkout.md"
            person.git("fetch", "--quiet", "origin", "main")
            person.git("reset", "--quiet", "--hard", "FETCH_HEAD")
            before = person.read(path) if (person.folder / path).exists() else b"# A writer\n\n"
            commit = person.commit({path: before + line.encode()})
            with suppress(GitFailedError):  # somebody was faster: what the remote did not take is not counted
                person.git("push", "--quiet", "origin", "HEAD:refs/heads/main")
                self.acknowledged.append(commit)
                self.lines.append((path, line))


def test_b19_nights_land_between_four_writers_and_nobody_loses_a_commit(served: Served, tmp_path: Path) -> None:
    stage = stage_of(served, tmp_path)
    stage.extra = {"limits": Limits(landing=Landing(seconds=900)).model_dump()}
    watch_tips(stage.hosted)
    asked: list[str] = []
    with Writers(stage, 4) as writers:
        for number in range(3):
            ended = stage.now - timedelta(hours=12)
            stage.summarise(
                {
                    "id": f"busy000{number}",
                    "lasting": f"The busy-{number} service is up.",
                    "started": ended.isoformat(),
                    "ended": ended.isoformat(),
                }
            )
            result = stage.dream(None, steps=counting("daily_note", asked))
            assert (result.status, result.exit_code) == ("landed", 0)
            stage.now += timedelta(days=1)
            writers.wait(2)
    assert len(asked) == 3
    assert writers.acknowledged
    assert_only_forward(stage.hosted)
    assert_kept(stage.hosted, writers.acknowledged)
    files = stage.files()
    assert [line for path, line in writers.lines if line.encode() not in files[path]] == []
    assert len([path for path in files if path.startswith("daily/")]) == 3
    assert_sound(stage.hosted)


def test_b19_a_night_whose_push_lost_seven_races_lands_and_has_asked_each_task_once(
    stage: Stage, served: Served
) -> None:
    ada = stage.person()
    pushed: list[str] = []

    def race() -> None:
        left = 7 - len(pushed)
        if left:
            served.before_push = None
            pushed.append(ada.append("services/checkout.md", f"- Ada is faster, {left} more times.\n"))
            served.before_push = race

    asked: list[str] = []
    served.before_push = race
    result = stage.dream(steps=counting("tidy", asked))
    assert (result.status, result.tries, asked) == ("landed", 8, ["tidy"])
    assert_kept(stage.hosted, pushed)
    assert stage.files()["services/checkout.md"].count(b"Ada is faster") == 7


def knows_what_it_holds(stage: Stage, tip: str) -> bool:
    """Whether the day's note and its record are both in a tip, or neither."""
    files = stage.hosted.files(tip)
    path = f".dream/nights/{NIGHT.isoformat()}.json"
    record = parse_record(files[path]) if path in files else None
    knows = record is not None and record.landed("daily_note")
    assert (".dream/state.json" in files) is (record is not None)
    return ("daily/2026-10-21.md" in files) is knows


@pytest.mark.parametrize("step", STEPS)
def test_b21_no_tip_holds_a_nights_work_without_its_state_or_its_state_without_the_work(
    stage: Stage, step: str
) -> None:
    with pytest.raises(KilledError):
        stage.dream(call=killed_at(step))
    assert tips(stage.hosted) == []
    stage.dream()
    stage.dream()
    assert len(tips(stage.hosted)) == 1
    assert all(knows_what_it_holds(stage, new) for _, new in tips(stage.hosted))


@pytest.mark.parametrize("fault", [Fault.CUT_ANSWER, Fault.DROP, Fault.REFUSE])
def test_b21_a_push_that_is_cut_off_leaves_all_of_the_night_or_nothing(
    stage: Stage, served: Served, fault: Fault
) -> None:
    served.fail(fault)
    stage.dream()
    assert len(tips(stage.hosted)) == 1
    assert all(knows_what_it_holds(stage, new) for _, new in tips(stage.hosted))
    assert stage.dream().status == "nothing-to-do"
