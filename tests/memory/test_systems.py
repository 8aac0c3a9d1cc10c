"""What findings of a night say of systems."""

from __future__ import annotations

import pytest

from dream.memory.systems import Unanswered, is_down, refusal_of, unanswered_in


@pytest.mark.parametrize(
    ("finding", "told"),
    [
        (
            "probe orders-db is down: no answer within 10 s; 3 notes keep the date of the last check",
            Unanswered(name="orders-db", how="down", why="no answer within 10 s"),
        ),
        (
            "probe web is down: the repository has not been read",
            Unanswered(name="web", how="down", why="the repository has not been read"),
        ),
        (
            refusal_of("orders-db", "a role that can write: dream"),
            Unanswered(name="orders-db", how="refused", why="a role that can write: dream"),
        ),
        ("services/probe orders-db is down: x.md:3 is disputed", None),
        ("probe web: 3 files were not read", None),
        ("", None),
    ],
)
def test_a_finding_tells_which_system_gave_no_answer_and_why(finding: str, told: Unanswered | None) -> None:
    assert unanswered_in(finding) == told
    assert is_down(finding) == (told is not None and told.how == "down")
