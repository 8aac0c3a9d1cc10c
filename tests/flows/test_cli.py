"""The command line as a program: what it loads, what it prints where, and how it ends."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import structlog

from dream.errors import RemoteError
from flows.cli import app, main
from flows.commands.edge import guarded
from flows.commands.fleet_app import app as fleet
from flows.commands.hand_app import app as by_hand
from flows.commands.reading_app import app as reading
from tests.support.commands import Commands, program
from tests.support.repositories import Hosted, host
from tests.support.served import Fault, Served, Step
from tests.support.stage import MEMORY, SUMMARY

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = (
    "run",
    "nightly",
    "adopt",
    "check",
    "manifest",
    "condense",
    "init",
    "doctor",
    "probe",
    "source",
)
FLEET = ("pause", "resume")
READING = ("status", "log", "report", "revert")
BY_HAND = ("consolidate", "apply", "similar")
GROUPS = {
    "history": ("list", "show", "transcript", "search"),
    "learnings": ("list", "show", "suggest", "accept", "reject", "undo", "install"),
}
HEAVY = ("prefect", "pygit2", "openai", "anthropic", "pydantic_settings", "structlog", "rich")
NIGHT = "2024-05-03"
"""Long past, so that it is due whatever this machine's clock says."""


@pytest.fixture
def dream(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Commands]:
    yield Commands(tmp_path, capsys, monkeypatch)
    structlog.reset_defaults()


@pytest.fixture
def hosted(served: Served, dream: Commands) -> Hosted:
    """An organisation with a memory and a day, configured as an operator would."""
    made = host(served, "memory", MEMORY, at=datetime(2024, 5, 1, 12, tzinfo=UTC))
    summary = dict(SUMMARY) | {"started": "2024-05-02T10:00:00Z", "ended": "2024-05-02T10:30:00Z"}
    (dream.root / "summaries.jsonl").write_text(json.dumps(summary) + "\n")
    dream.write(
        "acme", {"memory": {"url": made.url}, "sessions": [{"kind": "summaries", "path": "../summaries.jsonl"}]}
    )
    return made


@pytest.mark.parametrize(
    "arguments", [("--help",), ("run", "--help"), ("learnings", "--help"), ("--version",), ("nonsense",)]
)
def test_help_loads_nothing_heavy(arguments: tuple[str, ...]) -> None:
    text = (
        "import sys; from flows.cli import main; main(sys.argv[1:]); "
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", text, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.stderr.rstrip("\n").rpartition("\n")[2] == "[]"


def test_help_names_every_command_and_every_command_has_help(dream: Commands) -> None:
    ended = dream("--help")
    assert ended.exit == 0
    for command in (*COMMANDS, *READING, *FLEET, *BY_HAND):
        assert f"\n  {command} " in ended.out
        told = dream(command, "--help")
        assert (told.exit, told.err) == (0, "")
        assert told.out.startswith(f"Usage: dream {command} ")
    assert {callback.__name__ for info in app.registered_commands if (callback := info.callback)} == set(COMMANDS)
    assert {callback.__name__ for info in reading.registered_commands if (callback := info.callback)} == set(READING)
    assert {callback.__name__ for info in fleet.registered_commands if (callback := info.callback)} == set(FLEET)


@pytest.mark.parametrize("group", GROUPS)
def test_every_command_of_a_group_has_help(dream: Commands, group: str) -> None:
    assert f"\n  {group} " in dream("--help").out
    told = dream(group, "--help").out
    for command in GROUPS[group]:
        assert f"\n  {command} " in told
        ended = dream(group, command, "--help")
        assert (ended.exit, ended.err) == (0, "")
        assert ended.out.startswith(f"Usage: dream {group} {command} ")
    assert {info.name for info in app.registered_groups if info.name} == set(GROUPS)
    assert {callback.__name__ for info in by_hand.registered_commands if (callback := info.callback)} == set(BY_HAND)


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("run", "--night --only --redo --dry-run --prefect --accept-history --json"),
        ("nightly", "--night --all-rings --json"),
        ("status", "--json"),
        ("log", "--night --operations --json"),
        ("revert", "--all --night --task --operation --retry --yes --dry-run --json"),
        ("adopt", "--dry-run --json"),
        ("check", "--fix --rules --json"),
        ("manifest", "--budget --query --json"),
        ("init", "--branch --folder --push-bytes --json"),
        ("doctor", ""),
        ("report", "--night --html"),
        ("pause", "--all --task --until --reason --json"),
        ("resume", "--all --task --json"),
        ("probe", "--json --record"),
    ],
)
def test_a_command_takes_the_options_that_the_design_names_and_no_others(
    dream: Commands, command: str, options: str
) -> None:
    listed = dream(command, "--help").out.partition("\nOptions:\n")[2]
    lines = [line.split() for line in listed.split("\n")]
    assert [line[0] for line in lines if line and line[0].startswith("--")] == [*options.split(), "--help"]


def test_the_version_is_that_of_the_package(dream: Commands) -> None:
    ended = dream("--version")
    assert (ended.exit, ended.out.split(" ")[0], ended.err) == (0, "dream", "")


def test_no_command_at_all_is_wrong_usage_and_shows_the_help(dream: Commands) -> None:
    ended = dream()
    assert ended.exit == 2
    assert ended.out.startswith("Usage: dream ")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("frobnicate",), "dream: No such command 'frobnicate'.\n  dream --help\n"),
        (("run",), "dream: Missing argument 'ORG'.\n  dream run --help\n"),
        (("run", "acme", "--loud"), "dream: No such option: --loud\n  dream run --help\n"),
        (("run", "acme", "tidy"), "dream: Got unexpected extra argument(s) (tidy)\n  dream run --help\n"),
        (("revert", "acme"), "dream: Missing option '--night'.\n  dream revert --help\n"),
        (("run", "acme", "--night", "soon"), "dream: 'soon' is no date\n  write a night as 2026-10-22\n"),
        (("log", "acne"), "dream: no organisation 'acne' in {root}/organisations\n  did you mean acme?\n"),
        (
            ("run", "acme", "--only", "dust"),
            "dream: there is no task 'dust'\n  the tasks are: daily_note, distil, pr_outcomes, ",
        ),
        (
            ("run", "acme", "--night", "9999-01-01"),
            "dream: the night 9999-01-01 is not due yet; the newest is ",
        ),
    ],
)
def test_wrong_usage_names_the_thing_and_the_way_out(
    dream: Commands, hosted: Hosted, arguments: tuple[str, ...], told: str
) -> None:
    ended = dream(*arguments)
    assert (ended.exit, ended.out) == (2, "")
    assert ended.err.startswith(told.format(root=dream.root))
    assert hosted.log() == ["memory: as it was"]


def test_with_json_an_error_is_the_one_document_on_standard_output(dream: Commands) -> None:
    ended = dream("status", "acme", "--json")
    assert ended.exit == 2
    assert ended.document == {
        "error": f"no organisation 'acme' in {dream.root}/organisations",
        "way_out": "write one; the example configuration shows how",
        "exit": 2,
    }
    assert "Traceback" not in ended.err


def test_a_broken_configuration_is_named_with_its_key(dream: Commands) -> None:
    path = dream.write("acme", {"memory": {"url": "https://git.acme.example/memory.git"}, "time_zone": "UTC"})
    ended = dream("run", "acme")
    assert (ended.exit, ended.out) == (2, "")
    assert ended.err.startswith(f"dream: {path}: time_zone: unknown key; did you mean timezone?\n  ")


def test_a_night_is_dreamed_told_listed_reported_and_taken_back(dream: Commands, hosted: Hosted) -> None:
    """The whole of a day on call, with nothing but commands."""
    before = hosted.tip()
    dry = dream("run", "acme", "--night", NIGHT, "--dry-run", "--json")
    assert (dry.exit, dry.document["status"], hosted.tip()) == (0, "dry-run", before)
    run = dream("run", "acme", "--night", NIGHT, "--json")
    assert (run.exit, run.document["status"], run.document["tip"]) == (0, "landed", hosted.tip())
    assert "event=task.planned" in run.err
    log = dream("log", "acme", "--json")
    commits = {commit["task"]: commit["id"] for commit in log.document["commits"]}
    assert list(commits) == ["daily_note", "tidy", "index_rewrite", "state_update"]
    report = dream("report", "acme", "--night", NIGHT)
    assert report.out == Path(run.document["report"]).read_text(encoding="utf-8")
    status = dream("status", "--json")
    assert status.document["organisations"][0]["newest_landed"] == NIGHT
    rehearsed = dream("revert", "acme", "--night", NIGHT, "--task", "tidy", "--dry-run")
    assert (rehearsed.exit, hosted.tip()) == (0, run.document["tip"])
    assert rehearsed.out.startswith(f"acme: the night of {NIGHT}\n  would be taken back: tidy: merge in ")
    taken = dream("revert", "acme", "--night", NIGHT, "--task", "tidy", "--json")
    assert (taken.exit, taken.document["tip"]) == (0, hosted.tip())
    assert [one["task"] for one in taken.document["taken_back"]] == ["tidy"]
    again = dream("run", "acme", "--night", NIGHT, "--json")
    assert (again.exit, again.document["status"]) == (0, "nothing-to-do")


def test_only_some_tasks_are_asked_for_by_name(dream: Commands, hosted: Hosted) -> None:
    ended = dream("run", "--only", "daily-note", "tidy", "acme", "--night", NIGHT, "--json")
    assert ended.document["ran"] == ["daily_note", "tidy", "index_rewrite", "state_update"]
    assert hosted.tip() == ended.document["tip"]


def test_a_remote_that_is_down_ends_with_three_and_nothing_landed(
    dream: Commands, hosted: Hosted, served: Served
) -> None:
    served.fail(Fault.REFUSE, on=Step.READ_REFS, times=None)
    ended = dream("run", "acme", "--night", NIGHT, "--json")
    assert (ended.exit, ended.document["exit"]) == (3, 3)
    assert ended.document["error"].startswith(f"{hosted.url} refuses to serve")
    assert ended.err.rstrip("\n").rpartition("\n")[2] == "  run again; if it stays, ask who runs it"
    assert "Traceback" not in ended.err


def test_a_push_that_the_remote_refuses_is_told_in_its_own_words(dream: Commands, hosted: Hosted) -> None:
    hosted.set_hook("pre-receive", "#!/bin/sh\necho 'nobody writes on Sundays' >&2\nexit 1\n")
    ended = dream("run", "acme", "--night", NIGHT)
    assert (ended.exit, ended.out) == (3, "")
    assert "nobody writes on Sundays" in ended.err
    hosted.set_hook("pre-receive", "")
    assert dream("run", "acme", "--night", NIGHT).exit == 0


def test_logs_are_json_where_that_is_asked_for(
    dream: Commands, hosted: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DREAM_LOG_FORMAT", "json")
    ended = dream("run", "acme", "--night", NIGHT)
    events = [json.loads(line)["event"] for line in ended.err.rstrip("\n").split("\n")]
    assert events[0] == "night.opened"
    assert "report.written" in events
    assert hosted.tip() is not None


def test_ctrl_c_ends_a_run_at_once_and_the_same_command_goes_on(
    dream: Commands, hosted: Hosted, served: Served
) -> None:
    before = hosted.tip()
    served.fail(Fault.HANG, on=Step.READ_REFS)
    running = subprocess.Popen(
        program("run", "acme", "--night", NIGHT), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    _until(lambda: Step.READ_REFS in served.requests)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert (running.returncode, out) == (130, "")
    assert err.endswith("dream: interrupted\n  nothing is lost: the same command goes on\n")
    assert hosted.tip() == before
    assert dream("run", "acme", "--night", NIGHT).exit == 0


def test_a_reader_that_goes_away_is_no_defect(dream: Commands, hosted: Hosted) -> None:
    assert dream("run", "acme", "--night", NIGHT).exit == 0
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        program("report", "acme"), cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, "")
    assert hosted.tip() is not None


def test_what_nobody_expected_leaves_a_report_and_one_line(dream: Commands) -> None:
    def broken() -> int:
        message = "unexpected\nthing"
        raise ZeroDivisionError(message)

    capture = dream._capture
    code = guarded(broken, ["run", "acme", "--json"])
    out, err = capture.readouterr()
    (crash,) = (dream.root / "home" / "crashes").iterdir()
    assert code == 3
    assert err == f"dream: a defect: ZeroDivisionError: unexpected thing\n  report it with {crash}\n"
    assert json.loads(out)["exit"] == 3
    assert "command: dream run acme --json\n" in crash.read_text(encoding="utf-8")


def test_a_full_disk_is_named_as_that(dream: Commands) -> None:
    def full() -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/srv/dream/acme/lock")

    code = guarded(full, [])
    assert (code, dream._capture.readouterr().err) == (
        3,
        "dream: the disk is full (/srv/dream/acme/lock)\n  make room and run again\n",
    )


def test_an_error_cannot_act_on_the_terminal(dream: Commands) -> None:
    def hostile() -> int:
        message = "said \x1b[2J\x9b31m\u202e"
        raise RemoteError(message)

    guarded(hostile, [])
    assert dream._capture.readouterr().err == "dream: said \\x1b[2J\\x9b31m\\u202e\n"


def test_the_program_reads_its_own_arguments() -> None:
    ended = subprocess.run(program("--version"), cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout.startswith("dream ")) == (0, True)
    assert main(["--version"]) == 0


def _until(met: Callable[[], bool]) -> None:
    for _ in range(3000):
        if met():
            return
        time.sleep(0.01)
    pytest.fail("it did not come to that")
