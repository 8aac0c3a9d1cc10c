from __future__ import annotations

import stat
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from dream.errors import DreamError, FatalError
from dream.models.budget import Spent
from flows.attempts import forget_old, read_attempts
from flows.publishing import publish_failure, report_path
from flows.spending import read_spent, write_spent
from tests.flows.test_dreaming import workplace

NIGHT = date(2026, 10, 22)
SPENT = Spent(tokens=1_234, dollars=Decimal("0.0123"), calls=7, seconds=12.5)


def test_what_a_night_has_spent_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert read_spent(tmp_path, NIGHT) == Spent()
    write_spent(tmp_path, NIGHT, SPENT)
    assert read_spent(tmp_path, NIGHT) == SPENT
    assert read_spent(tmp_path, date(2026, 10, 23)) == Spent()
    assert stat.S_IMODE((tmp_path / "spend").stat().st_mode) == 0o700


@pytest.mark.parametrize("text", ["", "{}", '{"tokens": -1, "dollars": "0", "calls": 0, "seconds": 0}', "\xff"])
def test_spending_that_cannot_be_read_is_never_taken_for_none(tmp_path: Path, text: str) -> None:
    write_spent(tmp_path, NIGHT, SPENT)
    (tmp_path / "spend" / "2026-10-22.json").write_text(text, encoding="latin-1")
    with pytest.raises(FatalError) as refusal:
        read_spent(tmp_path, NIGHT)
    assert "take that file away" in refusal.value.way_out


def test_a_folder_that_cannot_be_written_is_an_error_of_this_project(tmp_path: Path) -> None:
    (tmp_path / "spend").write_text("a file where a folder should be", encoding="utf-8")
    with pytest.raises(DreamError):
        write_spent(tmp_path, NIGHT, SPENT)


def test_the_spending_of_old_nights_is_forgotten_with_their_reports(tmp_path: Path) -> None:
    for night in (date(2026, 1, 1), NIGHT):
        write_spent(tmp_path, night, SPENT)
    forget_old(tmp_path, NIGHT)
    assert [path.name for path in (tmp_path / "spend").iterdir()] == ["2026-10-22.json"]


def test_a_night_that_paid_and_landed_nothing_says_what_it_paid(tmp_path: Path) -> None:
    place = workplace(tmp_path)
    write_spent(place.home, NIGHT, SPENT)
    publish_failure(place, NIGHT, FatalError("the remote is down"))
    paid = "1,234 tokens in 7 calls, 0.0123 US dollars by the prices that are known"
    (attempt,) = read_attempts(place.home, NIGHT)
    assert attempt.paid == paid
    report = report_path(place.home, NIGHT).read_text(encoding="utf-8")
    assert f"- Paid on this machine, in all runs of this night: {paid}\n" in report


def test_a_night_that_paid_nothing_says_nothing_of_it(tmp_path: Path) -> None:
    place = workplace(tmp_path)
    publish_failure(place, NIGHT, FatalError("the remote is down"))
    assert "Paid" not in report_path(place.home, NIGHT).read_text(encoding="utf-8")
