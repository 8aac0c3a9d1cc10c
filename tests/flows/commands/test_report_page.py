"""The page of a night, as `dream report --html` writes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dream.errors import UsageError
from flows.commands.report_page import tell_page
from tests.support.commands import configure
from tests.support.served import Served
from tests.support.stage import NIGHT, Stage, stage_of


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.summarise({})
    return made


def test_a_page_is_written_for_its_owner_alone_and_printed_the_same(stage: Stage, tmp_path: Path) -> None:
    stage.dream()
    file = tmp_path / "night.html"
    answer = tell_page(configure(stage), "acme", str(file), night=None, clock=stage.clock())
    printed = tell_page(configure(stage), "acme", "-", night=NIGHT, clock=stage.clock())
    assert answer.text == f"{file}: the night of 2026-10-22 of acme"
    assert file.read_text(encoding="utf-8") == printed.text
    assert printed.text.startswith("<!doctype html>")
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_page_is_left_beside_the_report_of_every_night(stage: Stage) -> None:
    stage.dream()
    reports = stage.workplace().home / "reports"
    assert sorted(path.name for path in reports.iterdir()) == [
        "2026-10-22.html",
        "2026-10-22.json",
        "2026-10-22.md",
    ]
    printed = tell_page(configure(stage), "acme", "-", night=NIGHT, clock=stage.clock())
    assert (reports / "2026-10-22.html").read_text(encoding="utf-8") == printed.text


def test_what_cannot_be_written_is_told_before_anything_is_asked(stage: Stage, tmp_path: Path) -> None:
    for file in (tmp_path / "nowhere" / "night.html", tmp_path):
        with pytest.raises(UsageError, match="folder"):
            tell_page(configure(stage), "acme", str(file), night=None, clock=stage.clock())


def test_without_a_night_there_is_no_page(stage: Stage, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no night of acme has run yet"):
        tell_page(configure(stage), "acme", str(tmp_path / "night.html"), night=None, clock=stage.clock())
