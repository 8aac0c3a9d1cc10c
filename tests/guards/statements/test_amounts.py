from __future__ import annotations

from datetime import date

import pytest

from dream.guards.statements.amounts import dates_in


@pytest.mark.parametrize(
    ("text", "day", "named"),
    [
        ("Moved on October 20.", date(2026, 10, 22), date(2026, 10, 20)),
        ("Moved on December 30.", date(2027, 1, 2), date(2026, 12, 30)),
        ("Moves on 3rd of January.", date(2026, 12, 30), date(2027, 1, 3)),
        ("Moved on December 30, 2024.", date(2027, 1, 2), date(2024, 12, 30)),
        ("Moved on February 29.", date(2026, 2, 1), None),
        ("Moved on February 29.", date(2028, 2, 1), date(2028, 2, 29)),
    ],
)
def test_a_day_without_a_year_is_the_nearest_to_the_one_on_which_it_was_said(
    text: str, day: date, named: date | None
) -> None:
    assert dates_in(text, day) == frozenset([named] if named else [])
