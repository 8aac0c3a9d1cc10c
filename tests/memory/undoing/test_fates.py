"""What became of an operation, where its lines alone do not tell."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime

import pytest

from dream.memory.records import Change, Effect, NightRecord
from dream.memory.tree import MappingTree
from dream.memory.undoing.fates import Fate, fate_of

TWIN = Effect(id="e", task="tidy", kind="merge", changes=(Change(path="a.md", line=2, removed=("- same",)),))
REVISED = Effect(
    id="e", task="tidy", kind="merge", changes=(Change(path="a.md", line=2, removed=("- same",), added=("- both",)),)
)


def fate(effect: Effect, notes: Mapping[str, bytes], *undone: str) -> Fate:
    at = datetime(2026, 10, 22, 4, tzinfo=UTC)
    record = NightRecord(night=date(2026, 10, 22), scheduled=at, run="r", base="b", effects=(effect,))
    return fate_of(effect, [record], tree=MappingTree(notes), undone=undone)


@pytest.mark.parametrize(("effect", "text"), [(TWIN, b"# A\n\n- same\n"), (REVISED, b"# A\n\n- both\n- same\n")])
def test_what_took_one_of_two_same_lines_away_stands_while_the_other_does(effect: Effect, text: bytes) -> None:
    assert fate(effect, {"a.md": text}) == "stands"


def test_it_is_undone_by_a_person_once_both_are_back() -> None:
    assert fate(TWIN, {"a.md": b"# A\n\n- same\n- same\n"}, "e") == "undone by a person"


def test_what_was_added_and_is_gone_without_a_mark_is_undone_by_a_person() -> None:
    added = TWIN.model_copy(update={"kind": "add", "changes": (Change(path="a.md", line=2, added=("- new",)),)})
    assert fate(added, {"a.md": b"# A\n"}) == "undone by a person"
    assert fate(added, {"b.md": b"# A\n\n- new\n"}) == "changed later"
