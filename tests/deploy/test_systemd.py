from __future__ import annotations

import re
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path

import pytest

from config.fleet import Nightly
from config.settings import Settings, variable

DEPLOY = Path(__file__).parents[2] / "deploy"
SERVICES = ("dream-nightly.service", "dream-worker.service", "dream-server.service", "dream-alarm@.service")
needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze here")


def _unit(name: str) -> ConfigParser:
    parser = ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(DEPLOY / name, encoding="utf-8")
    return parser


@pytest.fixture
def placed(tmp_path: Path) -> Path:
    """The units with programs that are there, since those of an installation are not."""
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for name in (*SERVICES, "dream-nightly.timer"):
        text = re.sub(r"(?m)^ExecStart=\S+", f"ExecStart={program}", (DEPLOY / name).read_text(encoding="utf-8"))
        (tmp_path / name).write_text(text)
    return tmp_path


@needs_systemd
def test_systemd_finds_nothing_wrong_with_the_units(placed: Path) -> None:
    names = [name.replace("@", "@dream-worker") for name in (*SERVICES, "dream-nightly.timer")]
    ended = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *(str(placed / name) for name in names)],
        env={"SYSTEMD_UNIT_PATH": f"{placed}:", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout + ended.stderr) == (0, "")


@needs_systemd
@pytest.mark.parametrize("name", SERVICES)
def test_a_service_may_do_little_beside_its_work(name: str, placed: Path) -> None:
    ended = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=45", "--no-pager", str(placed / name)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_the_timer_starts_the_night_at_four_utc_and_makes_up_for_a_missed_one() -> None:
    timer = _unit("dream-nightly.timer")["Timer"]
    assert timer["OnCalendar"] == "*-*-* 04:00:00 UTC"
    assert timer["Persistent"] == "true"
    assert (DEPLOY / timer["Unit"]).exists()


def test_the_service_runs_all_organisations_once_and_has_time_for_a_remote_that_is_down() -> None:
    service = _unit("dream-nightly.service")["Service"]
    assert service["ExecStart"] == "/opt/dream/bin/dream nightly"
    assert service["Type"] == "oneshot"
    told = Nightly()
    hours = int(service["TimeoutStartSec"].removesuffix("h"))
    assert hours * 3600 > told.again_seconds + told.night_seconds + told.spread_seconds


@pytest.mark.parametrize("name", ["dream-nightly.service", "dream-worker.service", "dream-server.service"])
def test_a_unit_that_fails_starts_the_alarm(name: str) -> None:
    assert _unit(name)["Unit"]["OnFailure"] == "dream-alarm@%N.service"


def test_a_worker_that_does_not_answer_is_not_waited_for() -> None:
    service = _unit("dream-worker.service")["Service"]
    assert service["TimeoutStopSec"] == "60s"
    assert "--pool dreaming" in service["ExecStart"]


@pytest.mark.parametrize("name", ["dream-nightly.service", "dream-worker.service"])
def test_the_variables_that_a_unit_sets_are_settings(name: str) -> None:
    settings = {variable((field,)) for field in Settings.model_fields}
    text = (DEPLOY / name).read_text(encoding="utf-8")
    lines = [line.removeprefix("Environment=") for line in text.split("\n") if line.startswith("Environment=DREAM_")]
    assert {line.partition("=")[0] for line in lines} <= settings
    assert len(lines) == 2


@pytest.mark.parametrize("name", ["dream-nightly.service", "dream-worker.service", "dream-server.service"])
def test_a_unit_keeps_prefect_under_the_state_directory_and_silent(name: str) -> None:
    text = (DEPLOY / name).read_text(encoding="utf-8")
    assert "\nEnvironment=PREFECT_HOME=/var/lib/dream/prefect\n" in text
    assert "\nEnvironment=DO_NOT_TRACK=1\n" in text
    assert "\nStateDirectoryMode=0700\n" in text


@pytest.mark.parametrize("name", ["dream-nightly.service", "dream-server.service"])
def test_a_server_tells_nobody_of_what_it_does(name: str) -> None:
    text = (DEPLOY / name).read_text(encoding="utf-8")
    assert "\nEnvironment=PREFECT_SERVER_ANALYTICS_ENABLED=false\n" in text
