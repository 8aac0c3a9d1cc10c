from __future__ import annotations

import pytest

from flows.commands.arguments import spread


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("run acme --only tidy daily_note", "run acme --only tidy --only daily_note"),
        ("run --only tidy daily-note acme", "run --only tidy --only daily_note acme"),
        (
            "run --only tidy --redo tidy pr-outcomes --json acme",
            "run --only tidy --redo tidy --redo pr_outcomes --json acme",
        ),
        ("run acme --only tidy --only daily_note", "run acme --only tidy --only daily_note"),
        ("run acme --only nonsense", "run acme --only nonsense"),
        ("run acme --only", "run acme --only"),
        ("log tidy", "log tidy"),
        ("pause acme --task tidy daily-note --json", "pause acme --task tidy --task daily_note --json"),
        ("revert --task tidy tidy --night DATE", "revert --task tidy tidy --night DATE"),
        ("", ""),
    ],
)
def test_what_follows_and_is_a_task_belongs_to_the_option(typed: str, read: str) -> None:
    assert spread(typed.split()) == read.split()
