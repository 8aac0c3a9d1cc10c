from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from dream.memory.records import Effect, NightRecord
from dream.memory.state import Tombstone
from tasks.lessons.candidates import (
    Candidate,
    candidate_item,
    candidate_sources,
    kept_candidates,
    key_of_matter,
    mark_of,
    read_candidates,
)
from tests.tasks.lessons.records import NIGHT

AT = datetime(2026, 10, 22, 4, tzinfo=UTC)


def candidate(number: int = 41, *, key: str = "k", day: date = NIGHT) -> Candidate:
    source = f"acme/web#{number}"
    return Candidate(
        kind="words",
        key=key,
        statement="mona says of agents' pull requests: “Use the parser.”",
        repository="acme/web",
        pull_request=source,
        sources=(f"person:mona@{source}",),
        day=day,
        marks=(source,),
        quotes=(mark_of(source, "c1", 3, "Use the parser."),),
    )


def item(number: int = 41, *, night: date = NIGHT, **told: Any) -> dict[str, Any]:
    return candidate_item(candidate(number, **told), night=night)


def record(*effects: dict[str, Any]) -> NightRecord:
    made = tuple(Effect.model_construct(**one) for one in effects)
    return NightRecord.model_construct(night=NIGHT, scheduled=AT, run="", base="", effects=made)


def effect(*quotes: str, reverted: bool = False, task: str = "pr_outcomes") -> dict[str, Any]:
    return {"id": "e1", "task": task, "kind": "add", "quotes": quotes, "reverted": reverted, "changes": ()}


def kept(*items: dict[str, Any], fresh: Any = (), records: Any = (), stones: Any = (), most: int = 9) -> list[str]:
    held = kept_candidates(items, fresh=fresh, records=records, tombstones=stones, night=NIGHT, days=90, most=most)
    return [str(one.get("pullRequest", "strange")) for one in held]


def test_a_candidate_reads_back_as_it_was_kept() -> None:
    assert read_candidates([item()]) == (candidate(),)
    assert candidate_sources([item()]) == {"person:mona@acme/web#41"}


def test_of_peoples_words_no_more_is_kept_than_the_statement_and_where_they_stand() -> None:
    one = item()
    assert one["quotes"] == [f"acme/web#41/c1:3-18 {one['quotes'][0].split()[1]}"]
    assert sorted(one) == [
        "day", "id", "key", "kind", "marks", "night", "place", "pullRequest", "quotes", "repository", "sources",
        "statement",
    ]  # fmt: skip


def test_what_is_none_of_the_nights_own_words_is_no_candidate_and_stays() -> None:
    strange: list[dict[str, Any]] = [{}, {**item(), "kind": "x"}, {**item(), "day": "soon"}, {**item(), "sources": []}]
    assert read_candidates(strange) == ()
    assert kept({"a": 1}, item()) == ["strange", "acme/web#41"]


def test_what_nothing_repeated_is_forgotten_in_time_and_the_oldest_beyond_the_most() -> None:
    assert kept(item(night=NIGHT - timedelta(days=90))) == ["acme/web#41"]
    assert kept(item(night=NIGHT - timedelta(days=91))) == []
    older = item(40, day=NIGHT - timedelta(days=1))
    assert kept(item(41), older, most=1) == ["acme/web#41"]


def test_what_became_a_lesson_or_was_undone_is_forgotten_and_what_is_tried_again_is_not() -> None:
    (quote,) = candidate().quotes
    stone = Tombstone(effect="e1", kind="add", task="pr_outcomes", paths=(), keys=(), undone=NIGHT)
    assert kept(item(), records=[record(effect(quote))]) == []
    assert kept(item(), records=[record(effect(quote, reverted=True))]) == ["acme/web#41"]
    assert kept(item(), records=[record(effect(quote, reverted=True))], stones=[stone]) == []
    assert kept(item(), records=[record(effect(quote, task="distil"))]) == ["acme/web#41"]


def test_of_a_pull_request_that_came_back_only_what_was_found_last_is_kept() -> None:
    held = kept_candidates(
        [item(key="before"), item(40)],
        fresh=[item(key="after")],
        records=(),
        tombstones=(),
        night=NIGHT,
        days=90,
    )
    assert {one["pullRequest"]: one["key"] for one in held} == {"acme/web#40": "k", "acme/web#41": "after"}


def test_a_key_is_that_of_the_matter_and_not_of_how_it_is_laid_out() -> None:
    assert key_of_matter("a  b", "c") == key_of_matter("a b", "c") != key_of_matter("a b c")
