from __future__ import annotations

from pathlib import Path

from tests.guards.purity import NOT_PURE, imports_of


def test_guards_know_nothing_of_git_the_clock_or_chance() -> None:
    assert imports_of(Path("dream/guards")).isdisjoint(NOT_PURE)
