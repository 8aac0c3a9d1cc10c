"""Charts as geometry: numbers in, shapes and their labels out; a template draws them, a table says the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dream.report.html.series import Point

WIDTH = 400
"""Units of every chart; at the width of a phone a unit is about a pixel."""

_HEIGHT, _TOP, _LEFT, _RIGHT, _BOTTOM = 150, 14, 46, 8, 20
_BAR, _GAP = 14, 24
_STEPS = (1, 2, 5, 10)


@dataclass(frozen=True, slots=True)
class Mark:
    """A rectangle, and what it stands for."""

    x: float
    y: float
    width: float
    height: float
    told: str
    sort: Literal["value", "limit", "over"] = "value"


@dataclass(frozen=True, slots=True)
class Label:
    """A text in a chart; `anchor` is `start`, `middle` or `end`."""

    x: float
    y: float
    text: str
    anchor: str = "start"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart to draw: `rules` are the heights of its lines across, `line` the points of its curve, if it has one."""

    id: str
    title: str
    told: str
    height: float
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    marks: tuple[Mark, ...] = ()
    labels: tuple[Label, ...] = ()
    rules: tuple[float, ...] = ()
    line: str = ""
    left: float = _LEFT

    @property
    def right(self) -> float:
        """Where lines across end."""
        return WIDTH - _RIGHT


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of several: its value, how that is written out, and what it may be at most, if anything."""

    name: str
    value: float
    shown: str
    most: float | None = None


def columns(name: str, title: str, points: Sequence[Point], *, unit: str) -> Chart:
    """Return a column for each night."""
    top, ticks, rules = _scale(max((point.value for point in points), default=0))
    step = (WIDTH - _LEFT - _RIGHT) / max(len(points), 10)
    high = _HEIGHT - _TOP - _BOTTOM
    marks = [
        Mark(
            round(_LEFT + at * step + step * 0.12, 1),
            round(_HEIGHT - _BOTTOM - point.value / top * high, 1),
            round(step * 0.76, 1),
            round(max(point.value / top * high, 0.5 if point.value else 0), 1),
            f"{point.night.isoformat()}: {point.shown}",
        )
        for at, point in enumerate(points)
    ]
    return _over_nights(name, title, points, unit=unit, ticks=ticks, rules=rules, marks=tuple(marks), step=step)


def curve(name: str, title: str, points: Sequence[Point], *, unit: str, is_share: bool = False) -> Chart:
    """Return a line over nights, with a dot for each; a share is in percent, on a scale up to 100."""
    top, ticks, rules = _scale(100 if is_share else max((point.value for point in points), default=0))
    ticks = [f"{tick} %" for tick in ticks] if is_share else ticks
    step = (WIDTH - _LEFT - _RIGHT) / max(len(points), 10)
    high = _HEIGHT - _TOP - _BOTTOM
    places = [
        (round(_LEFT + (at + 0.5) * step, 1), round(_HEIGHT - _BOTTOM - point.value / top * high, 1))
        for at, point in enumerate(points)
    ]
    marks = [
        Mark(round(x - 2, 1), round(y - 2, 1), 4, 4, f"{point.night.isoformat()}: {point.shown}")
        for (x, y), point in zip(places, points, strict=True)
    ]
    drawn = " ".join(f"{x},{y}" for x, y in places)
    return _over_nights(
        name, title, points, unit=unit, ticks=ticks, rules=rules, marks=tuple(marks), line=drawn, step=step
    )


def bars(name: str, title: str, listed: Sequence[Bar], *, head: tuple[str, str]) -> Chart:
    """Return a bar for each of `listed`, against what it may be at most where that is known."""
    longest = max((max(bar.value, bar.most or 0) for bar in listed), default=0) or 1
    room = WIDTH - _RIGHT
    marks: list[Mark] = []
    labels: list[Label] = []
    for at, bar in enumerate(listed):
        y = _TOP + at * (_BAR + _GAP)
        whole = bar.most or 0 if bar.most is not None else longest  # each has its own budget
        scale = room / (max(whole, bar.value) or 1)
        told = f"{bar.name}: {bar.shown}"
        if bar.most is not None:
            marks.append(Mark(0, y + 6, round(whole * scale, 1), _BAR, told, "limit"))
        over = bar.most is not None and bar.value > bar.most
        width = round(max(bar.value, 0) * scale, 1)
        marks.append(Mark(0, y + 6, width, _BAR, told, "over" if over else "value"))
        labels += [Label(0, y, bar.name), Label(room, y, bar.shown, "end")]
    return Chart(
        id=name,
        title=title,
        told="; ".join(f"{bar.name}: {bar.shown}" for bar in listed),
        height=_TOP + len(listed) * (_BAR + _GAP) - 6,
        head=head,
        rows=tuple((bar.name, bar.shown) for bar in listed),
        marks=tuple(marks),
        labels=tuple(labels),
    )


def _over_nights(
    name: str,
    title: str,
    points: Sequence[Point],
    *,
    unit: str,
    ticks: Sequence[str],
    rules: Sequence[float],
    marks: tuple[Mark, ...],
    step: float,
    line: str = "",
) -> Chart:
    labels = [Label(_LEFT - 5, y + 4, tick, "end") for tick, y in zip(ticks, rules, strict=True)]
    if points:
        foot = _HEIGHT - 5
        labels.append(Label(_LEFT, foot, f"{points[0].night.isoformat()}"))
        if len(points) > 1:
            end = max(_LEFT + len(points) * step, _LEFT + 130)
            labels.append(Label(round(end, 1), foot, f"{points[-1].night.isoformat()}", "end"))
    return Chart(
        id=name,
        title=title,
        told=_told(points, unit),
        height=_HEIGHT,
        head=("night", unit),
        rows=tuple((point.night.isoformat(), point.shown) for point in reversed(points)),
        marks=marks,
        labels=tuple(labels),
        rules=tuple(rules),
        line=line,
    )


def _told(points: Sequence[Point], unit: str) -> str:
    if not points:
        return "nothing is known yet"
    least, most = min(points, key=_value), max(points, key=_value)
    return (
        f"{unit}, {len(points)} nights: {points[0].shown} on {points[0].night.isoformat()}, "
        f"{points[-1].shown} on {points[-1].night.isoformat()}; least {least.shown}, most {most.shown}"
    )


def _value(point: Point) -> float:
    return point.value


def _scale(most: float) -> tuple[float, list[str], list[float]]:
    """Return a round top above `most`, the labels of bottom, middle and top, and their heights."""
    top = 2.0
    unit = 1
    while top < most:
        for step in _STEPS:
            top = 2.0 * unit * step
            if top >= most:
                break
        unit *= 10
    high = _HEIGHT - _TOP - _BOTTOM
    heights = [float(_HEIGHT - _BOTTOM), _HEIGHT - _BOTTOM - high / 2, float(_TOP)]
    return top, [_short(part * top / 2) for part in range(3)], heights


def _short(number: float) -> str:
    for size, letter in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if number >= size:
            return f"{number / size:g}{letter}"
    return f"{number:g}"
