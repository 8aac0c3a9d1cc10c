from __future__ import annotations

from datetime import UTC, date, datetime

from dream.memory.records import Change, Effect, NightRecord
from tasks.tidying.chains import Chains, told_chain


def night(
    day: int, *effects: tuple[tuple[str, ...], tuple[str, ...]], kind: str = "merge", reverted: bool = False
) -> NightRecord:
    return NightRecord(
        night=date(2026, 10, day),
        scheduled=datetime(2026, 10, day, 4, tzinfo=UTC),
        run="r",
        base="b",
        effects=tuple(
            Effect.model_validate(
                {
                    "id": f"{day}-{number}",
                    "task": "tidy",
                    "kind": kind,
                    "changes": [Change(path="a.md", line=2, removed=removed, added=added)],
                    "reverted": reverted,
                }
            )
            for number, (removed, added) in enumerate(effects)
        ),
    )


ONE, TWO, THREE = (f"- The {name} pool holds 20." for name in ("old", "good", "new"))
KEYS = [line.removeprefix("- ") for line in (ONE, TWO, THREE)]


def test_only_a_new_wording_makes_a_chain_longer() -> None:
    chains = Chains([night(1, ((ONE,), (TWO,))), night(2, ((TWO,), (THREE,))), night(3, ((THREE, ONE), (THREE,)))])
    assert [chains.length(key) for key in KEYS] == [0, 1, 2]
    assert chains.length(*KEYS) == 2


def test_a_citation_is_no_wording_and_what_was_reverted_never_was() -> None:
    cited = f"{ONE} [thread_a, 2026-10-01]"
    assert Chains([night(1, ((ONE,), (cited,)))]).length(KEYS[0]) == 0
    assert Chains([night(1, ((ONE,), (TWO,)), reverted=True)]).length(KEYS[1]) == 0
    assert Chains([night(1, ((ONE,), (TWO,)), kind="revise")]).length(KEYS[1]) == 0


def test_people_are_told_which_rewording_it_is() -> None:
    assert [told_chain(number) for number in (3, 12)] == [
        "third rewording of this entry",
        "12th rewording of this entry",
    ]
