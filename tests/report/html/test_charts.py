from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.records import DoneInput, LossRecord
from dream.report.html.charts import WIDTH, Bar, Chart, bars, columns, curve
from dream.report.html.figures import charts_of
from dream.report.html.series import Point, coverage_over
from dream.report.standing import Standing
from dream.report.story import Story
from tests.report.records import NIGHT, nights_before, record, spend, task

VALUES = st.lists(st.integers(0, 10**12), max_size=60)


def _points(values: list[int]) -> list[Point]:
    return [Point(night, value, str(value)) for night, value in zip(nights_before(len(values)), values, strict=True)]


def _is_inside(chart: Chart) -> bool:
    return all(
        mark.x >= 0 and mark.x + mark.width <= WIDTH and mark.y >= 0 and mark.y + mark.height <= chart.height
        for mark in chart.marks
    )


@given(VALUES)
def test_every_column_is_inside_its_chart_and_says_its_value(values: list[int]) -> None:
    chart = columns("spend", "Spend", _points(values), unit="tokens")
    assert _is_inside(chart)
    assert [mark.told.partition(": ")[2] for mark in chart.marks] == list(map(str, values))
    assert [row[1] for row in reversed(chart.rows)] == list(map(str, values))


@given(VALUES)
def test_every_dot_of_a_curve_is_inside_its_chart(values: list[int]) -> None:
    assert _is_inside(curve("notes", "Notes", _points(values), unit="notes"))


def test_columns_are_as_high_as_their_values() -> None:
    marks = columns("spend", "Spend", _points([0, 50, 100]), unit="tokens").marks
    assert [round(mark.height / marks[2].height, 2) for mark in marks] == [0, 0.5, 1]


@given(st.lists(st.tuples(st.integers(-5, 10**6), st.none() | st.integers(0, 10**6)), max_size=8))
def test_every_bar_is_inside_its_chart_whatever_its_budget(listed: list[tuple[int, int | None]]) -> None:
    assert _is_inside(bars("loss", "Loss", [Bar("x", value, "x", most) for value, most in listed], head=("a", "b")))


def test_what_is_over_its_budget_is_told_from_what_is_within_it() -> None:
    chart = bars("loss", "Loss", [Bar("notes", 4, "4 of 3", 3), Bar("statements", 1, "1 of 5", 5)], head=("a", "b"))
    assert [mark.sort for mark in chart.marks] == ["limit", "over", "limit", "value"]
    assert chart.told == "notes: 4 of 3; statements: 1 of 5"


@pytest.mark.parametrize(("most", "top"), [(0, "2"), (2, "2"), (3, "4"), (100, "100"), (101, "200"), (15_000, "20k")])
def test_a_scale_ends_at_a_round_number(most: int, top: str) -> None:
    chart = curve("notes", "Notes", _points([most]), unit="notes")
    assert [label.text for label in chart.labels][2] == top


def test_coverage_is_the_share_of_notes_that_verification_looked_at_lately() -> None:
    looks = [("a.md", "b.md"), ("b.md",), ("c.md",)]
    records = [
        record(
            {"production_verification": task(done=tuple(DoneInput(id=path) for path in paths))},
            night=night,
            loss=LossRecord(topic_notes=4, statement_count=9),
        )
        for night, paths in zip((NIGHT - timedelta(days=40), NIGHT - timedelta(days=2), NIGHT), looks, strict=True)
    ]
    story = Story(organisation="acme", night=NIGHT, record=records[-1], records=records)
    assert [point.value for point in coverage_over(story)] == [50, 25, 50]


def test_of_the_newest_night_the_state_says_what_was_looked_at() -> None:
    newest = record({}, loss=LossRecord(topic_notes=4))
    checked = {"a.md": NIGHT, "b.md": NIGHT - timedelta(days=29), "c.md": NIGHT - timedelta(days=30), "d.md": None}
    story = Story(organisation="acme", night=NIGHT, record=newest, records=[newest], standing=Standing(checked=checked))
    assert [(point.value, point.shown) for point in coverage_over(story)] == [(50, "50 % (2 of 4 notes)")]


def test_a_night_that_asked_no_model_and_lost_nothing_has_no_chart_of_spend() -> None:
    quiet = record({"tidy": task()}, loss=LossRecord(topic_notes=4, statement_count=9))
    asked = record({"tidy": task(spend=spend(calls=1, input=10))}, loss=LossRecord(topic_notes=4, statement_count=9))
    ids = [
        [chart.id for chart in charts_of(Story(organisation="acme", night=NIGHT, record=one, records=[one]))]
        for one in (quiet, asked)
    ]
    assert ids == [
        ["loss", "coverage", "topics", "statements"],
        ["loss", "spend", "spend-nights", "coverage", "topics", "statements"],
    ]
