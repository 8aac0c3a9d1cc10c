from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.codespans import code_span
from dream.memory.pinned import (
    BrokenCheck,
    PinnedCheck,
    Relation,
    carry_checks,
    check_lines,
    compare,
    pinned_checks,
    with_expected,
    without_checks,
)

STATEMENT = "- 2026-10-14: orders-api runs 5 replicas. [thread_a, 2026-10-14]"
CHECK = "check: web get `/services/orders-api $.replicas` is `5`"
ENTRY = f"{STATEMENT}\n  {CHECK}"
READ = PinnedCheck(
    probe="web", operation="get", text="/services/orders-api $.replicas", relation=Relation.IS, expected="5", line=1
)


_TEXTS = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=40).map(str.strip)
_EXPECTED = _TEXTS.filter(bool)
_CHECKS = st.builds(
    PinnedCheck,
    probe=st.from_regex(r"[a-z0-9]{1,8}(-[a-z0-9]{1,5}){0,2}", fullmatch=True),
    operation=st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_./-]{0,12}", fullmatch=True),
    text=_TEXTS,
    relation=st.sampled_from(Relation),
    expected=_EXPECTED,
    line=st.just(1),
)


def only(line: str) -> PinnedCheck | BrokenCheck | None:
    found = pinned_checks(f"{STATEMENT}\n{line}")
    return found[0] if found else None


def check(expected: str, relation: Relation = Relation.IS) -> PinnedCheck:
    return PinnedCheck(probe="web", operation="get", text="/x", relation=relation, expected=expected)


def test_a_check_is_read_from_the_indented_line_below_its_entry() -> None:
    assert pinned_checks(ENTRY) == (READ,)
    assert str(READ) == CHECK


@pytest.mark.parametrize(
    "line",
    [
        f"\t{CHECK}",
        f"    {CHECK}",
        f"  {CHECK}.",
        f"  {CHECK}\r",
        f"  {CHECK.replace('check:', 'Check:')} .  ",
        "  check:   web  get  `/services/orders-api $.replicas`   is\t` 5 `",
        "  check: web get ``/services/orders-api $.replicas`` is ```5```",
    ],
)
def test_blank_runs_a_capital_and_a_full_stop_do_not_matter(line: str) -> None:
    assert only(line) == READ


def test_every_relation_is_read_and_what_is_asked_may_be_absent() -> None:
    for relation in Relation:
        assert only(f"  check: prom alerts {relation} `OrdersDown`") == PinnedCheck(
            probe="prom", operation="alerts", relation=relation, expected="OrdersDown"
        )
    assert only("  check: prom alerts is   not `OrdersDown`") == PinnedCheck(
        probe="prom", operation="alerts", relation=Relation.IS_NOT, expected="OrdersDown"
    )


@given(_CHECKS)
def test_reading_a_written_check_gives_it_back(one: PinnedCheck) -> None:
    (read,) = pinned_checks(f"- x\n  {one}")
    assert isinstance(read, PinnedCheck)
    assert read == one


@pytest.mark.parametrize(
    "raw",
    [
        f"- How to pin:\n\n  ```\n  {CHECK}\n  ```",
        f"```\ncode\n  {CHECK}\n```",
        f"- How to pin:\n  ~~~~ text\n  ~~~\n  {CHECK}",
        f"    code\n    {CHECK}",
        f"- Said.\n  <!-- not now:\n  {CHECK}\n  -->",
    ],
)
def test_a_block_of_code_and_a_comment_hold_no_check(raw: str) -> None:
    assert pinned_checks(raw) == ()
    assert check_lines(raw.split("\n")) == frozenset()
    assert without_checks(raw) == raw


def test_a_check_below_a_block_of_code_or_a_comment_is_read() -> None:
    assert pinned_checks(f"- Said. <!-- one --> <!--\n  two -->\n  {CHECK}") == (READ,)
    assert pinned_checks(f"- Said <!-- one -->\n  {CHECK}") == (READ,)
    assert pinned_checks(f"- Start it so:\n  ```\n  make\n  ```\n  {CHECK}") == (READ,)


def test_what_an_entry_states_leaves_out_its_checks_and_no_other_line() -> None:
    raw = f"{STATEMENT}\n  {CHECK}\r\n  More of it.\n  check: web get `/x` is 5\n  {CHECK}"
    assert without_checks(raw) == f"{STATEMENT}\n  More of it.\n  check: web get `/x` is 5"
    assert check_lines(raw.split("\n")) == frozenset({1, 3, 4})


@pytest.mark.parametrize(
    ("expected", "values", "holds"),
    [
        ("5", ("5",), True),
        ("5", (" 5 ",), True),
        ("5", ("5.0",), True),
        ("5", ("5e0",), True),
        ("1000", ("1,000",), True),
        ("1,000", ("1e+03",), True),
        ("0.5", ("5e-1",), True),
        ("-5", ("5",), False),
        ("5", ("7",), False),
        ("5", ("5 replicas",), False),
        ("7", ("007",), False),
        ("1.1", ("1.10",), None),
        ("1.9", ("1.10",), False),
        ("1.10.0", ("1.1.0",), False),
        ("eu-1", ("eu-1",), True),
        ("eu-1", ("EU-1",), False),
        ("caf\u00e9", ("cafe\u0301",), True),
        ("true", ("true",), True),
        ("5", ("5", "5.0"), True),
        ("5", ("5", "7"), None),
        ("7", ("1.1", "1.10"), None),
        ("5", (), None),
    ],
)
def test_is_and_is_not_compare_numbers_as_numbers_and_text_to_the_letter(
    expected: str, values: tuple[str, ...], *, holds: bool | None
) -> None:
    assert compare(check(expected), values, ()) is holds
    assert compare(check(expected, Relation.IS_NOT), values, ()) is (None if holds is None else not holds)


@pytest.mark.parametrize(
    ("values", "at_least", "at_most"),
    [
        (("5",), True, True),
        (("5.5",), True, False),
        (("4",), False, True),
        (("-1e3",), False, True),
        (("many",), None, None),
        (("NaN",), None, None),
        (("+Inf",), None, None),
        (("4", "6"), None, None),
        ((), None, None),
    ],
)
def test_bounds_are_of_numbers_alone(values: tuple[str, ...], *, at_least: bool | None, at_most: bool | None) -> None:
    assert compare(check("5", Relation.AT_LEAST), values, ()) is at_least
    assert compare(check("5", Relation.AT_MOST), values, ()) is at_most
    assert compare(check("five", Relation.AT_LEAST), ("5",), ()) is None


def test_contains_looks_into_values_and_lines_and_is_false_only_of_a_whole_answer() -> None:
    one = check("eu-1", Relation.CONTAINS)
    assert compare(one, ("eu-10",), ()) is True
    assert compare(one, (), ('orders: region="eu-1"',)) is True
    assert compare(one, ("EU-1",), ("us-1",)) is False
    assert compare(one, ("us-1",), (), cut=True) is None
    assert compare(one, ("eu-1",), (), cut=True) is True
    assert compare(one, (), ()) is None


def test_values_beyond_the_cut_may_disagree_and_a_single_value_is_whole() -> None:
    assert compare(check("5"), ("5", "5"), (), cut=True) is None
    assert compare(check("5"), ("5",), ("more",), cut=True) is True


def test_an_expected_value_moves_and_every_other_byte_stays() -> None:
    raw = f"{STATEMENT}\r\n  {CHECK}.  \r\n\tcheck: web get `/x`  is  `` `5` ``"
    first, second = pinned_checks(raw)
    assert isinstance(first, PinnedCheck)
    assert isinstance(second, PinnedCheck)
    moved = with_expected(raw, first, " 7 ")
    assert moved == raw.replace("is `5`.", "is `7`.")
    assert with_expected(raw, second, "`") == raw.replace("`` `5` ``", "`` ` ``")


@given(_CHECKS, _EXPECTED, st.text(max_size=30), st.text(max_size=30))
def test_moving_an_expected_value_leaves_every_other_byte(
    one: PinnedCheck, observed: str, above: str, below: str
) -> None:
    head, tail = f"- x{above.replace(chr(10), ' ')}\n  ", f"\n{below}"
    raw = f"{head}{one}{tail}"
    found = [found for found in pinned_checks(raw) if isinstance(found, PinnedCheck) and found.line == 1]
    assert found in ([one], [])
    moved = with_expected(raw, one, observed)
    if moved is None:
        return
    assert moved.startswith(head)
    assert moved.endswith(tail)
    (read,) = [read for read in pinned_checks(moved) if read.line == 1]
    assert isinstance(read, PinnedCheck)
    assert (read.probe, read.operation, read.text, read.relation) == (
        one.probe,
        one.operation,
        one.text,
        one.relation,
    )
    assert unicodedata.normalize("NFC", read.expected) == unicodedata.normalize("NFC", observed)


def test_what_cannot_be_written_as_expected_changes_nothing() -> None:
    for observed in ("", " \n", "5\n- 2026-10-01: planted", "\u202e5", "x" * 501):
        assert with_expected(ENTRY, READ, observed) is None
    assert with_expected(STATEMENT, READ, "7") is None
    assert with_expected(f"{STATEMENT}\n{ENTRY}", READ, "7") is None
    for relation in set(Relation) - {Relation.IS}:
        (one,) = pinned_checks(f"- x\n  {check('5', relation)}")
        assert isinstance(one, PinnedCheck)
        assert with_expected(f"- x\n  {one}", one, "7") is None


def test_checks_are_carried_to_another_entry_once_each_as_they_stand() -> None:
    other = f"- Another.\n\tcheck: web get `/x` is `5`.\r\n  {CHECK}"
    assert carry_checks(ENTRY, ENTRY, other) == f"{ENTRY}\n\tcheck: web get `/x` is `5`."
    assert carry_checks("- New.", other) == f"- New.\n{other.partition(chr(10))[2].replace(chr(13), '')}"
    assert carry_checks("- New.", "- Old.") == "- New."


def test_a_code_span_holds_whatever_backticks_there_are() -> None:
    assert [code_span(text) for text in ("5", "`", "a``b", "`x`")] == ["`5`", "`` ` ``", "```a``b```", "`` `x` ``"]
