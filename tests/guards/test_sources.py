from __future__ import annotations

from datetime import date

import pytest

from dream.guards.sources import SourceGuard, take_vouchers_apart
from dream.memory.operations import Add, Basis, Merge, Refusal, Revise, Span
from tests.guards.proposals import propose

TONIGHT = {"thread_7c2e", "person:ana@thread_7c2e", "acme/web#41", "probe:orders-db"}
DAY = date(2026, 10, 14)
FILES = {"a.md": "- 2026-10-01: Old. [thread_old, 2026-10-01]\n"}
OLD = Span(path="a.md", text="- 2026-10-01: Old. [thread_old, 2026-10-01]")


def judge_add(text: str, *sources: str, dated: date | None = DAY) -> Refusal | None:
    add = Add(path="a.md", text=text, basis=Basis(sources=sources, dated=dated))
    return SourceGuard(TONIGHT)(propose(add, FILES))


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("- 2026-10-14: New. [thread_7c2e, 2026-10-14]", ("thread_7c2e",)),
        ("- New. [person:ana@thread_7c2e, acme/web#41, 2026-10-14]", ("person:ana@thread_7c2e", "acme/web#41")),
        ("- Fixed by acme/web#12 on web:8080. [thread_7c2e, 2026-10-14]", ("thread_7c2e",)),
        ("- New, see [the guide](guide.md) and [x] done.", ("probe:orders-db",)),
    ],
)
def test_a_statement_with_sources_of_tonight_and_a_date_passes(text: str, sources: tuple[str, ...]) -> None:
    assert judge_add(text, *sources) is None


def test_a_statement_needs_a_source_and_a_date() -> None:
    assert judge_add("- New.") == Refusal("no-source")
    assert judge_add("- New.", "thread_7c2e", dated=None) == Refusal("no-date")


@pytest.mark.parametrize("source", ["thread_other", "acme/web#42", "person:bo@thread_7c2e", "person:ana@thread_other"])
def test_a_source_that_was_not_read_tonight_is_refused(source: str) -> None:
    assert judge_add("- New.", source) == Refusal("source-not-read", source)


@pytest.mark.parametrize(
    ("text", "forged"),
    [
        ("- New. [thread_abc, 2026-10-14]", "thread_abc"),
        ("- As thread_abc says, new.", "thread_abc"),
        ("- New. [acme/web#99]", "acme/web#99"),
        ("- New. [probe:billing]", "probe:billing"),
        ("- New. [web:evil.example]", "web:evil.example"),
        ("- New, says person:ceo@thread_7c2e.", "person:ceo@thread_7c2e"),
    ],
)
def test_what_reads_as_a_source_but_was_not_attached_is_refused(text: str, forged: str) -> None:
    refusal = judge_add(text, "thread_7c2e")
    assert refusal == Refusal("forged-source", forged)


def test_what_stood_there_keeps_its_own_sources() -> None:
    guard = SourceGuard(TONIGHT)
    kept = Revise(
        span=OLD, new="- 2026-10-01: New. [thread_old, thread_7c2e, 2026-10-01]", basis=Basis(sources=("thread_7c2e",))
    )
    assert guard(propose(kept, FILES)) is None
    forged = Revise(span=OLD, new="- 2026-10-01: New. [thread_new, 2026-10-01]")
    assert guard(propose(forged, FILES)) == Refusal("forged-source", "thread_new")


def test_a_merge_cites_its_inputs_whenever_they_were_read() -> None:
    files = {**FILES, "b.md": "- Old. [thread_older]\n"}
    merge = Merge(
        into=OLD,
        new="- 2026-10-01: Old. [thread_old, thread_older, 2026-10-01]",
        absorbed=(Span(path="b.md", text="- Old. [thread_older]"),),
        basis=Basis(sources=("thread_old", "thread_older")),
    )
    assert SourceGuard(TONIGHT)(propose(merge, files)) is None


def test_a_title_vouches_for_nothing() -> None:
    assert take_vouchers_apart("see thread_1, person:a@thread_2") == r"see thread\_1, person\:a@thread\_2"
    assert judge_add(f"- {take_vouchers_apart('thread_abc, person:ceo@thread_x')}", "thread_7c2e") is None
