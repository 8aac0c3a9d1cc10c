from __future__ import annotations

import pytest

from dream.checker.limits import CheckLimits
from tests.checker.memories import brief, found

SOURCED = "- 2026-10-01: orders-api listens on 8443. [thread_1, 2026-10-01]\n"


def test_dated_entries_with_sources_have_nothing_to_mend() -> None:
    assert brief({"a.md": f"# A\n\n{SOURCED}- 2026-10-02: Two. [acme/web#4]\n"}) == []


def test_an_item_without_a_date_among_dated_ones_is_no_entry_and_is_told() -> None:
    text = f"# A\n\n{SOURCED}- It has two replicas.\n"
    assert brief({"a.md": text}) == [("entry-undated", "a.md", 4)]


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("- 2026-10-02 It was moved.", "no colon after 2026-10-02"),
        ("- 2026-13-02: It was moved.", "2026-13-02 is no day written as YYYY-MM-DD"),
        ("- 02.10.2026: It was moved.", "02.10.2026 is no day written as YYYY-MM-DD"),
        ("- It was moved.", "no date"),
    ],
)
def test_a_date_that_does_not_read_is_named(item: str, message: str) -> None:
    (finding,) = found({"a.md": f"# A\n\n{SOURCED}{item}\n"}, limits=CheckLimits())[:1]
    assert (finding.rule, finding.message) == ("entry-undated", message)


@pytest.mark.parametrize(
    "other",
    [
        "- [ ] a task\n",
        "- [B](a.md)\n",
        "- see: [[a]]\n",
        "1. a step\n",
        "\n## Related\n\n- the other one\n",
        "Prose.\n",
    ],
)
def test_what_is_no_statement_among_dated_ones_needs_no_date(other: str) -> None:
    assert brief({"a.md": f"# A\n\n{SOURCED}\n{other}"}) == []


def test_a_note_in_which_most_items_have_no_date_is_told_once() -> None:
    text = "# A\n\n" + SOURCED + "".join(f"- statement {n}\n" for n in range(9))
    (finding,) = found({"a.md": text})[:1]
    assert finding.message == "9 items have no date, 1 have one, and only these are verified"


def test_plain_notes_need_neither_date_nor_source() -> None:
    assert brief({"a.md": "# A\n\n- one\n- two\n\nThree.\n"}) == []


def test_a_source_is_missed_only_where_the_memory_has_sources() -> None:
    bare = "# B\n\n- 2026-10-01: One.\n"
    assert brief({"b.md": bare}) == []
    assert brief({"a.md": f"# A\n\n{SOURCED}", "b.md": bare}) == [("entry-unsourced", "b.md", 3)]


def test_many_findings_of_one_kind_in_one_note_are_counted() -> None:
    text = "# B\n\n" + SOURCED + "".join(f"- 2026-10-01: One of {n}.\n" for n in range(9))
    messages = [one.message for one in found({"b.md": text}) if one.rule == "entry-unsourced"]
    assert messages == ["no source"] * 5 + ["and 4 more below"]


def test_a_section_without_a_day_among_dated_sections_is_told() -> None:
    text = "# A\n\n## One\n\n**Updated:** 2026-10-01\n\nSaid.\n\n### Part\n\nSaid.\n\n## Two\n\nSaid.\n"
    assert brief({"a.md": text}) == [("entry-undated", "a.md", 13)]


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("2026-10-01", ""),
        ("2026-10-23", ""),  # it is tomorrow already where somebody wrote it
        ("2026-10-24", "date-ahead"),
        ("2026-04-25", ""),
        ("2026-04-24", "updated-stale"),
        ("last week", "updated-malformed"),
        ("2026-13-01", "updated-malformed"),
    ],
)
def test_the_day_of_an_update_is_one_that_was_and_not_long_ago(written: str, rule: str) -> None:
    text = f"# A\n\n## One\n\n**Updated:** {written}\n\nSaid.\n"
    assert [one for one, _, _ in brief({"a.md": text})] == ([rule] if rule else [])


def test_without_a_clock_nothing_is_stale_or_ahead() -> None:
    text = "# A\n\n## One\n\n**Updated:** 2020-01-01\n\nSaid.\n\n## Two\n\n**Updated:** 2030-01-01\n\nSaid.\n"
    assert brief({"a.md": text}, today=None) == []
    assert [rule for rule, _, _ in brief({"a.md": text})] == ["updated-stale", "date-ahead"]


def test_what_is_of_its_day_does_not_go_stale() -> None:
    assert brief({"incidents/a.md": "# A\n\n## One\n\n**Updated:** 2020-01-01\n\nSaid.\n"}) == []


def test_an_entry_of_a_day_to_come_is_told() -> None:
    assert brief({"a.md": "# A\n\n- 2026-11-01: Said.\n"}) == [("date-ahead", "a.md", 3)]


def test_what_says_updated_in_code_says_nothing() -> None:
    assert brief({"a.md": "# A\n\n```\n**Updated:** never\n```\n\n    **Updated:** never\n"}) == []
