"""`dream revert` and `dream log --operations`: shown first, asked about, and then exactly that."""

from __future__ import annotations

import errno
import json
import os
import pty
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import structlog

from config.settings import Settings
from dream.errors import FatalError
from dream.repository.lock import lock
from flows.commands.asking import ask, terminal_question
from flows.commands.night_log import tell_operations
from flows.commands.taking_back import Manner, take_back, take_back_everywhere
from flows.reverting.night import RevertRequest
from tests.support.commands import Commands, configure, program
from tests.support.repositories import host
from tests.support.served import Served
from tests.support.stage import MEMORY, NIGHT, Stage, stage_of

ROOT = Path(__file__).resolve().parents[3]
MERGE = "would be taken back: tidy: merge in queues/invoices.md"
BACK = "- 2026-10-03: Orders are archived after ninety days by the nightly job. [thread_0003, 2026-10-03]"


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.summarise({})
    return made


@pytest.fixture
def dream(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Commands]:
    yield Commands(tmp_path, capsys, monkeypatch)
    structlog.reset_defaults()


class Person:
    """Somebody at a terminal who reads what is shown and answers the same every time; meanwhile something happens."""

    def __init__(self, answer: str, meanwhile: object = None) -> None:
        self.answer = answer
        self.meanwhile = meanwhile
        self.shown: list[tuple[str, str]] = []

    def __call__(self, shown: str, question: str) -> str:
        self.shown.append((shown, question))
        if callable(self.meanwhile):
            self.meanwhile()
        return self.answer


def tidy(stage: Stage, manner: Manner) -> tuple[int, str]:
    answer = take_back(configure(stage), "acme", RevertRequest(night=NIGHT, task="tidy"), manner, clock=stage.clock())
    return answer.exit_code, answer.text


@pytest.mark.parametrize("answer", ["", "n", "no", "yeah", "2026-10-22"])
def test_whatever_is_no_clear_yes_takes_nothing_back(stage: Stage, answer: str) -> None:
    stage.dream()
    tip = stage.hosted.tip()
    person = Person(answer)
    assert tidy(stage, Manner(ask=person)) == (3, "acme: nothing was taken back")
    assert stage.hosted.tip() == tip
    ((shown, question),) = person.shown
    assert question == "take that back? [y/N]"
    assert MERGE in shown
    assert f"      + {BACK}" in shown
    assert "no night does it again: 1 mark in .dream/state.json" in shown


def test_a_yes_takes_back_what_was_shown(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    stage.dream()
    exit_code, text = tidy(stage, Manner(ask=Person("y")))
    assert (exit_code, BACK.encode() in stage.files()["queues/invoices.md"]) == (0, True)
    assert "\n  taken back: tidy: merge in queues/invoices.md [" in text
    assert MERGE not in capsys.readouterr().out  # who is asked has seen it with the question


def test_nobody_is_asked_where_nobody_is_there_and_it_is_shown_all_the_same(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    stage.dream()
    assert tidy(stage, Manner())[0] == 0
    assert MERGE in capsys.readouterr().out
    assert BACK.encode() in stage.files()["queues/invoices.md"]


def test_a_dry_run_asks_nobody_and_takes_nothing_back(stage: Stage) -> None:
    stage.dream()
    tip = stage.hosted.tip()
    person = Person("y")
    exit_code, text = tidy(stage, Manner(dry_run=True, ask=person))
    assert (exit_code, person.shown, stage.hosted.tip()) == (0, [], tip)
    assert text.startswith(f"acme: the night of 2026-10-22\n  {MERGE}")


def test_nobody_is_asked_where_nothing_is_to_be_taken_back(stage: Stage) -> None:
    stage.dream()
    stage.revert("tidy")
    person = Person("y")
    assert tidy(stage, Manner(ask=person)) == (
        0,
        "acme: the night of 2026-10-22\n  nothing of it stands any more; nothing to take back",
    )
    assert person.shown == []


def test_a_second_task_is_refused_and_not_taken_for_the_only_one(dream: Commands) -> None:
    ended = dream("revert", "acme", "--night", "2026-10-22", "--task", "tidy", "--task", "distil", "--json")
    assert (ended.exit, ended.document) == (
        2,
        {
            "error": "one task at a time, and not tidy, distil",
            "way_out": "dream revert acme --night 2026-10-22 --task tidy, then the next",
            "exit": 2,
        },
    )


def test_a_task_without_a_name_is_not_taken_for_the_whole_night(dream: Commands) -> None:
    dream.write("acme", {"memory": {"url": "http://127.0.0.1:9/nobody.git"}})
    for whom in ("acme", "--all"):
        ended = dream("revert", whom, "--night", "2026-10-22", "--task", "", "--yes")
        assert (ended.exit, ended.err.splitlines()[0]) == (2, "dream: the task '' does not exist")


def test_what_moved_while_a_person_was_thinking_stops_it(stage: Stage) -> None:
    stage.dream()
    person = Person("y", meanwhile=lambda: stage.person().delete("queues/invoices.md"))
    with pytest.raises(FatalError, match="the branch moved since this was shown"):
        tidy(stage, Manner(ask=person))
    assert "Dream-Revert" not in "\n".join(stage.hosted.log())


def test_the_end_of_input_is_no(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        assert terminal_question() is None
        assert ask("what would happen", "take that back? [y/N]") == ""
    assert capsys.readouterr().err == "what would happen\ntake that back? [y/N] \n"


_PRESSED = 6


def test_ctrl_c_is_no(stage: Stage) -> None:
    """With the program itself on a terminal of its own."""
    stage.dream()
    tip = stage.hosted.tip()
    configure(stage)
    ours, theirs = pty.openpty()
    environment = {**os.environ, "DREAM_ORGANISATIONS": str(stage.root), "DREAM_HOME": str(stage.root / "home")}
    words = program("revert", "acme", "--night", NIGHT.isoformat(), "--task", "tidy")
    running = subprocess.Popen(
        words, cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    )
    os.close(theirs)
    seen = _read(ours, until=b"[y/N]")
    # That terminal controls no process, so that it sends none itself. One that comes as the question begins to be read
    # is noticed with the next key; a person presses again.
    for _ in range(_PRESSED):
        running.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            running.wait(timeout=10)
            break
    seen += _read(ours, until=b"")
    os.close(ours)
    assert (running.wait(timeout=60), stage.hosted.tip()) == (3, tip)
    assert MERGE.encode() in seen
    assert b"acme: nothing was taken back" in seen


def _read(terminal: int, *, until: bytes) -> bytes:
    seen = b""
    while not until or until not in seen:
        try:
            part = os.read(terminal, 4096)
        except OSError as error:
            if error.errno == errno.EIO:
                return seen
            raise
        if not part:
            return seen
        seen += part
    return seen


@pytest.fixture
def fleet(stage: Stage, served: Served) -> tuple[Settings, dict[str, Stage]]:
    """Three organisations: two dreamed, one never did; and a file that is none."""
    birch = replace(stage, hosted=host(served, "birch", MEMORY), name="birch", waits=[])
    cedar = replace(stage, hosted=host(served, "cedar", MEMORY), name="cedar", waits=[])
    for one in (stage, birch):
        one.dream()
    (stage.root / "dahlia.yaml").write_text("organisation: dahlia\nmemory: {adress: nowhere}\n")
    for one in (birch, cedar):
        configure(one)
    return configure(stage), {"acme": stage, "birch": birch, "cedar": cedar}


def everywhere(fleet: tuple[Settings, dict[str, Stage]], manner: Manner) -> tuple[int, dict[str, str], str]:
    settings, stages = fleet
    wanted = RevertRequest(night=NIGHT, task="tidy")
    answer = take_back_everywhere(settings, wanted, manner, clock=stages["acme"].clock())
    return (
        answer.exit_code,
        {one["organisation"]: one["state"] for one in answer.document["organisations"]},
        answer.text,
    )


SHOWN = {
    "acme": "would be taken back",
    "birch": "would be taken back",
    "cedar": "nothing to do",
    "dahlia": "did not land",
}


def test_a_night_of_all_organisations_lands_only_for_a_clear_yes_and_once(
    fleet: tuple[Settings, dict[str, Stage]],
) -> None:
    stages = fleet[1]
    tips = {name: stage.hosted.tip() for name, stage in stages.items()}
    exit_code, rows, text = everywhere(fleet, Manner())
    assert (exit_code, rows) == (3, SHOWN)
    assert text.endswith("to do it: dream revert --all --night 2026-10-22 --task tidy --yes")
    assert "adress" in text
    person = Person("y")
    assert everywhere(fleet, Manner(ask=person))[:2] == (3, SHOWN)
    assert person.shown[0][1] == "to take that back in 2 of 4, type the night, 2026-10-22:"
    assert {name: stage.hosted.tip() for name, stage in stages.items()} == tips
    with lock(stages["birch"].workplace().home):
        landed = everywhere(fleet, Manner(yes=True))
    assert landed[:2] == (3, {**SHOWN, "acme": "taken back", "birch": "did not land"})
    assert everywhere(fleet, Manner(ask=Person("2026-10-22")))[:2] == (
        3,
        {**SHOWN, "acme": "nothing to do", "birch": "taken back"},
    )
    assert all(BACK.encode() in stages[name].files()["queues/invoices.md"] for name in ("acme", "birch"))
    (stages["acme"].root / "dahlia.yaml").unlink()
    tips = {name: stage.hosted.tip() for name, stage in stages.items()}
    assert everywhere(fleet, Manner(yes=True))[:2] == (0, dict.fromkeys(stages, "nothing to do"))
    assert {name: stage.hosted.tip() for name, stage in stages.items()} == tips


def test_a_conflict_anywhere_is_counted_and_the_rest_lands(fleet: tuple[Settings, dict[str, Stage]]) -> None:
    stages = fleet[1]
    (stages["acme"].root / "dahlia.yaml").unlink()
    stages["birch"].person().delete("queues/invoices.md")
    exit_code, rows, text = everywhere(fleet, Manner(yes=True))
    assert (exit_code, rows) == (1, {"acme": "taken back", "birch": "conflicts only", "cedar": "nothing to do"})
    assert "which conflict, and why: dream revert birch --night 2026-10-22 --task tidy --dry-run" in text


def fates(stage: Stage) -> dict[str, str]:
    answer = tell_operations(configure(stage), "acme", night=None, clock=stage.clock())
    return {one["task"]: one["fate"] for one in answer.document["operations"]}


def test_each_operation_is_told_with_its_id_its_lines_and_what_became_of_it(stage: Stage) -> None:
    stage.dream()
    answer = tell_operations(configure(stage), "acme", night=None, clock=stage.clock())
    merge = next(one for one in answer.document["operations"] if one["task"] == "tidy")
    assert f"\n{merge['short']}  tidy: merge in queues/invoices.md (+0 -1): stands\n" in answer.text
    assert f"\n  queues/invoices.md\n    - {BACK}\n" in answer.text
    assert answer.text.endswith("to take one back: dream revert acme --night 2026-10-22 --operation ID")
    assert json.dumps(answer.document)
    assert fates(stage) == {"daily_note": "stands", "tidy": "stands"}
    stage.revert("tidy")
    assert fates(stage) == {"daily_note": "stands", "tidy": "reverted"}
    stage.person().delete("daily/2026-10-21.md")
    assert fates(stage) == {"daily_note": "undone by a person", "tidy": "reverted"}


def test_what_a_person_reworded_is_told_as_changed_later(stage: Stage) -> None:
    stage.dream()
    note = stage.files()["daily/2026-10-21.md"]
    stage.person().edit({"daily/2026-10-21.md": note.replace(b"refuses", b"declines")})
    assert fates(stage)["daily_note"] == "changed later"
