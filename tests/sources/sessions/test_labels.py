"""What the readers say of whose words a message is, against what was said by hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dream.sources.sessions.formats.registry import formats
from tests.sources.sessions.labels_by_hand import Judged, hash_of, judge, labels

_FORMATS = frozenset(label.kind for label in labels())

# What a person typed and a reader does not believe: SpecStory does not escape what tools print, and in these two
# documents a block that never closes makes every later turn of a user one that a tool may have printed.
_GIVEN_UP = frozenset(
    {
        ("2026-01-31_14-47-58Z-take-a-look-at.md", "2602"),
        ("2026-01-31_14-47-58Z-take-a-look-at.md", "2758"),
        ("2026-06-23_14-17-56Z-read-at-docs-session.md", "18874"),
    }
)


@pytest.fixture(scope="module")
def judged(shared_data: Path) -> tuple[Judged, ...]:
    return judge(shared_data / "transcripts", labels())


def test_hundreds_of_messages_of_more_than_eight_tools_are_labelled_by_hand() -> None:
    given = labels()
    assert len(given) >= 240
    assert len(_FORMATS) == 16
    assert formats().keys() >= _FORMATS
    assert Counter(len(label.sha256) for label in given) == {12: len(given)}
    roles = {role for label in given for role in label.roles}
    assert roles <= {"person", "agent", "tool", "harness", "recalled", "none"}


def test_three_persons_turns_are_given_up_and_no_other_label_is_missed(judged: tuple[Judged, ...]) -> None:
    wrong = [row for row in judged if not row.is_right]
    assert {(Path(row.label.source).name, row.label.at) for row in wrong} == _GIVEN_UP
    assert {role for row in wrong for role in row.found} == {"harness"}


def test_a_label_is_kept_of_a_line_whatever_stands_around_it() -> None:
    assert hash_of("  keep it short  ") == hash_of("keep it short")
    assert hash_of("x" * 60 + "y") == hash_of("x" * 60 + "z")


@pytest.mark.parametrize("kind", sorted(_FORMATS))
def test_nothing_that_nobody_typed_is_a_persons(judged: tuple[Judged, ...], kind: str) -> None:
    assert [_told(row) for row in judged if row.label.kind == kind and row.invents_a_person] == []


@pytest.mark.parametrize("kind", sorted(_FORMATS))
def test_every_message_has_the_role_that_it_was_given_by_hand(judged: tuple[Judged, ...], kind: str) -> None:
    wrong = [row for row in judged if row.label.kind == kind and not row.is_right and not _is_given_up(row)]
    assert [_told(row) for row in wrong] == []


def _is_given_up(row: Judged) -> bool:
    return (Path(row.label.source).name, row.label.at) in _GIVEN_UP


def _told(row: Judged) -> str:
    given = "/".join(sorted(row.label.roles))
    return f"{row.label.source}:{row.label.at} ({row.label.why}) {given} was read as {sorted(row.found) or ['none']}"
