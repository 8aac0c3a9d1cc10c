"""An operation is named by any beginning of its id that fits no other."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from dream.errors import UsageError
from dream.memory.operation_ids import short_ids
from dream.memory.records import Change, Effect, NightRecord
from flows.reverting.choice import choose_operations
from tests.support.stage import NIGHT

IDS = ("3f2a91c0aaaaaaaa", "3f2a91c0bbbbbbbb", "0d00000000000000")
EFFECTS = tuple(
    Effect(id=name, task=task, kind="revise", changes=(Change(path=f"{task}.md"),))
    for name, task in zip(IDS, ("tidy", "tidy", "distil"), strict=True)
)
RECORD = NightRecord(night=NIGHT, scheduled=datetime(2026, 10, 22, 4, tzinfo=UTC), run="r", base="b", effects=EFFECTS)

OTHER = RECORD.model_copy(
    update={
        "night": date(2026, 10, 21),
        "effects": (Effect(id="77aa000000000000", task="tidy", kind="merge"),),
    }
)


def chosen(*given: str, tasks: tuple[str, ...] = ("tidy", "distil")) -> list[str]:
    found = choose_operations(
        given, RECORD, tasks=tasks, short=short_ids((*EFFECTS, *OTHER.effects)), organisation="acme", others=(OTHER,)
    )
    return [one.id for one in found]


def test_ids_are_as_short_as_tells_them_apart() -> None:
    assert short_ids(EFFECTS) == dict(zip(IDS, ("3f2a91c0a", "3f2a91c0b", "0d00000"), strict=True))


def test_each_is_chosen_once_by_any_beginning() -> None:
    assert chosen("0d", "3F2A91C0B", "0d00000") == [IDS[2], IDS[1]]


@pytest.mark.parametrize(
    ("given", "told", "candidates"),
    [
        ("3f2a", "2 operations of the night 2026-10-22 begin with '3f2a'", (0, 1)),
        ("zz", "no operation of the night 2026-10-22 begins with 'zz'", (0, 1, 2)),
        ("", "no operation of the night 2026-10-22 begins with ''", (0, 1, 2)),
    ],
)
def test_what_fits_none_or_several_is_told_with_the_candidates(
    given: str, told: str, candidates: tuple[int, ...]
) -> None:
    with pytest.raises(UsageError) as refusal:
        chosen(given)
    short = short_ids(EFFECTS)
    named = "; ".join(f"{short[IDS[at]]} ({EFFECTS[at].task}: revise in {EFFECTS[at].task}.md)" for at in candidates)
    assert (str(refusal.value), refusal.value.way_out) == (told, named)


def test_another_tasks_operation_is_none_of_it() -> None:
    with pytest.raises(UsageError, match="no operation"):
        chosen("0d", tasks=("tidy",))


def test_one_of_another_night_is_told_with_the_command_that_takes_it_back() -> None:
    with pytest.raises(UsageError, match="no operation of the night 2026-10-22 begins with '77AA'") as refusal:
        chosen("77AA")
    assert refusal.value.way_out == (
        "the night 2026-10-21 has one: dream revert acme --night 2026-10-21 --operation 77aa000"
    )


def test_where_there_are_more_than_are_named_the_command_that_lists_them_can_be_typed() -> None:
    many = tuple(Effect(id=f"{number:016x}", task="tidy", kind="add") for number in range(11))
    with pytest.raises(UsageError) as refusal:
        choose_operations(
            ("zz",),
            RECORD.model_copy(update={"effects": many}),
            tasks=("tidy",),
            short=short_ids(many),
            organisation="acme",
        )
    assert refusal.value.way_out.endswith(", and 1 more: dream log acme --night 2026-10-22 --operations")
