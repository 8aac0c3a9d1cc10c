from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path

import pytest

from config.settings import Settings, variable

DEPLOY = Path(__file__).parents[2] / "deploy"


def _unit(name: str) -> ConfigParser:
    parser = ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(DEPLOY / name, encoding="utf-8")
    return parser


def test_the_timer_starts_the_night_at_four_utc_and_makes_up_for_a_missed_one() -> None:
    timer = _unit("dream-nightly.timer")["Timer"]
    assert timer["OnCalendar"] == "*-*-* 04:00:00 UTC"
    assert timer["Persistent"] == "true"
    assert (DEPLOY / timer["Unit"]).exists()


def test_the_service_runs_all_organisations_once() -> None:
    service = _unit("dream-nightly.service")["Service"]
    assert service["ExecStart"] == "/opt/dream/bin/dream nightly"
    assert service["Type"] == "oneshot"


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


@pytest.mark.parametrize("name", ["dream-nightly.service", "dream-worker.service"])
def test_a_unit_keeps_prefect_under_the_state_directory_and_silent(name: str) -> None:
    text = (DEPLOY / name).read_text(encoding="utf-8")
    assert "\nEnvironment=PREFECT_HOME=/var/lib/dream/prefect\n" in text
    assert "\nEnvironment=DO_NOT_TRACK=1\n" in text


def test_the_server_that_a_night_brings_tells_nobody_of_it() -> None:
    text = (DEPLOY / "dream-nightly.service").read_text(encoding="utf-8")
    assert "\nEnvironment=PREFECT_SERVER_ANALYTICS_ENABLED=false\n" in text
